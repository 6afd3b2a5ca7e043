"""A time limit for searches: a thread sets a counter, at which kernels stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from games.othello.ai.endgame import STOP, Counters

Clock = Callable[[], float]
"""A time in seconds: `time.monotonic`, or `time.process_time` to count only this process."""


@contextmanager
def stop_after(seconds: float, counters: Counters, clock: Clock = monotonic) -> Iterator[None]:
    """Set the STOP counter after ``seconds`` if the block is still running."""
    ended, end = threading.Event(), clock() + seconds

    def watch() -> None:
        while (left := end - clock()) > 0:
            if ended.wait(left):
                return
        if not ended.is_set():
            counters[STOP] = 1

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()
