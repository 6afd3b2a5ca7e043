"""``manage.py serve_worker``: one more process on the port of `serve`, which starts it."""

from __future__ import annotations

import socket
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand

from boardsite.server.uvicorn_server import run


class Command(BaseCommand):
    """Serve on sockets that another process has opened."""

    help = "Answer on the sockets of `serve --processes`, which starts this command."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What was inherited, and whom not to outlive."""
        parser.add_argument(
            "--sockets", type=int, nargs="+", required=True, help="numbers of the open files"
        )
        parser.add_argument("--parent", type=int, required=True, help="stop when it is gone")

    def handle(self, *args: Any, parent: int, **options: Any) -> None:
        """Serve until interrupted, or until the parent process is gone."""
        with suppress(KeyboardInterrupt):
            run([socket.socket(fileno=file) for file in options["sockets"]], parent=parent)
