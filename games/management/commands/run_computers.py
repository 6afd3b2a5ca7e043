"""``manage.py run_computers``: plays for the computers; `serve` starts one, more may run."""

from __future__ import annotations

import os
import signal
import sys
import time
from argparse import ArgumentParser
from itertools import cycle
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseFault
from django.db import close_old_connections

from games.management.migrated import need_tables
from games.worker import SCHEDULES, load_computers, run_one_job

PAUSE = 0.2
"""Seconds between two looks for work; a look is a query on each of three small indexes."""
TROUBLE = 3.0
"""Seconds to wait when the database does not answer, or is not ready."""


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
        self._orders = cycle(SCHEDULES)
        self._loading = load_computers()
        ready = False
        try:
            while parent is None or os.getppid() == parent:
                if ready:
                    self._work()
                else:
                    ready = self._look_for_tables()
        except KeyboardInterrupt:
            pass

    def _look_for_tables(self) -> bool:
        """Whether there is anything to work on: the site may still be making it, or bringing it up
        to date."""
        try:
            need_tables()
        except CommandError as error:
            self._rest(str(error))
            return False
        return True

    def _work(self) -> None:
        try:
            busy = run_one_job(next(self._orders))
        except DatabaseFault as error:
            self._rest(f"The database does not answer: {error}")
            return
        if not busy and next(self._loading, None) is None:
            time.sleep(PAUSE)

    def _rest(self, why: str) -> None:
        self.stderr.write(why)
        close_old_connections()
        time.sleep(TROUBLE)


def _stop(signum: int, frame: FrameType | None) -> None:
    sys.exit(0)
