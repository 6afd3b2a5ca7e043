"""Rate limits per player and per address: how often, and how many at a time.

The figures are in the settings. They are counted in the memory of the process, since limits that
protect a site need not be exact. A site with several processes allows several times as much.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import ceil
from threading import Lock

from django.conf import settings

from games.contract import Text, ntext, text
from games.core.refusals import Refusal

MAX_KEYS = 50_000
"""Keys that a limit counts at once; the least recently used are evicted."""
TOO_MANY_OPEN = text("Too many boards are open on your network. Close a few.")
MOMENT = 10
"""Seconds to wait where nobody can know how long."""
_wait: ContextVar[int] = ContextVar("wait", default=MOMENT)


class RateLimited(Refusal):
    """The rate limit is reached; another attempt makes sense after some seconds."""

    status = 429

    def __init__(self, reason: Text | None = None, *, seconds: float = MOMENT) -> None:
        super().__init__(reason or _reason(seconds))
        _wait.set(max(1, ceil(seconds)))


def _reason(seconds: float) -> Text:
    if seconds <= 60:
        return text("Too many requests. Wait a moment and try again.")
    return ntext(
        "Too many requests. Try again in %(n)s minute.",
        "Too many requests. Try again in %(n)s minutes.",
        n=ceil(seconds / 60),
    )


def seconds_to_wait() -> int:
    """Return the seconds of the last refusal in this thread, for the header of its response."""
    return _wait.get()


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
                raise RateLimited(seconds=times[0] + self.seconds - now if times else self.seconds)
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


def _rate(name: str) -> RateLimit:
    return RateLimit(*settings.RATES[name])


PAGES_PER_ADDRESS = _rate("PAGES_PER_ADDRESS")
GAMES_PER_PLAYER = _rate("GAMES_PER_PLAYER")
GAMES_PER_ADDRESS = _rate("GAMES_PER_ADDRESS")
SEATS_PER_PLAYER = _rate("SEATS_PER_PLAYER")
SEATS_PER_ADDRESS = _rate("SEATS_PER_ADDRESS")
PICTURES_PER_ADDRESS = _rate("PICTURES_PER_ADDRESS")
EXPORTS_PER_PLAYER = _rate("EXPORTS_PER_PLAYER")
API_PER_TOKEN = _rate("API_PER_TOKEN")
IMPORTS_PER_ADDRESS = _rate("IMPORTS_PER_ADDRESS")
HINTS_PER_PLAYER = _rate("HINTS_PER_PLAYER")
COMPUTER_GAMES_PER_PLAYER = settings.AT_ONCE["COMPUTER_GAMES_PER_PLAYER"]
WAITING_GAMES_PER_PLAYER = settings.AT_ONCE["WAITING_GAMES_PER_PLAYER"]
WAITING_GAMES_PER_ADDRESS = settings.AT_ONCE["WAITING_GAMES_PER_ADDRESS"]
WAITING_ANALYSES_PER_ADDRESS = settings.AT_ONCE["WAITING_ANALYSES_PER_ADDRESS"]
COMPUTER_GAMES_PER_ADDRESS = _rate("COMPUTER_GAMES_PER_ADDRESS")
ANALYSES_PER_ADDRESS = _rate("ANALYSES_PER_ADDRESS")
POSITIONS_PER_PLAYER = _rate("POSITIONS_PER_PLAYER")
POSITIONS_PER_ADDRESS = _rate("POSITIONS_PER_ADDRESS")
PUZZLES_PER_ADDRESS = _rate("PUZZLES_PER_ADDRESS")
MARKS_PER_PLAYER = _rate("MARKS_PER_PLAYER")
MESSAGES_PER_PLAYER = _rate("MESSAGES_PER_PLAYER")
TESTS_PER_PLAYER = _rate("TESTS_PER_PLAYER")
NAMES_PER_PLAYER = _rate("NAMES_PER_PLAYER")
PACKS_PER_PLAYER = _rate("PACKS_PER_PLAYER")
PACKS_PER_ADDRESS = _rate("PACKS_PER_ADDRESS")
DEVICES_PER_PLAYER = _rate("DEVICES_PER_PLAYER")
LOGINS_PER_ADDRESS = _rate("LOGINS_PER_ADDRESS")
LOGINS_PER_NAME_AND_ADDRESS = _rate("LOGINS_PER_NAME_AND_ADDRESS")
LOGINS_PER_KNOWN_BROWSER = _rate("LOGINS_PER_KNOWN_BROWSER")
SIGN_INS_PER_ADDRESS = _rate("SIGN_INS_PER_ADDRESS")
SIGN_INS_PER_NAME_AND_ADDRESS = _rate("SIGN_INS_PER_NAME_AND_ADDRESS")
SIGN_INS_PER_KNOWN_DEVICE = _rate("SIGN_INS_PER_KNOWN_DEVICE")
GUESSES_PER_NAME = _rate("GUESSES_PER_NAME")
GUESSES_PER_NAME_AND_ADDRESS = _rate("GUESSES_PER_NAME_AND_ADDRESS")
PASSKEYS_PER_ADDRESS = _rate("PASSKEYS_PER_ADDRESS")
PASSWORDS_PER_PLAYER = _rate("PASSWORDS_PER_PLAYER")
EMAILS_PER_PLAYER = _rate("EMAILS_PER_PLAYER")
EMAILS_PER_ADDRESS = _rate("EMAILS_PER_ADDRESS")
EMAILS_PER_EMAIL_ADDRESS = _rate("EMAILS_PER_EMAIL_ADDRESS")
STREAMS_PER_PLAYER = ConcurrencyLimit(settings.AT_ONCE["STREAMS_PER_PLAYER"])
STREAMS_PER_ADDRESS = ConcurrencyLimit(settings.AT_ONCE["STREAMS_PER_ADDRESS"])


def count_guess(name: str, address: str, limits: tuple[RateLimit, RateLimit]) -> None:
    """Count an attempt to sign in under a name, against the ``limits`` of its address alone and
    together with the name. There is no limit of a name alone, by which strangers could lock its
    owner out. Raises RateLimited."""
    per_address, per_name_and_address = limits
    per_address.hit(address)
    per_name_and_address.hit(f"{address} {name}")
    try:
        GUESSES_PER_NAME.hit(name)
    except RateLimited:
        GUESSES_PER_NAME_AND_ADDRESS.hit(f"{address} {name}")
