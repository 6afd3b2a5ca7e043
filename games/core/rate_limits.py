"""Rate limits per player and per address: how often, and how many at a time.

They are counted in the memory of the process, since limits that protect a site need not be exact. A
site with several processes allows several times as much.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from threading import Lock

from django.conf import settings

from games.contract import text
from games.core.refusals import Refusal

MAX_KEYS = 50_000
"""Keys that a limit counts at once; the least recently used are evicted."""
TOO_MANY_OPEN = text("Too many boards are open on your network. Close a few.")


class RateLimited(Refusal):
    """The rate limit is reached."""

    status = 429
    reason = text("Too many requests. Wait a moment and try again.")


@dataclass
class RateLimit:
    """A limit of at most ``limit`` hits of a key in any ``seconds``."""

    limit: int
    seconds: float
    _hits: OrderedDict[str, deque[float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def hit(self, key: str) -> None:
        """Count a hit of ``key``. Raises RateLimited without counting it if the limit is
        reached."""
        if not settings.RATE_LIMITS:
            return
        now = time.monotonic()
        with self._lock:
            times = self._hits.setdefault(key, deque())
            self._hits.move_to_end(key)
            while times and times[0] <= now - self.seconds:
                times.popleft()
            if len(times) >= self.limit:
                raise RateLimited
            times.append(now)
            if len(self._hits) > MAX_KEYS:
                self._hits.popitem(last=False)


@dataclass
class ConcurrencyLimit:
    """A limit of at most ``limit`` holders of a key at the same time. It is used in one thread, so
    nothing happens between `check` and `acquire`."""

    limit: int
    _acquired: dict[str, int] = field(default_factory=dict)

    def check(self, key: str) -> None:
        """Raise RateLimited if ``key`` has reached the limit."""
        if self._acquired.get(key, 0) >= self.limit and settings.RATE_LIMITS:
            raise RateLimited(TOO_MANY_OPEN)

    def acquire(self, key: str) -> None:
        """Count one more holder of ``key``, until `release`."""
        self._acquired[key] = self._acquired.get(key, 0) + 1

    def release(self, key: str) -> None:
        """Count one holder of ``key`` less, and forget a key without holders."""
        self._acquired[key] -= 1
        if not self._acquired[key]:
            del self._acquired[key]


HOUR = 3600.0
GAMES_PER_PLAYER = RateLimit(100, HOUR)
GAMES_PER_ADDRESS = RateLimit(600, HOUR)
SEATS_PER_PLAYER = RateLimit(200, HOUR)
SEATS_PER_ADDRESS = RateLimit(1_200, HOUR)
PICTURES_PER_ADDRESS = RateLimit(1_000, HOUR)
EXPORTS_PER_PLAYER = RateLimit(30, HOUR)
"""Files with all games of the player."""
HINTS_PER_PLAYER = RateLimit(300, HOUR)
"""Hints and analyses, which cost computing time."""
COMPUTER_GAMES_PER_PLAYER = 3
"""Running games between computer players alone, at the same time."""
WAITING_GAMES_PER_PLAYER = 5
"""Running games of a host in which a computer is to move, beyond which the host begins no more."""
WAITING_GAMES_PER_ADDRESS = 5
"""The same of an address, beyond which the players of a new game are told that it waits in turn."""
WAITING_ANALYSES_PER_ADDRESS = 5
"""Games whose analyses an address waits for, at the same time."""
COMPUTER_GAMES_PER_ADDRESS = RateLimit(60, HOUR)
"""New games between computer players alone. A browser without cookies is a new player each time."""
ANALYSES_PER_ADDRESS = RateLimit(200, HOUR)
"""Analyses of finished games, open to everybody, each of which is hundreds of positions."""
POSITIONS_PER_PLAYER = RateLimit(600, HOUR)
POSITIONS_PER_ADDRESS = RateLimit(1_800, HOUR)
"""Positions for which the reader of an analysis waits, such as those after tried moves."""
PUZZLES_PER_ADDRESS = RateLimit(1_800, HOUR)
"""Moves tried in puzzles that are recorded; further ones are answered and not recorded."""
MARKS_PER_PLAYER = RateLimit(60, 60.0)
"""Marked moves, each of which is sent to everybody at the board."""
MESSAGES_PER_PLAYER = RateLimit(6, 60.0)
"""Messages to the other players."""
TESTS_PER_PLAYER = RateLimit(10, HOUR)
"""Tests of the channels of a player."""
NAMES_PER_PLAYER = RateLimit(30, HOUR)
"""A new name appears in all games of the player."""
PACKS_PER_PLAYER = RateLimit(120, HOUR)
PACKS_PER_ADDRESS = RateLimit(600, HOUR)
"""Packs that are made, changed, copied or shared."""
DEVICES_PER_PLAYER = RateLimit(60, HOUR)
"""Links for another device, made or opened."""
LOGINS_PER_ADDRESS = RateLimit(30, HOUR)
LOGINS_PER_NAME_AND_ADDRESS = RateLimit(20, HOUR)
LOGINS_PER_KNOWN_BROWSER = RateLimit(20, HOUR)
"""Logins of staff, successful or not. They are not counted by name alone, since anybody could lock
the owner out by guessing. A browser that has logged in before is not counted with others of its
address."""
SIGN_INS_PER_ADDRESS = RateLimit(60, HOUR)
SIGN_INS_PER_NAME_AND_ADDRESS = RateLimit(20, HOUR)
SIGN_INS_PER_KNOWN_DEVICE = RateLimit(20, HOUR)
"""Attempts with passwords and recovery codes, as for staff. Those of a signed-in device are counted
by its player."""
PASSKEYS_PER_ADDRESS = RateLimit(120, HOUR)
"""Requests to sign in with a passkey, two for each time. Nobody can guess one."""
PASSWORDS_PER_PLAYER = RateLimit(20, HOUR)
EMAILS_PER_PLAYER = RateLimit(10, HOUR)
EMAILS_PER_ADDRESS = RateLimit(30, HOUR)
EMAILS_PER_EMAIL_ADDRESS = RateLimit(6, HOUR)
"""Links requested by e-mail. The worker counts those to one e-mail address and silently drops any
beyond the limit, because a refusal would reveal which addresses are in use."""
STREAMS_PER_PLAYER = ConcurrencyLimit(60)
STREAMS_PER_ADDRESS = ConcurrencyLimit(300)
"""Open streams: enough for a school class behind one address, as a browser has few visible tabs."""
