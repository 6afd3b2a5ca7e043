"""Checkpoints of SQLite's write-ahead log, in a thread of their own.

SQLite copies its log into the database, and flushes both, inside the commit that has filled the log
(https://www.sqlite.org/wal.html#ckpt): one move in 150 held the write lock 7 to 18 ms longer, and
all moves behind it waited. This thread copies once a second without holding up any writer. Commits
still do so where the log has grown to 32 MB: only they can start it anew while others write.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from pathlib import Path
from threading import Thread

from django.db import connection

log = logging.getLogger(__name__)

SECONDS = 1.0
"""Between two checkpoints."""


def start_checkpoints() -> None:
    """Start the thread, if the database has such a log."""
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        # A daemon: SQLite loses nothing of a checkpoint that ends with its process.
        Thread(target=_keep_copying, args=(database,), name="checkpoints", daemon=True).start()


def _keep_copying(database: Path) -> None:
    while True:
        time.sleep(SECONDS)
        try:
            checkpoint(database)
        except sqlite3.Error as error:
            # Moves fail with the same error, and their log entries say more.
            log.debug("No checkpoint: %s", error)


def checkpoint(database: Path) -> None:
    """Copy all that is committed into the database file, as far as no reader needs the old pages.
    Raises sqlite3.Error."""
    # No timeout: another process that copies already does this one's work.
    opened = sqlite3.connect(database, timeout=0, isolation_level=None)
    try:
        opened.execute("PRAGMA wal_checkpoint(PASSIVE)")
    finally:
        opened.close()
