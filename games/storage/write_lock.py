"""One writer at a time: every change of a game happens inside `write_transaction`.

SQLite has one writer whatever one does, but lets the others wait by asking again after ever longer
sleeps: some wait twenty times as long as their turn would take. Behind a lock of ours, which wakes
the next at once, the slowest of many writers waits a few turns.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import IO

from django.db import OperationalError, connection, transaction

from games.storage.group_commit import WriteAheadLog, sync

_in_this_process = Lock()


@contextmanager
def write_transaction() -> Iterator[None]:
    """A transaction that is committed as a whole or not at all. Inside another one, whoever
    began that, it is a part of it."""
    with ExitStack() as turn:
        alone = connection.vendor == "sqlite" and not connection.in_atomic_block
        if alone:
            turn.enter_context(_turn_to_write())
        with transaction.atomic():
            # The first of what is done after the commit: the next writer need not wait for the
            # rest of it, which makes sure that it is kept and tells others what has changed.
            transaction.on_commit(turn.close)
            if alone and not connection.is_in_memory_db():
                database_log = _log(connection.settings_dict["NAME"])
                transaction.on_commit(lambda: sync(database_log))
            yield


@cache
def _log(database: str | Path) -> WriteAheadLog:
    return WriteAheadLog(Path(database))


@contextmanager
def _turn_to_write() -> Iterator[None]:
    """Wait for all other writers, of this process and of others."""
    with _in_this_process:
        if connection.is_in_memory_db():
            yield
            return
        # Opened anew each time: processes that were forked share what was open before, and with
        # it the lock. Closing gives it back, and so does a process that dies.
        with _lock_file() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _lock_file() -> IO[bytes]:
    """The file whose lock is the turn. Raises OperationalError where none can be made: then the
    database cannot be written either."""
    path = Path(connection.settings_dict["NAME"])
    try:
        return path.with_name(f"{path.name}.writer").open("ab")
    except OSError as error:
        raise OperationalError(f"{error.filename}: {error.strerror}") from error
