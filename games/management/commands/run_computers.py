"""``manage.py run_computers``: a worker for computer players. `serve` starts one; more may run."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from argparse import ArgumentParser
from itertools import cycle
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseError
from django.db import close_old_connections

from games.exchange.imports import keep_in_portions
from games.management.checks import require_current_tables
from games.services.tidying import tidy_daily
from games.services.verification import store_outcomes, verify_daily
from games.worker.day_words import make_day_words
from games.worker.jobs import SCHEDULES, load_computers, run_one_job
from games.worker.leases import release_leases_of_the_dead
from games.worker.outbox import Outbox

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.2
"""Seconds between two searches for a job, each a few queries on small indexes."""
RETRY_SECONDS = 3.0
"""Seconds before another attempt if the database does not answer, or is not migrated yet."""
WORDS_AFTER = 30.0
"""Seconds for which a new worker leaves the processor to the first pages and moves."""


class Command(BaseCommand):
    """Runs jobs for ever: turns of computer players, analyses, and notices."""

    help = "Play for the computer players and evaluate positions, until stopped."
    # `serve` has checked the project: a worker that follows a killed one begins sooner.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--parent", type=int, help="stop when this process is gone")

    def handle(self, *args: Any, parent: int | None, **options: Any) -> None:
        """Run jobs until SIGTERM or SIGINT. The lease of an interrupted job is released, so that
        another worker can take it; after SIGKILL the next worker releases it, or it expires."""
        if parent is None:
            self.check()
        self._stopping = False
        handler = signal.signal(signal.SIGTERM, self._stop)
        self._schedules = cycle(SCHEDULES)
        self._loading, self._tidying = load_computers(), tidy_daily()
        self._verifying, self._importing = verify_daily(), keep_in_portions()
        self._words = make_day_words(after=WORDS_AFTER)
        self._outbox = Outbox()
        self._reason = ""
        ready = False
        try:
            while not self._stopping and (parent is None or os.getppid() == parent):
                if ready:
                    self._run_job()
                else:
                    ready = self._has_tables()
        except KeyboardInterrupt:
            pass
        finally:
            self._outbox.close()
            signal.signal(signal.SIGTERM, handler)

    def _has_tables(self) -> bool:
        """Return whether the tables are up to date: the site may still be migrating them."""
        try:
            require_current_tables()
        except CommandError as error:
            if str(error) != self._reason:
                self._reason = str(error)
                self.stderr.write(self._reason)
            self._wait()
            return False
        release_leases_of_the_dead()
        return True

    def _run_job(self) -> None:
        try:
            sent = self._outbox.work()
            busy = run_one_job(next(self._schedules)) or sent
            busy = next(self._importing) or busy
        except DatabaseError as error:
            logger.error("The database does not answer: %s", error, exc_info=error)
            self._importing = keep_in_portions()
            self._wait()
            return
        if not busy and not self._prepare_or_tidy():
            time.sleep(POLL_SECONDS)

    def _prepare_or_tidy(self) -> bool:
        """Do a step of the work that can wait; return False if there is none."""
        if next(self._loading, None) is not None:
            return True
        try:
            done = store_outcomes() or next(self._tidying) or next(self._verifying)
            return done or next(self._words)
        except DatabaseError as error:
            # The remaining rows are removed, and the remaining games verified, tomorrow.
            logger.error("The work of the day is not done: %s", error)
            self._tidying, self._verifying = tidy_daily(), verify_daily()
            self._words = make_day_words(after=WORDS_AFTER)
            return False

    def _wait(self) -> None:
        close_old_connections()
        time.sleep(RETRY_SECONDS)

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        """Interrupt the job; one of compiled code, which swallows exceptions, ends first."""
        self._stopping = True
        sys.exit(0)
