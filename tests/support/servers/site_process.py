"""The real site in a process of its own: `manage.py serve` on a free port, with its own data.

The database is an SQLite file in the data folder. Where DATABASE_URL names a PostgreSQL server,
it is a database there, one for each data folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[3]
DATABASE = "boardsite.sqlite3"
FRESH = "fresh.sqlite3"
"""The database of a site as its migrations leave it, beside its static files."""
START_TIMEOUT = 180.0
"""Seconds that a start may take: the first one in a data folder compresses all static files."""


class Site:
    """A process of the site on the data folder ``data``.

    ``arguments`` go to ``manage.py serve``, ``added`` to the environment variables.
    """

    def __init__(self, data: Path, *arguments: str, **added: str) -> None:
        self._arguments = arguments
        self._environment = environment(data, **added)
        self._log = data / f"serve-{id(self)}.log"
        self._port = 0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        """Start the process and return its address, the same one at every start.

        Raises RuntimeError with the process's output when it does not start.
        """
        command = [sys.executable, "manage.py", "serve", "--port", str(self._port)]
        command += self._arguments
        with self._log.open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdout=output, stderr=output
            )
        address = _wait_for_address(self.process, self._log)
        self._port = urlsplit(address).port or 80
        return address

    @staticmethod
    def start_together(sites: Sequence[Site]) -> list[str]:
        """Start several processes at the same time and return their addresses."""
        with ThreadPoolExecutor(len(sites)) as threads:
            return list(threads.map(Site.start, sites))

    def log(self) -> str:
        """Return the output of the process so far."""
        return self._log.read_text()

    def stop(self, signal_number: int = signal.SIGTERM) -> None:
        """Send the process a signal and wait until it has ended."""
        if self.process is not None:
            self.process.send_signal(signal_number)
            self.process.wait(timeout=START_TIMEOUT)


def share_static(data: Path, source: Path) -> None:
    """Link the static files of the data folder ``source`` into ``data``, to save collecting them,
    and copy its fresh database, to save migrating one.

    The bundles are linked too: new ones would have a later date, so that all files would be
    collected again.
    """
    for name in ("static", "bundles"):
        (data / name).symlink_to(source / name)
    use_fresh_database(data)


def use_fresh_database(data: Path) -> None:
    """Copy the database of `keep_fresh_database` into a data folder, if there is one."""
    if (fresh := _shared(data) / FRESH).exists():
        shutil.copy(fresh, data / DATABASE)


def keep_fresh_database(data: Path) -> None:
    """Copy the database of a site that has just started beside its static files."""
    fresh = _shared(data) / FRESH
    if (data / DATABASE).exists() and not fresh.exists():
        with closing(sqlite3.connect(data / DATABASE)) as raw:
            raw.execute("VACUUM INTO ?", [str(fresh)])


def _shared(data: Path) -> Path:
    """Return the data folder whose static files those of another may be links to."""
    return (data / "static").resolve().parent


def children(parent: int) -> set[int]:
    """Return the processes that a process has started."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.add(int(stat.parent.name))
    return found


@contextmanager
def serve(data: Path, **added: str) -> Iterator[str]:
    """Run a `Site` and yield its address."""
    site = Site(data, **added)
    try:
        yield site.start()
    finally:
        site.stop()


def environment(data: Path, **added: str) -> dict[str, str]:
    """Return the environment variables of a process of the site on ``data``."""
    own = {"BOARDSITE_DATA": str(data), "DJANGO_SETTINGS_MODULE": "boardsite.settings"}
    own["DATABASE_URL"] = database_url(data)
    return os.environ | own | added


def database_url(data: Path) -> str:
    """Return the database URL of the site on ``data``, and create a PostgreSQL database."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        return f"sqlite:///{data / DATABASE}"
    import psycopg

    name = "site_" + hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]
    with psycopg.connect(url, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if not known.fetchone():
            connection.execute(f"CREATE DATABASE {name}")
    return urlsplit(url)._replace(path=f"/{name}").geturl()


def query_database(data: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Run SQL in the database of the site on ``data``; ``?`` stands for each value."""
    url = database_url(data)
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(data / DATABASE, timeout=20)) as raw, raw:
            return raw.execute(sql, values).fetchall()
    import psycopg

    with psycopg.connect(url) as connection:
        cursor = connection.execute(sql.replace("?", "%s"), values)
        return cursor.fetchall() if cursor.description else []


def _wait_for_address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + START_TIMEOUT
    while process.poll() is None and time.monotonic() < deadline:
        found = re.search(r"http://\S+", log.read_text())
        if found and _accepts_connections(found.group()):
            return found.group()
        time.sleep(0.05)
    raise RuntimeError(f"the site did not start:\n{log.read_text()}")


def _accepts_connections(address: str) -> bool:
    parts = urlsplit(address)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 80), timeout=1).close()
    except OSError:
        return False
    return True
