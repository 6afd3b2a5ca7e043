"""Makes what SQLite has committed survive a power cut: one flush of its log for many commits.

With ``synchronous=FULL`` SQLite flushes its write-ahead log at the end of every commit, while all
other writers wait. With ``NORMAL`` it leaves that out, and whoever wants to be sure does it after
the commit (https://www.sqlite.org/pragma.html#pragma_synchronous): here, before whoever wrote is
answered and before streams are told of it. So an answered move is kept. Whoever else looks at the
board in the milliseconds between the commit and the flush may see what a power cut then loses.

Those who come while one flush is under way share the next, so a disk that takes a millisecond for
each is no limit to how many can write. Databases call this group commit.

A thread that answers requests need not wait itself: inside `deferred_sync` the flush is owed, and
whoever sends the answer settles it first.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, local

from django.db import OperationalError

log = logging.getLogger(__name__)

# Not on macOS; its fsync does no less.
_flush = getattr(os, "fdatasync", os.fsync)


class WriteAheadLog:
    """The write-ahead log of one database file."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}-wal")
        self._changed = Condition()
        self._asked = 0
        self._flushed = 0
        self._busy = False

    def flush(self) -> None:
        """Return when all that this thread has committed is on the disk. Raises OperationalError
        when that cannot be; then it may be lost."""
        with self._changed:
            self._asked += 1
            mine = self._asked
            while self._busy and self._flushed < mine:
                self._changed.wait()
            if self._flushed >= mine:
                return
            # What was asked for by now was committed before.
            self._busy, everything = True, self._asked
        done = False
        try:
            self._flush_file()
            done = True
        finally:
            with self._changed:
                self._busy = False
                if done:
                    self._flushed = everything
                self._changed.notify_all()

    def _flush_file(self) -> None:
        # Opened anew: SQLite makes another file when the last connection was closed.
        try:
            file = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            # Closing it has written everything into the database, and flushed that.
            return
        except OSError as error:
            raise OperationalError(f"{self._path}: {error.strerror}") from error
        try:
            _flush(file)
        except OSError as error:
            raise OperationalError(f"{self._path}: {error.strerror}") from error
        finally:
            os.close(file)


class PendingSync:
    """What a thread has committed and not flushed; true if there is any. ``acts`` are to be done
    once that is on the disk: others are told of it."""

    def __init__(self) -> None:
        self.logs: set[WriteAheadLog] = set()
        self.acts: list[Callable[[], None]] = []

    def __bool__(self) -> bool:
        return bool(self.logs)


_owed = local()


@contextmanager
def deferred_sync() -> Iterator[PendingSync]:
    """Inside, `sync` does not wait in this thread. Until the debt is settled nobody may be
    answered that it was done, and no stream may tell."""
    debt = _owed.debt = PendingSync()
    try:
        yield debt
    finally:
        _owed.debt = None


def sync(database_log: WriteAheadLog) -> None:
    """Make what this thread has committed survive a power cut. Raises OperationalError."""
    debt: PendingSync | None = getattr(_owed, "debt", None)
    if debt is None:
        database_log.flush()
    else:
        debt.logs.add(database_log)


def on_durable(act: Callable[[], None]) -> None:
    """Do something as soon as nothing is owed: at once, or after `sync_all`."""
    debt: PendingSync | None = getattr(_owed, "debt", None)
    if debt:
        debt.acts.append(act)
    else:
        act()


def sync_all(debts: Sequence[PendingSync]) -> None:
    """Flush once for all of them, then do what waits for it. Raises OperationalError: then nothing
    of that was done."""
    for database_log in {each for debt in debts for each in debt.logs}:
        database_log.flush()
    for debt in debts:
        for act in debt.acts:
            try:
                act()
            except Exception:
                # What was committed is kept, and those who were not told will look.
                log.exception("Telling of what was kept")
