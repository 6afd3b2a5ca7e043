"""Django's SQLite, for a database in memory that several threads use.

Django keeps such a connection open, because closing the last one would lose the tables. The main
thread of the tests holds one all the time; a connection that another thread has left open would be
a ResourceWarning from Python 3.13 on.

Threads share the memory by table locks, which refuse a reader at once while another thread writes.
In a file with a write-ahead log, as the site has it, readers never wait for a writer.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import django
from django.core.management.color import Style
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3 import base, creation, operations

from games import migrations

MADE_AGAIN = {"django_content_type", "auth_permission"}
"""Tables whose hundreds of rows Django would make again after each flush."""


class DatabaseOperations(operations.DatabaseOperations):
    """Operations whose flush leaves these tables."""

    def sql_flush(self, style: Style, tables: Sequence[str], **options: Any) -> list[str]:
        """Return the statements that empty all other tables."""
        return super().sql_flush(
            style, [name for name in tables if name not in MADE_AGAIN], **options
        )


def migrated() -> Path:
    """Return the file of a database after all migrations, named by their texts."""
    (folder,) = migrations.__path__
    texts = b"".join(path.read_bytes() for path in sorted(Path(folder).glob("*.py")))
    digest = sha256(django.__version__.encode() + texts).hexdigest()[:12]
    return Path(os.environ["NUMBA_CACHE_DIR"]) / f"migrated-{digest}.sqlite3"


class DatabaseCreation(creation.DatabaseCreation):
    """Copies the tables that an earlier process has migrated, which takes seconds."""

    def create_test_db(self, *args: Any, **options: Any) -> str:
        known, name = migrated(), self._get_test_db_name()
        with closing(sqlite3.connect(name, uri=True)) as memory:
            if known.exists():
                with closing(sqlite3.connect(known)) as file:
                    file.backup(memory)
            super().create_test_db(*args, **options)
            if not known.exists():
                made = known.with_suffix(f".{os.getpid()}")
                made.parent.mkdir(parents=True, exist_ok=True)
                with closing(sqlite3.connect(made)) as file:
                    memory.backup(file)
                made.replace(known)
        return name


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that ends when a thread other than the main one closes it, and whose reads take
    no table locks."""

    creation_class = DatabaseCreation
    ops_class = DatabaseOperations

    def init_connection_state(self) -> None:
        super().init_connection_state()
        with self.cursor() as cursor:
            cursor.execute("PRAGMA read_uncommitted = 1")

    def close(self) -> None:
        if current_thread() is main_thread():
            super().close()
        else:
            BaseDatabaseWrapper.close(self)
