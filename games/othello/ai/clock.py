"""A time limit for searches: a thread sets a counter, at which kernels stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from games.contract import search_clock
from games.othello.ai.endgame import STOP, Counters

Clock = Callable[[], float]
"""A time in seconds: that of `search_clock`, or `time.process_time` to count all threads."""
_LOOK_SECONDS = 0.01, 1.0
"""The shortest and the longest time between two looks at the clock."""


@contextmanager
def stop_after(seconds: float, counters: Counters, clock: Clock | None = None) -> Iterator[None]:
    """Set the STOP counter after ``seconds`` if the block is still running."""
    now = clock or search_clock()
    ended, end = threading.Event(), now() + seconds
    shortest, longest = _LOOK_SECONDS

    def watch() -> None:
        while (left := end - now()) > 0:
            if ended.wait(min(max(left, shortest), longest)):
                return
        if not ended.is_set():
            counters[STOP] = 1

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
