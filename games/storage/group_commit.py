"""Group commit for SQLite: one fsync makes many commits durable.

With ``synchronous=FULL`` SQLite flushes its write-ahead log at the end of every commit, while all
other writers wait. With ``NORMAL`` it skips that flush, and durability is up to the application
(https://www.sqlite.org/pragma.html#pragma_synchronous). Here the log is flushed after the commit,
before the writer's request is answered and before streams are notified, so an answered move
survives a power cut. In the few milliseconds between the commit and the flush, a reader may see a
move that a power cut then loses.

Writers that arrive during one flush share the next, so a disk that takes a millisecond for each
does not limit the number of commits. Databases call this group commit.

A thread that answers requests need not wait itself: inside `deferred_sync` the flush stays pending,
and `sync_all` is called before the answer is sent."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, local

from django.db import OperationalError

from games.core import metrics

log = logging.getLogger(__name__)

# macOS has no fdatasync, and its fsync does at least as much.
_fdatasync = getattr(os, "fdatasync", os.fsync)


class WriteAheadLog:
    """The write-ahead log of one database file."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}-wal")
        self._changed = Condition()
        self._requested = 0
        self._flushed = 0
        self._flushing = False

    def flush(self) -> None:
        """Return once this thread's commits are on the disk. Raises OperationalError."""
        with self._changed:
            self._requested += 1
            own = self._requested
            while self._flushing and self._flushed < own:
                self._changed.wait()
            if self._flushed >= own:
                return
            # Everybody who waits by now has committed before, so this flush covers them all.
            self._flushing, covered = True, self._requested
        done = False
        try:
            with metrics.timed(metrics.flushes):
                self._flush_file()
            done = True
        finally:
            with self._changed:
                self._flushing = False
                if done:
                    self._flushed = covered
                self._changed.notify_all()

    def _flush_file(self) -> None:
        # Opened each time, since SQLite makes a new file after the last connection was closed.
        try:
            file = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            # The last connection has written everything into the database and flushed it.
            return
        except OSError as error:
            raise OperationalError(f"{self._path}: {error.strerror}") from error
        try:
            _fdatasync(file)
        except OSError as error:
            raise OperationalError(f"{self._path}: {error.strerror}") from error
        finally:
            os.close(file)


class PendingSync:
    """The commits of a thread that are not flushed yet; true if there are any.

    ``callbacks`` run once they are on the disk, to notify others."""

    def __init__(self) -> None:
        self.logs: set[WriteAheadLog] = set()
        self.callbacks: list[Callable[[], None]] = []

    def __bool__(self) -> bool:
        return bool(self.logs)


_thread = local()


@contextmanager
def deferred_sync() -> Iterator[PendingSync]:
    """Make `sync` return at once in this thread; the caller passes what pends to `sync_all`."""
    pending = _thread.pending = PendingSync()
    try:
        yield pending
    finally:
        _thread.pending = None


def _pending() -> PendingSync | None:
    return getattr(_thread, "pending", None)


def sync(database_log: WriteAheadLog) -> None:
    """Make the commits of this thread durable, or defer that. Raises OperationalError."""
    pending = _pending()
    if pending is None:
        database_log.flush()
    else:
        pending.logs.add(database_log)


def on_durable(callback: Callable[[], None]) -> None:
    """Call ``callback`` once this thread's commits are durable: now, or in `sync_all`."""
    if pending := _pending():
        pending.callbacks.append(callback)
    else:
        callback()


def sync_all(batch: Sequence[PendingSync]) -> None:
    """Flush for a batch of threads, then run their callbacks. Raises OperationalError first."""
    for database_log in {log for pending in batch for log in pending.logs}:
        database_log.flush()
    for pending in batch:
        for callback in pending.callbacks:
            try:
                callback()
            except Exception:
                # The commit is durable, and subscribers that were not notified will poll.
                log.exception("A callback after a durable commit failed")
