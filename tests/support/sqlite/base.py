"""Django's SQLite, for a database in memory that several threads use.

Django keeps such a connection open, because closing the last one would lose the tables. The main
thread of the tests holds one all the time; a connection that another thread has left open would be
a ResourceWarning from Python 3.13 on.

Threads share the memory by table locks, which refuse a reader at once while another thread writes.
In a file with a write-ahead log, as the site has it, readers never wait for a writer.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import current_thread, main_thread
from typing import Any

from django.core.management.color import Style
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3 import base, operations

MADE_AGAIN = {"django_content_type", "auth_permission"}
"""Tables whose hundreds of rows Django would make again after each flush."""


class DatabaseOperations(operations.DatabaseOperations):
    """Operations whose flush leaves these tables."""

    def sql_flush(self, style: Style, tables: Sequence[str], **options: Any) -> list[str]:
        """Return the statements that empty all other tables."""
        return super().sql_flush(
            style, [name for name in tables if name not in MADE_AGAIN], **options
        )


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that ends when a thread other than the main one closes it, and whose reads take
    no table locks."""

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
