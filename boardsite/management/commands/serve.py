"""``manage.py serve``: the whole site in one command, as `make play` starts it."""

from __future__ import annotations

import os
import signal
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from boardsite.server.listeners import open_port
from boardsite.server.processes import ChildProcess, keep_running
from boardsite.server.uvicorn_server import run
from games.management.commands.compilemessages import find


class Command(BaseCommand):
    """Compile the translations, migrate, collect the static files, and serve on one port."""

    help = "Serve the site: brings everything up to date and runs the web server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--thinkers", type=int, default=1, help="processes that play for computers"
        )
        parser.add_argument(
            "--processes", type=int, default=1, help="processes that answer, this one included"
        )

    def handle(
        self, *args: Any, host: str, port: int, thinkers: int, processes: int, **options: Any
    ) -> None:
        """Serve until interrupted."""
        listeners = open_port(host, port)
        _compile_translations()
        call_command("migrate", verbosity=0, interactive=False)
        try:
            _collect_static()
        except OSError as error:
            raise CommandError(f"The static files cannot be collected: {error}") from error
        port = listeners[0].getsockname()[1]
        self.stdout.write(f"The site is at http://{host}:{port} (Ctrl-C stops it)")
        self.stdout.flush()
        others = _others(listeners, thinkers, processes - 1)
        with suppress(KeyboardInterrupt), keep_running(others):
            # The server raises it once more when it has ended: dying of it would leave the others
            # behind, one of them in mid-thought.
            signal.signal(signal.SIGTERM, _stop)
            run(listeners)


def _stop(signum: int, frame: FrameType | None) -> None:
    sys.exit(0)


def _others(listeners: Sequence[socket.socket], thinkers: int, more: int) -> list[ChildProcess]:
    """What runs beside this process. Only those that answer have the sockets: while another one
    had them, a site that has ended would still take connections, to answer none of them."""
    files = [listener.fileno() for listener in listeners]
    serve_worker = ChildProcess(["serve_worker", "--sockets", *map(str, files)], files=files)
    return [ChildProcess(["run_computers"])] * thinkers + [serve_worker] * more


def _compile_translations() -> None:
    """Compile the translations, unless they were when the site was installed: their folders may be
    closed to it now. Raises CommandError when they are wanting."""
    try:
        call_command("compilemessages", verbosity=0)
    except OSError as error:
        sources = [path for folder in settings.LOCALE_PATHS for path in find(Path(folder))]
        if not all(path.with_suffix(".mo").exists() for path in sources):
            raise CommandError(
                f"The translations cannot be compiled ({error}): install the site again with "
                "scripts/venv, as somebody who may write there."
            ) from error


def _collect_static() -> None:
    """Collect the static files and compress them, unless none has changed since: it takes
    seconds."""
    files = [
        (name, os.stat(storage.path(name)).st_mtime_ns)
        for finder in get_finders()
        for name, storage in finder.list([])
    ]
    stamp, state = Path(settings.STATIC_ROOT) / ".collected", repr(sorted(files))
    if stamp.exists() and stamp.read_text() == state:
        return
    call_command("collectstatic", verbosity=0, interactive=False)
    stamp.write_text(state)
