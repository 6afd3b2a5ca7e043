"""The people of a game not seen at its page for a while.

`games.services.absences.attendance` stores the sightings.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from games.models import Holder, Sighting
from games.state.snapshot import GameSnapshot

AWAY_AFTER = timedelta(minutes=1)


def away_people(snapshot: GameSnapshot) -> set[UUID]:
    """Return the host and the holders of seats not seen for a minute. Nobody is away
    in the minute after taking a seat or opening the lobby."""
    game, recently = snapshot.game, timezone.now() - AWAY_AFTER
    people = set(people_of(snapshot))
    seen = Sighting.objects.filter(game=game.pk, seen__gt=recently)
    joined = Holder.objects.filter(seat__game=game.pk, joined__gt=recently)
    people -= set(seen.values_list("player", flat=True))
    people -= set(joined.values_list("player", flat=True))
    return people - {game.created_by_id} if game.created > recently else people


def people_of(snapshot: GameSnapshot) -> Iterable[UUID]:
    """Return the host, if there still is one, and the holders of seats, suspended or not."""
    host = snapshot.game.created_by_id
    held = [player for place in snapshot.seating.places.values() for player in place.players]
    return dict.fromkeys([host, *held] if host else held)
