"""Statistics for staff: the games of the last days, read by an index over a bounded period."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.utils import timezone

from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Player

DAYS = 14
COUNTED = 30_000
"""The number of newest games that are counted at most."""


class Counts(NamedTuple):
    games: int = 0
    finished: int = 0
    computers: int = 0

    def plus(self, other: Counts) -> Counts:
        return Counts(*map(sum, zip(self, other, strict=True)))


class Day(NamedTuple):
    """A day, its games in total and by kind, and its new players."""

    date: datetime
    total: Counts
    kinds: list[Counts]
    players: int


class Statistics(NamedTuple):
    """The last days, the newest first; ``since`` is when the counting began."""

    kinds: list[str]
    days: list[Day]
    since: datetime | None


def read_statistics() -> Statistics:
    """Count the games of the last days, or only the newest games if there are too many."""
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    first, since = today - timedelta(days=DAYS - 1), _limit()
    if since and since <= first:
        since = None
    slugs = list(all_rules())
    days = []
    for number in range(DAYS):
        begins = today - timedelta(days=number)
        ends = begins + timedelta(days=1)
        days.append(_day(max(begins, since) if since else begins, ends, slugs, begins))
        if since and since >= begins:
            break
    return Statistics([translate(all_rules()[slug].name) for slug in slugs], days, since)


def _limit() -> datetime | None:
    """Return when the oldest counted game was created, if there are more games than are counted."""
    times = Game.objects.order_by("-created", "-id").values_list("created", flat=True)
    return next(iter(times[COUNTED : COUNTED + 1]), None)


def _day(begins: datetime, ends: datetime, slugs: list[str], date: datetime) -> Day:
    made: dict[str, Any] = {"created__gte": begins, "created__lt": ends}
    counted = (
        Game.objects.filter(**made)
        .order_by()
        .values("kind")
        .annotate(
            games=Count("pk"),
            finished=Count("pk", filter=Q(status=Game.Status.OVER)),
            computers=Count("pk", filter=Q(only_computers=True)),
        )
        .values_list("kind", *Counts._fields)
    )
    kinds = {kind: Counts(*counts) for kind, *counts in counted}
    total = Counts()
    for counts in kinds.values():
        total = total.plus(counts)
    players = Player.objects.filter(**made).count()
    return Day(date, total, [kinds.get(slug, Counts()) for slug in slugs], players)
