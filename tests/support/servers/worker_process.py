"""A worker in a process of its own, `manage.py run_computers`, on the rows of a test."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from tests.support.servers.site_process import ROOT, environment


def share_rows(data: Path) -> str:
    """Return the database URL of the rows of the test as they are now: of a copy in ``data`` where
    the test's own database is in memory."""
    if connection.vendor != "sqlite":
        name = str(connection.settings_dict["NAME"])
        return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    connection.ensure_connection()
    with closing(sqlite3.connect(data / "boardsite.sqlite3")) as copy:
        connection.connection.backup(copy)
    return f"sqlite:///{data / 'boardsite.sqlite3'}"


def share_tables(data: Path) -> None:
    """Give the site on ``data`` the SQLite of the test, to save migrating one, which takes seconds.
    Another database is left empty. A copy would wait for the end of a test in one transaction."""
    if connection.vendor == "sqlite":
        share_rows(data)


class WorkerProcess:
    """A worker on the data folder ``data``, which is killed at the end of the block. ``added`` goes
    to its environment variables."""

    def __init__(self, data: Path, **added: str) -> None:
        command = [sys.executable, "manage.py", "run_computers", "--parent", str(os.getpid())]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment(data, BOARDSITE_SECRET=settings.SECRET_KEY, **added)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()

    def freeze(self) -> None:
        """Let the process run no further."""
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
