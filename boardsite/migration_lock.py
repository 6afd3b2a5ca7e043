"""A lock around the migrations, so that only one of several starting processes migrates.

PostgreSQL has advisory locks, which end with their connection. SQLite's database is on this
machine, so a locked file beside it does the same."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

KEY = 0x626F617264
"""The advisory lock of the site's migrations; any number that no other program here uses."""


@contextmanager
def migration_lock() -> Iterator[None]:
    """Wait until no other process migrates the database, and exclude others from the block."""
    held = _advisory_lock() if connection.vendor == "postgresql" else _file_lock()
    with held:
        yield


@contextmanager
def _advisory_lock() -> Iterator[None]:
    # A connection of its own: the migrations may close theirs, and the lock would end with it.
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [KEY])
            yield
            cursor.execute("SELECT pg_advisory_unlock(%s)", [KEY])
    finally:
        own.close()


@contextmanager
def _file_lock() -> Iterator[None]:
    database = Path(connection.settings_dict["NAME"])
    with database.with_name(f"{database.name}.migrating").open("ab") as file:
        # Closing the file ends the lock, and so does the death of the process.
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
