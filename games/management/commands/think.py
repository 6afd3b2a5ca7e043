"""``manage.py think``: plays for the computers. `serve` starts one; more may run anywhere."""

from __future__ import annotations

import os
import signal
import sys
import time
from argparse import ArgumentParser
from itertools import cycle
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand
from django.db import Error as DatabaseFault
from django.db import close_old_connections

from games.thinking import ORDERS, load_computers, think_once

PAUSE = 0.2
"""Seconds between two looks for work; a look is a query on each of three small indexes."""
TROUBLE = 3.0
"""Seconds to wait when the database does not answer."""


class Command(BaseCommand):
    """Look for work, think, play; for ever."""

    help = "Play for the computers and work on analyses, until stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whom not to outlive."""
        parser.add_argument("--parent", type=int, help="stop when this parent process is gone")

    def handle(self, *args: Any, parent: int | None, **options: Any) -> None:
        """Work until SIGTERM or SIGINT, which break a thought off: whoever thinks next begins it
        again. Killed in mid-thought, nothing is lost either, but that it waits for the lease."""
        signal.signal(signal.SIGTERM, _stop)
        self._orders = cycle(ORDERS)
        self._loading = load_computers()
        try:
            while parent is None or os.getppid() == parent:
                self._work()
        except KeyboardInterrupt:
            pass

    def _work(self) -> None:
        try:
            busy = think_once(next(self._orders))
        except DatabaseFault as error:
            self.stderr.write(f"The database does not answer: {error}")
            close_old_connections()
            time.sleep(TROUBLE)
            return
        if not busy and next(self._loading, None) is None:
            time.sleep(PAUSE)


def _stop(signum: int, frame: FrameType | None) -> None:
    sys.exit(0)
