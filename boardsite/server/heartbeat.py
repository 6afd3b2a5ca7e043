"""The signs of life of a serving process, which let the clocks of games run.

They come from the process that serves: while it is down nobody can move, whether or not a worker
runs.
"""

from __future__ import annotations

import logging
import time
from threading import Thread

from django.db import DatabaseError, close_old_connections

log = logging.getLogger(__name__)


def start_heartbeat() -> None:
    """Give the clocks back the downtime before this start, and beat until the process ends."""
    Thread(target=_beat_on, name="heartbeat", daemon=True).start()


def _beat_on() -> None:
    from games import services

    pause, silence = services.HEARTBEAT.total_seconds(), services.SILENCE.total_seconds()
    before = float("-inf")
    while True:
        # By the wall clock, which goes on while a computer sleeps.
        now = time.time()
        try:
            if now - before > silence:
                services.return_downtime()
            services.beat()
            before = now
        except DatabaseError:
            # With the error, by which the log's filter knows the outage that it has told already.
            log.warning("No heartbeat", exc_info=True)
        finally:
            close_old_connections()
        time.sleep(pause)
