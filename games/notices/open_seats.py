"""Announcements of open seats to the one web hook of the site, such as that of a club's chat room.

They are sent as notices to a player are: claimed first, so that a seat has at most one message even
if the worker dies, and if it becomes free again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.models import Channel, Game, Heartbeat, Seat, WebHook
from games.notices.events import OPEN_SEATS, PATIENCE, Notice
from games.state import lists
from games.storage.write_lock import write_transaction

SITE = UUID(int=0)
"""In place of a player's id: the site, to which the web hook belongs."""
APART = timedelta(minutes=5)
"""The time between two messages."""
MESSAGES, COUNTED_FOR = 2, timedelta(days=1)
"""Messages about the games of one host or address, also of those that found their players."""
NEWS_FOR = timedelta(hours=1)
"""How long after its game was created an open seat is news: a first message after a long outage, or
to a new web hook, is not about all seats that are open."""


def site_channels() -> list[Channel]:
    """Return the web hook of the site, if it has one. It is not stored."""
    url = settings.OPEN_SEATS_HOOK
    language = settings.LANGUAGE_CODE
    return [WebHook(url=url, site=settings.SITE_ADDRESS, language=language)] if url else []


def claim_open_seats() -> Iterator[Notice]:
    """Claim and yield the games whose open seats are to be announced, the oldest first: those that
    the front page lists for strangers."""
    now = timezone.now()
    if Heartbeat.objects.filter(pk=Heartbeat.ANNOUNCED, at__gt=now - APART).exists():
        return
    for offer in reversed(lists.open_games(None) if settings.OPEN_SEATS_HOOK else []):
        if now - NEWS_FOR < offer.game.created <= now - PATIENCE and _claim(offer.game):
            host = str(offer.game.created_by or "")
            yield Notice(offer.game.pk, offer.game.kind, event=OPEN_SEATS, name=host)
            return


def _claim(game: Game) -> bool:
    """Note that the open seats of a game are announced, and return whether any of them is new, and
    its host and address have their turn."""
    seats = Seat.objects.filter(game=game, listed=True, holders=None, announced=False)
    same = Q(created_by=game.created_by_id) | Q(origin__isnull=False, origin=game.origin)
    earlier = Game.objects.filter(same, created__gt=timezone.now() - COUNTED_FOR)
    told = earlier.filter(Exists(Seat.objects.filter(game=OuterRef("pk"), announced=True)))
    if not seats.exists() or told.exclude(pk=game.pk).count() >= MESSAGES:
        return False
    with write_transaction():
        # With the game locked, nobody stores its seats as they were before.
        Game.objects.select_for_update().filter(pk=game.pk).first()
        found = list(seats.values_list("pk", flat=True))
        now, last = timezone.now(), Heartbeat.objects.select_for_update()
        if last.filter(pk=Heartbeat.ANNOUNCED, at__gt=now - APART).exists():
            return False
        if claimed := Seat.objects.filter(pk__in=found).update(announced=True) > 0:
            last.update_or_create(pk=Heartbeat.ANNOUNCED, defaults={"at": now})
        return claimed
