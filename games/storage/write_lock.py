"""The write lock: every change of a game happens inside `write_transaction`, one at a time.

SQLite has a single writer anyway, but makes the others wait by retrying after ever longer sleeps:
some wait twenty times as long as their turn would take. Behind a lock that wakes the next writer
at once, the slowest of many waits for a few turns.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import IO, cast

from django.db import OperationalError, connection, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLite

from games.storage.group_commit import WriteAheadLog, sync

_process_lock = Lock()


@contextmanager
def write_transaction() -> Iterator[None]:
    """Run the block in a transaction, which is a part of the enclosing one if there is one."""
    with ExitStack() as lock:
        outermost = connection.vendor == "sqlite" and not connection.in_atomic_block
        if outermost:
            lock.enter_context(_write_lock())
        with transaction.atomic():
            # The first callback after the commit: the next writer need not wait for the others,
            # which flush the log and notify subscribers.
            transaction.on_commit(lock.close)
            if outermost and not _is_in_memory():
                database_log = _log(connection.settings_dict["NAME"])
                transaction.on_commit(lambda: sync(database_log))
            yield


def _is_in_memory() -> bool:
    return cast(SQLite, connection).is_in_memory_db()


@cache
def _log(database: str | Path) -> WriteAheadLog:
    return WriteAheadLog(Path(database))


@contextmanager
def _write_lock() -> Iterator[None]:
    """Hold the lock that excludes all other writers, of this process and of others."""
    with _process_lock:
        if _is_in_memory():
            yield
            return
        file = _lock_file(connection.settings_dict["NAME"], os.getpid())
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


@cache
def _lock_file(database: str | Path, _process_id: int) -> IO[bytes]:
    """Open the lock file, once a process: a forked process that shared the open file of its parent
    would share the lock with it. The death of a process releases its lock.

    Raises OperationalError where it cannot be created: then the database cannot be written
    either."""
    path = Path(database)
    try:
        return path.with_name(f"{path.name}.writer").open("ab")
    except OSError as error:
        raise OperationalError(f"{error.filename}: {error.strerror}") from error
