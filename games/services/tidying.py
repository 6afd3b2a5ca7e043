"""Removal of rows that nobody needs any longer, after the number of days in the settings.

Rows are deleted in small batches, each in a transaction of its own, so that no move waits long for
the write lock. An interrupted run has done part of its work, and the next one continues."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import (
    Evaluation,
    Game,
    GameImport,
    NoticeKind,
    Outgoing,
    Player,
    PositionValues,
    Sighting,
)
from games.storage.write_lock import write_transaction

DAY = 24 * 3600
"""Seconds between two runs of `tidy_daily`."""
AT_ONCE = 20
"""Rows of a batch. A game may have hundreds of moves, which are deleted with it."""
LOOKED_UP = 2_000
"""Keys that are read at once, enough for many batches."""

Rows = QuerySet[Any]


@dataclass(frozen=True)
class Rule:
    """A rule for rows to remove. ``name`` is its key in settings.KEEP_DAYS; ``rows`` returns the
    rows older than a given time."""

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
        last: Any = None
        while keys := self._keys_after(last):
            last = keys[-1]
            for start in range(0, len(keys), AT_ONCE):
                with write_transaction():
                    # A row that no longer matches is not removed.
                    batch = self.find().filter(pk__in=keys[start : start + AT_ONCE])
                    found = list(batch.values_list("pk", flat=True))
                    batch.model._default_manager.filter(pk__in=found).delete()
                yield len(found)

    def _keys_after(self, last: Any) -> list[Any]:
        rows = self.find().order_by("pk")
        if last is not None:
            rows = rows.filter(pk__gt=last)
        return list(rows.values_list("pk", flat=True)[:LOOKED_UP])


def _games_without_moves(before: datetime) -> Rows:
    return Game.objects.filter(updated__lt=before, ply=0, status=Game.Status.RUNNING)


def _abandoned_games(before: datetime) -> Rows:
    return Game.objects.filter(updated__lt=before, status=Game.Status.RUNNING)


def _finished_games(before: datetime) -> Rows:
    return Game.objects.filter(updated__lt=before, status=Game.Status.OVER)


def _old_requests(before: datetime) -> Rows:
    return Evaluation.objects.filter(asked__lt=before)


def _unseen_values(before: datetime) -> Rows:
    return PositionValues.objects.filter(seen__lt=before)


def _sent_notices(before: datetime) -> Rows:
    # Without those of turns, their players would get others.
    return Outgoing.objects.filter(created__lt=before).exclude(kind=NoticeKind.TURN)


def _old_sightings(before: datetime) -> Rows:
    return Sighting.objects.filter(seen__lt=before)


def _old_imports(before: datetime) -> Rows:
    return GameImport.objects.filter(created__lt=before)


def _players_without_games(before: datetime) -> Rows:
    """Return players to whom no other row refers, such as a seat, a game or an account."""
    needed = Q()
    for relation in Player._meta.related_objects:
        if _has_index(relation.field):
            mine = {relation.field.name: OuterRef("pk")}
            needed |= Q(Exists(relation.field.model._default_manager.filter(**mine)))
    return Player.objects.filter(created__lt=before).exclude(needed)


def _has_index(field: Any) -> bool:
    """Return whether a foreign key has an index, so that looking up rows by it does not read a
    whole table."""
    indexes = field.model._meta.indexes
    return field.db_index or any(index.fields[:1] == [field.name] for index in indexes)


def _expired_sessions(before: datetime) -> Rows:
    return Session.objects.filter(expire_date__lt=before)


RULES = (
    Rule("games without a move", _games_without_moves),
    Rule("running games", _abandoned_games),
    Rule("finished games", _finished_games),
    Rule("evaluations", _old_requests),
    Rule("analyses", _unseen_values),
    Rule("sightings", _old_sightings),
    Rule("imports", _old_imports),
    # This rule comes after those for games, since players may have lost their last game.
    Rule("players without games", _players_without_games),
    Rule("expired sessions", _expired_sessions),
    Rule("sent notices", _sent_notices),
)


def tidy_daily() -> Iterator[bool]:
    """Remove rows once a day: yield True after each batch, and False while nothing is due. The
    processes of a machine share the time of the last run in a file in the data folder."""
    while True:
        if _is_due():
            for rule in RULES:
                for _ in rule.remove():
                    yield True
        yield False


def _is_due() -> bool:
    """Return whether the last run was a day ago, and if so note a new run."""
    stamp = settings.DATA_DIR / "tidied"
    try:
        if stamp.exists() and time.time() - stamp.stat().st_mtime < DAY:
            return False
        stamp.touch()
    except OSError:
        # On a full disk, for instance: without the file, every call would begin a new run.
        return False
    return True
