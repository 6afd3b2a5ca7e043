"""People who leave a game's page, as far as the site can tell."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from games.models import Game, Holder, Move, Sighting
from games.storage.cache import clear_all
from tests.support.players import Person

LONG_AGO = timedelta(minutes=3)


def leave_page(game: Game, *people: Person) -> None:
    """Let people be at a game's page for the last time three minutes ago."""
    before = timezone.now() - LONG_AGO
    for person in people:
        Sighting.objects.filter(game=game, player=person.player).update(seen=before)
        Holder.objects.filter(seat__game=game, player=person.player).update(joined=before)
        Move.objects.filter(game=game, player=person.player).update(played=before)
        Game.objects.filter(pk=game.pk, created_by=person.player).update(created=before)
    # Among them who has just been noted.
    clear_all()
