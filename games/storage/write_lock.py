"""The write lock, by which changes of games happen one at a time, inside `write_transaction`.

SQLite has a single writer anyway, but lets the others retry after ever longer sleeps, so that some
wait twenty times as long as their turn would take. With a lock that wakes the next writer at once,
the slowest of many waits for a few turns.

Programs that do not take this lock (a backup, a shell) may still hold SQLite's own. The first
writer waits up to `PATIENCE` for them. If it fails, the next ones wait only `IMPATIENCE` until one
has succeeded; otherwise many requests would wait one after the other for a locked database."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from threading import Event, Lock, local
from typing import IO

from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLite

from games.storage.group_commit import WriteAheadLog, sync

PATIENCE = 5.0
"""Seconds for which a writer waits for programs that do not take the site's lock."""
IMPATIENCE = 0.05
"""Seconds for which a writer waits after another writer has waited in vain."""

_process_lock = Lock()
_locked_out = Event()
"""Set if the last writer has waited in vain."""
_patience = local()
"""The connection of each thread, and the timeout that is set on it."""


@contextmanager
def write_transaction() -> Iterator[None]:
    """Run the block in a transaction, nested in the enclosing one if there is one."""
    # Looked up once: Django makes seven calls to find the connection of a thread.
    database = connections[DEFAULT_DB_ALIAS]
    if not isinstance(database, SQLite) or database.in_atomic_block:
        with transaction.atomic():
            yield
        return
    with ExitStack() as lock:
        lock.enter_context(_write_lock(database))
        _limit_patience(database)
        with _noticed():
            # Released by the first callback after the commit, so that the next writer does not wait
            # for the others, which flush the log and notify subscribers.
            database.on_commit(lock.close)
            if not database.is_in_memory_db():
                database_log = _log(database.settings_dict["NAME"])
                database.on_commit(lambda: sync(database_log))
            yield


def one_at_a_time(name: str) -> None:
    """Wait, within `write_transaction`, for all other transactions of that name: on PostgreSQL they
    run side by side."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [name])


@contextmanager
def _noticed() -> Iterator[None]:
    """Run the block in a transaction, and note whether another program kept it from that."""
    began = False
    try:
        with transaction.atomic():
            began = True
            _locked_out.clear()
            yield
    except OperationalError:
        if not began:
            _locked_out.set()
        raise


def _limit_patience(database: SQLite) -> None:
    """Set how long SQLite waits for another program: briefly after a vain wait."""
    database.ensure_connection()
    raw = database.connection
    wanted = IMPATIENCE if _locked_out.is_set() else PATIENCE
    if getattr(_patience, "set", (None, PATIENCE)) != (raw, wanted):
        raw.execute(f"PRAGMA busy_timeout = {round(wanted * 1_000)}")
        _patience.set = raw, wanted


@cache
def _log(database: str | Path) -> WriteAheadLog:
    return WriteAheadLog(Path(database))


@contextmanager
def _write_lock(database: SQLite) -> Iterator[None]:
    """Hold the lock that excludes all other writers, of this process and of others."""
    with _process_lock:
        if database.is_in_memory_db():
            yield
            return
        file = _lock_file(database.settings_dict["NAME"], os.getpid())
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


@cache
def _lock_file(database: str | Path, _process_id: int) -> IO[bytes]:
    """Open the lock file, once per process: a fork would share the lock of a shared file. The death
    of a process releases its lock. Raises OperationalError."""
    path = Path(database)
    try:
        return path.with_name(f"{path.name}.writer").open("ab")
    except OSError as error:
        raise OperationalError(f"{error.filename}: {error.strerror}") from error
