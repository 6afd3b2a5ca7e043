"""``manage.py serve_worker``: another process on the port of `serve`, which starts it."""

from __future__ import annotations

import socket
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand

from boardsite.server.uvicorn_server import run


class Command(BaseCommand):
    """Serves on listeners that the parent process has opened."""

    help = "Serve on the listeners of `serve --processes`, which starts this command."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--sockets", type=int, nargs="+", required=True, help="descriptors of the listeners"
        )
        parser.add_argument("--parent", type=int, required=True, help="stop once it is gone")

    def handle(self, *args: Any, parent: int, **options: Any) -> None:
        with suppress(KeyboardInterrupt):
            run([socket.socket(fileno=file) for file in options["sockets"]], parent=parent)
