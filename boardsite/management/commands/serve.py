"""``manage.py serve``: the whole site in one command, which `make play` runs."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from boardsite.server.processes import ChildProcess, keep_running
from boardsite.server.uvicorn_server import open_port, run
from games.core import metrics
from games.management.commands.compilemessages import find_sources
from games.services.clocks import return_downtime


class Command(BaseCommand):
    """Compiles translations, migrates, collects static files, and serves on one port."""

    help = "Bring translations, tables and static files up to date, and serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--computers", type=int, default=1, help="processes for computer players"
        )
        parser.add_argument(
            "--processes", type=int, default=1, help="serving processes, this one included"
        )

    def handle(
        self, *args: Any, host: str, port: int, computers: int, processes: int, **options: Any
    ) -> None:
        listeners = open_port(host, port)
        metrics.clear()
        _compile_translations()
        with migration_lock():
            call_command("migrate", verbosity=0, interactive=False, skip_checks=False)
        _collect_static()
        # Before any worker can end games whose flags seem to have fallen during the downtime.
        return_downtime()
        port = listeners[0].getsockname()[1]
        self.stdout.write(f"The site is at http://{host}:{port} (Ctrl-C stops it)")
        self.stdout.flush()
        children = _child_processes(listeners, computers, processes - 1)
        with suppress(KeyboardInterrupt), keep_running(children):
            # Uvicorn raises the signal again when it ends, which would orphan the children.
            signal.signal(signal.SIGTERM, _stop)
            run(listeners)


def _stop(signum: int, frame: FrameType | None) -> None:
    sys.exit(0)


def _child_processes(
    listeners: Sequence[socket.socket], computers: int, workers: int
) -> list[ChildProcess]:
    """Return the processes to run beside this one. Only serving processes inherit the listeners:
    another one would accept connections after the site has ended, and answer none of them."""
    files = [listener.fileno() for listener in listeners]
    serve_worker = ChildProcess(["serve_worker", "--sockets", *map(str, files)], files=files)
    return [ChildProcess(["run_computers"])] * computers + [serve_worker] * workers


def _compile_translations() -> None:
    """Compile the translations, or use those of the installation. Raises CommandError."""
    try:
        call_command("compilemessages", verbosity=0)
    except OSError as error:
        sources = [path for folder in settings.LOCALE_PATHS for path in find_sources(Path(folder))]
        if not all(path.with_suffix(".mo").exists() for path in sources):
            raise CommandError(
                f"The translations cannot be compiled ({error}): install the site again with "
                "scripts/venv, as a user who may write there."
            ) from error


def _collect_static() -> None:
    """Collect the static files if any has changed: it takes seconds. Raises CommandError."""
    files = [
        (name, os.stat(storage.path(name)).st_mtime_ns)
        for finder in get_finders()
        for name, storage in finder.list([])
    ]
    stamp, state = Path(settings.STATIC_ROOT) / ".collected", repr(sorted(files))
    if stamp.exists() and stamp.read_text() == state:
        return
    # In a separate process: otherwise the minifier's Go runtime would stay in the server.
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "collectstatic"]
    collecting = subprocess.run(  # noqa: S603  (our own)
        [*command, "--verbosity=0", "--no-input"], check=False, stderr=subprocess.PIPE, text=True
    )
    if collecting.returncode:
        *_, fault = collecting.stderr.strip().splitlines() or [""]
        raise CommandError(f"The static files cannot be collected: {fault}")
    stamp.write_text(state)


KEY = 0x626F617264
"""The advisory lock of the site's migrations; any number that no other program here uses."""


def migration_lock() -> AbstractContextManager[None]:
    """Return a context manager that waits until no other process migrates the database, and
    excludes others: PostgreSQL's advisory lock ends with its connection, and so does a locked file
    beside SQLite's database, which is on this machine, with its process."""
    return _advisory_lock() if connection.vendor == "postgresql" else _file_lock()


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
