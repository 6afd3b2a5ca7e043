"""A cap on the time of a search: the kernels look at their counters and give up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from games.othello.ai.endgame import STOP, Counters


@contextmanager
def stop_after(seconds: float, counters: Counters) -> Iterator[None]:
    """Set the STOP counter when ``seconds`` are over and the block still runs."""

    def stop() -> None:
        counters[STOP] = 1

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
