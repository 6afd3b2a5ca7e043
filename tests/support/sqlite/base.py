"""Django's SQLite, whose connections to a database in memory can be closed by threads.

Django keeps such a connection open, because closing the last one would lose the tables. The main
thread of the tests holds one all the time; a connection that another thread has left open would be
a ResourceWarning from Python 3.13 on.
"""

from __future__ import annotations

from threading import current_thread, main_thread

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that ends when a thread other than the main one closes it."""

    def close(self) -> None:
        if current_thread() is main_thread():
            super().close()
        else:
            BaseDatabaseWrapper.close(self)
