"""Checkpoints copy the write-ahead log into the database while the site writes."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from games.storage.checkpoints import checkpoint


def rows_without_log(database: Path) -> int:
    """Return how many rows a copy of the database file alone has."""
    alone = shutil.copy(database, database.with_name("alone.sqlite3"))
    with sqlite3.connect(alone) as opened:
        (count,) = opened.execute("SELECT count(*) FROM numbers").fetchone()
    opened.close()
    return int(count)


def test_a_checkpoint_copies_commits_while_a_writer_is_connected(tmp_path: Path) -> None:
    database = tmp_path / "site.sqlite3"
    writer = sqlite3.connect(database, isolation_level=None)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("CREATE TABLE numbers (n)")
    checkpoint(database)
    writer.execute("INSERT INTO numbers VALUES (1)")
    assert rows_without_log(database) == 0
    writer.execute("BEGIN IMMEDIATE")
    checkpoint(database)
    assert rows_without_log(database) == 1
    writer.close()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only for SQLite's log")
def test_commits_leave_checkpoints_to_their_thread() -> None:
    pragma = "PRAGMA wal_autocheckpoint="
    commands = settings.DATABASES["default"]["OPTIONS"]["init_command"]
    assert int(commands.split(pragma)[1].split(";")[0]) > 1_000
