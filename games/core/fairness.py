"""Turns of hosts and addresses at a worker: a host with many jobs delays only these.

A worker counts in its memory when it last served each key. That need not be exact: after a restart,
and at another worker, everybody is served once and then in turn again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

from cachetools import LRUCache

REMEMBERED: Final = 50_000
"""The keys that are remembered; the one served longest ago is forgotten first."""


class Turns:
    """The order in which keys were last served."""

    def __init__(self) -> None:
        self._served: LRUCache[str, int] = LRUCache(REMEMBERED)
        self._clock = count(1)

    def rank(self, keys: Sequence[str]) -> tuple[int, ...]:
        """Return the rank of a job of ``keys``: the job with the smallest rank is the next. The
        first key weighs most."""
        return tuple(self._served.get(key, 0) for key in keys)

    def serve(self, keys: Sequence[str]) -> None:
        now = next(self._clock)
        for key in keys:
            self._served[key] = now
