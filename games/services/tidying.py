"""Removal of rows that nobody needs any longer, after the number of days in the settings, in small
batches, so that no move waits long for the write lock. An interrupted run is continued."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import (
    Evaluation,
    Game,
    GameImport,
    Heartbeat,
    NoticeKind,
    Outgoing,
    Player,
    PositionValues,
    SchoolClass,
    Sighting,
)
from games.services.clocks import daily
from games.storage.compiled_queries import keys_in_portions
from games.storage.write_lock import write_transaction

AT_ONCE = 20
"""Rows of a batch. A game may have hundreds of moves, which are deleted with it."""
LOOKED_UP = 2_000
"""Keys that are read at once, enough for many batches."""

Rows = QuerySet[Any]


@dataclass(frozen=True)
class Rule:
    """A rule for ``rows`` before a time, by its name in settings.KEEP_DAYS."""

    name: str
    rows: Callable[[datetime], Rows]

    @property
    def days(self) -> int:
        """Days for which rows are kept; 0: for ever."""
        days: int = settings.KEEP_DAYS[self.name]
        return days

    def find(self) -> Rows:
        if not self.days:
            return self.rows(timezone.now()).none()
        return self.rows(timezone.now() - timedelta(days=self.days))

    def remove(self) -> Iterator[int]:
        """Remove the rows, and yield the size of each batch after its transaction."""
        for keys in keys_in_portions(self.find(), LOOKED_UP):
            for start in range(0, len(keys), AT_ONCE):
                with write_transaction():
                    # A row that no longer matches is not removed.
                    batch = self.find().filter(pk__in=keys[start : start + AT_ONCE])
                    found = list(batch.values_list("pk", flat=True))
                    batch.model._default_manager.filter(pk__in=found).delete()
                yield len(found)


def _players_without_games(before: datetime) -> Rows:
    needed = Q()
    for relation in Player._meta.related_objects:
        if _has_index(relation.field):
            mine = {relation.field.name: OuterRef("pk")}
            needed |= Q(Exists(relation.field.model._default_manager.filter(**mine)))
    return Player.objects.filter(created__lt=before).exclude(needed)


def _has_index(field: Any) -> bool:
    """Return whether a foreign key has an index, so that a look-up reads no whole table."""
    indexes = field.model._meta.indexes
    return field.db_index or any(index.fields[:1] == [field.name] for index in indexes)


def _games(before: datetime, **states: Any) -> Rows:
    return Game.objects.filter(updated__lt=before, **states)


RULES = (
    Rule("games without a move", partial(_games, ply=0, status=Game.Status.RUNNING)),
    Rule("running games", partial(_games, status=Game.Status.RUNNING)),
    Rule("finished games", partial(_games, status=Game.Status.OVER)),
    Rule("evaluations", lambda before: Evaluation.objects.filter(asked__lt=before)),
    Rule("analyses", lambda before: PositionValues.objects.filter(seen__lt=before)),
    Rule("sightings", lambda before: Sighting.objects.filter(seen__lt=before)),
    Rule("unused classes", lambda before: SchoolClass.objects.filter(reported__lt=before)),
    Rule("classes", lambda before: SchoolClass.objects.filter(created__lt=before)),
    Rule("imports", lambda before: GameImport.objects.filter(created__lt=before)),
    # This rule comes after those for games, since players may have lost their last game.
    Rule("players without games", _players_without_games),
    Rule("expired sessions", lambda before: Session.objects.filter(expire_date__lt=before)),
    # Without the letters of turns, their players would get others.
    Rule(
        "sent notices",
        lambda before: Outgoing.objects.filter(created__lt=before).exclude(kind=NoticeKind.TURN),
    ),
)


def tidy_daily() -> Iterator[bool]:
    """Remove rows once a day: yield True after each batch, and False while nothing is due."""
    return daily(Heartbeat.TIDYING, lambda: chain.from_iterable(rule.remove() for rule in RULES))
