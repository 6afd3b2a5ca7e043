"""The heartbeat of a serving process, without which the clocks of games stop.

It comes from the serving process and not from a worker: while no process serves, nobody can move.
"""

from __future__ import annotations

import logging
import time
from threading import Thread

from django.db import DatabaseError, close_old_connections

log = logging.getLogger(__name__)


def start_heartbeat() -> None:
    """Return the downtime before this start to the clocks, and beat until the process ends."""
    Thread(target=_beat_on, name="heartbeat", daemon=True).start()


def _beat_on() -> None:
    from games.services import clocks

    pause, silence = clocks.HEARTBEAT.total_seconds(), clocks.SILENCE.total_seconds()
    before = float("-inf")
    while True:
        # By the wall clock, which goes on while a computer sleeps.
        now = time.time()
        try:
            if now - before > silence:
                clocks.return_downtime()
            clocks.beat()
            before = now
        except DatabaseError:
            # With the error, so that `OutageFilter` recognizes an outage that it has logged
            # already.
            log.warning("No heartbeat", exc_info=True)
        finally:
            close_old_connections()
        time.sleep(pause)
