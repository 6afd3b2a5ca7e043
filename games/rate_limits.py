"""How much one player, and one address, may ask of the site in a while, or have open at once.

Counted in this process's memory: limits that keep a site alive need no exactness, and cost nothing
here. Several processes allow several times as much.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from threading import Lock

from django.conf import settings

from games.contract import text
from games.refusals import Refusal

REMEMBERED = 50_000
"""Keys that are counted at once; the oldest are forgotten first."""
TOO_MANY_OPEN = text("Too many boards are open at once where you are. Close some of them.")


class RateLimited(Refusal):
    """More than the quota allows."""

    status = 429
    reason = text("That is too often. Wait a little, then try again.")


@dataclass
class RateLimit:
    """At most ``limit`` in any ``seconds``, for each key."""

    limit: int
    seconds: float
    _spent: OrderedDict[str, deque[float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def hit(self, key: str) -> None:
        """Count one for ``key``. Raises RateLimited, then nothing is counted."""
        if not settings.RATE_LIMITS:
            return
        now = time.monotonic()
        with self._lock:
            times = self._spent.setdefault(key, deque())
            self._spent.move_to_end(key)
            while times and times[0] <= now - self.seconds:
                times.popleft()
            if len(times) >= self.limit:
                raise RateLimited
            times.append(now)
            if len(self._spent) > REMEMBERED:
                self._spent.popitem(last=False)


@dataclass
class ConcurrencyLimit:
    """At most ``limit`` at the same time, for each key. Used in one thread: whoever finds a place
    free takes it before anybody else looks."""

    limit: int
    _taken: dict[str, int] = field(default_factory=dict)

    def look(self, key: str) -> None:
        """Raises RateLimited when ``key`` has taken all its places."""
        if self._taken.get(key, 0) >= self.limit and settings.RATE_LIMITS:
            raise RateLimited(TOO_MANY_OPEN)

    def take(self, key: str) -> None:
        """Take one, to be given back in the end."""
        self._taken[key] = self._taken.get(key, 0) + 1

    def give_back(self, key: str) -> None:
        """Give back one that was taken; of who has none nothing is kept."""
        self._taken[key] -= 1
        if not self._taken[key]:
            del self._taken[key]


HOUR = 3600.0
GAMES_PER_PLAYER = RateLimit(100, HOUR)
GAMES_PER_ADDRESS = RateLimit(600, HOUR)
SEATS_PER_PLAYER = RateLimit(200, HOUR)
SEATS_PER_ADDRESS = RateLimit(1_200, HOUR)
PICTURES_PER_ADDRESS = RateLimit(1_000, HOUR)
HINTS_PER_PLAYER = RateLimit(300, HOUR)
"""Hints and analyses: they cost thinking time."""
COMPUTER_GAMES_PER_PLAYER = 3
"""Games in which only computers sit that may go on at the same time."""
COMPUTER_GAMES_PER_ADDRESS = RateLimit(60, HOUR)
"""Games of computers alone that one address may begin: whoever comes without a cookie is a new
player each time."""
ANALYSES_PER_ADDRESS = RateLimit(200, HOUR)
"""Of games that are over, which anybody may ask for: each is hundreds of positions."""
NAMES_PER_PLAYER = RateLimit(30, HOUR)
"""A new name is shown at all tables of the player."""
LOGINS_PER_ADDRESS = RateLimit(30, HOUR)
LOGINS_PER_NAME = RateLimit(20, HOUR)
"""Of staff, right or wrong. Who logs in stays so for two weeks."""
STREAMS_PER_PLAYER = ConcurrencyLimit(60)
STREAMS_PER_ADDRESS = ConcurrencyLimit(300)
"""Room for a school class behind one address; a browser has a few tabs in sight."""
