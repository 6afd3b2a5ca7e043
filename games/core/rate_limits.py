"""Rate limits per player and per address, of hits in a time and of holders at a time; and turns.

They are counted in the memory of the process, since limits that protect a site need not be
exact."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from math import ceil
from threading import Lock
from typing import Final

from cachetools import LRUCache
from django.conf import settings

from games.contract import Text, ntext, text
from games.core import metrics
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
        """Count a hit of ``key``. Raises RateLimited, uncounted."""
        self._count(key, 1)

    def check(self, key: str) -> None:
        self._count(key, 0)

    def charge(self, key: str, hits: int) -> None:
        """Count hits of ``key`` that have happened, whatever the limit."""
        self._count(key, hits, check=False)

    def _count(self, key: str, hits: int, *, check: bool = True) -> None:
        if not settings.RATE_LIMITS:
            return
        now = time.monotonic()
        with self._lock:
            times = self._hits.setdefault(key, deque())
            self._hits.move_to_end(key)
            while times and times[0] <= now - self.seconds:
                times.popleft()
            if check and len(times) >= self.limit:
                metrics.refusals.labels(_name_of(self)).inc()
                raise RateLimited(seconds=times[0] + self.seconds - now if times else self.seconds)
            times.extend([now] * hits)
            if len(self._hits) > MAX_KEYS:
                self._hits.popitem(last=False)


@dataclass
class ConcurrencyLimit:
    """A limit of at most ``limit`` holders of a key at the same time. It is used in one thread, so
    nothing happens between `check` and `acquire`."""

    limit: int
    _acquired: dict[str, int] = field(default_factory=dict)

    def check(self, key: str) -> None:
        if self._acquired.get(key, 0) >= self.limit and settings.RATE_LIMITS:
            metrics.refusals.labels(_name_of(self)).inc()
            raise RateLimited(TOO_MANY_OPEN)

    def acquire(self, key: str) -> None:
        """Count one more holder of ``key``, until `release`."""
        self._acquired[key] = self._acquired.get(key, 0) + 1

    def release(self, key: str) -> None:
        """Count one holder of ``key`` less, and forget a key without holders."""
        self._acquired[key] -= 1
        if not self._acquired[key]:
            del self._acquired[key]


def _name_of(limit: RateLimit | ConcurrencyLimit) -> str:
    """Return the name of a limit of this module, such as ``pages_per_address``."""
    names = (name.lower() for name, value in globals().items() if value is limit)
    return next(names, "other")


DAY, HOUR, MINUTE = 86_400.0, 3600.0, 60.0
Limits = tuple[RateLimit, RateLimit]
"""A limit of each player and one of each address."""


def _both(per_player: int, per_address: int) -> Limits:
    return RateLimit(per_player, HOUR), RateLimit(per_address, HOUR)


# Pages of all kinds: enough for a school class behind one address.
PAGES_PER_ADDRESS = RateLimit(1_800, MINUTE)
GAMES = GAMES_PER_PLAYER, GAMES_PER_ADDRESS = _both(100, 600)
# Opponents sought, each of whom may wait in vain for a first move.
SEEKS = SEEKS_PER_PLAYER, SEEKS_PER_ADDRESS = _both(30, 600)
SEATS = SEATS_PER_PLAYER, SEATS_PER_ADDRESS = _both(200, 1_200)
PICTURES_PER_ADDRESS = RateLimit(1_000, HOUR)
# Files with all games of the player.
TENTHS = 10
# Tenths of seconds of processor time in the slot of `games.web.slot`, counted afterwards.
SLOT_PER_ADDRESS = RateLimit(TENTHS * settings.SLOT_SECONDS, HOUR)
EXPORTS_PER_PLAYER = RateLimit(30, HOUR)
# Requests of programs.
API_PER_TOKEN = RateLimit(1_200, MINUTE)
# Texts in which games are looked for.
IMPORTS_PER_ADDRESS = RateLimit(600, HOUR)
# Hints and analyses, which cost computing time.
HINTS_PER_PLAYER = RateLimit(300, HOUR)
# New games between computers alone. A browser without cookies is a new player each time.
COMPUTER_GAMES_PER_ADDRESS = RateLimit(60, HOUR)
# Analyses of finished games, open to everybody, each of which is hundreds of positions.
ANALYSES_PER_ADDRESS = RateLimit(200, HOUR)
# Positions for which the reader of an analysis waits, such as those after tried moves.
POSITIONS = POSITIONS_PER_PLAYER, POSITIONS_PER_ADDRESS = _both(600, 1_800)
# Boards of pupils' classes, which count as no pages, and moves of levels against them.
MATCHES_PER_ADDRESS = RateLimit(1_800, MINUTE)
THOUGHTS_PER_ADDRESS = RateLimit(600, MINUTE)
# Classes of pupils, and verdicts that are handed in. Those are counted by class, since sixty pupils
# may have one address.
CLASSES_PER_ADDRESS = RateLimit(5, DAY)
HAND_INS_PER_CLASS = RateLimit(300, MINUTE)
# Moves tried in puzzles that are recorded; further ones are answered and not recorded.
PUZZLES_PER_ADDRESS = RateLimit(1_800, HOUR)
# Marked moves, each of which is sent to everybody at the board.
MARKS_PER_PLAYER = RateLimit(60, MINUTE)
# Messages to the other players.
MESSAGES_PER_PLAYER = RateLimit(6, MINUTE)
# Tests of the channels of a player.
TESTS_PER_PLAYER = RateLimit(10, HOUR)
# Reports to staff.
REPORTS = REPORTS_PER_PLAYER, REPORTS_PER_ADDRESS = _both(20, 60)
# A new name appears in all games of the player.
NAMES_PER_PLAYER = RateLimit(30, HOUR)
# Packs that are made, changed, copied or shared.
PACKS = PACKS_PER_PLAYER, PACKS_PER_ADDRESS = _both(120, 600)
# Links for another device, made or opened.
DEVICES_PER_PLAYER = RateLimit(60, HOUR)
# Logins of staff, successful or not. They are not counted by name alone, since anybody could lock
# the owner out by guessing. A browser that has logged in before is not counted with others of its
# address.
LOGINS_PER_ADDRESS = RateLimit(30, HOUR)
LOGINS_PER_NAME_AND_ADDRESS = RateLimit(20, HOUR)
LOGINS_PER_KNOWN_BROWSER = RateLimit(20, HOUR)
# Attempts with passwords and recovery codes, as for staff, of known devices by player.
SIGN_INS_PER_ADDRESS = RateLimit(60, HOUR)
SIGN_INS_PER_NAME_AND_ADDRESS = RateLimit(20, HOUR)
SIGN_INS_PER_KNOWN_DEVICE = RateLimit(20, HOUR)
# With more attempts at one name, of players or staff, a stranger guesses from many addresses. Each
# of them then has only a few: that slows the guesses and locks nobody out.
GUESSES_PER_NAME = RateLimit(60, HOUR)
GUESSES_PER_NAME_AND_ADDRESS = RateLimit(3, HOUR)
# Requests to sign in with a passkey, two for each time. Nobody can guess one.
PASSKEYS_PER_ADDRESS = RateLimit(120, HOUR)
PASSWORDS_PER_PLAYER = RateLimit(20, HOUR)
EMAILS = EMAILS_PER_PLAYER, EMAILS_PER_ADDRESS = _both(10, 30)
# Links requested by e-mail. The worker counts those to one e-mail address and silently drops any
# beyond the limit, because a refusal would reveal which addresses are in use.
EMAILS_PER_EMAIL_ADDRESS = RateLimit(6, HOUR)

# How many there may be at the same time: running games between computers alone; running games of a
# host in which a computer is to move, beyond which the host begins no more; the same of an address,
# beyond which the players of a new game are told that it waits; games whose analyses an address
# waits for; open streams, enough for a school class, as a browser has few visible tabs.
COMPUTER_GAMES_PER_PLAYER = 3
WAITING_GAMES_PER_PLAYER = 5
WAITING_GAMES_PER_ADDRESS = 5
WAITING_ANALYSES_PER_ADDRESS = 5
STREAMS_PER_PLAYER = ConcurrencyLimit(60)
STREAMS_PER_ADDRESS = ConcurrencyLimit(300)
# Each has a stream of every game of its player.
FOLLOWERS_PER_PLAYER = ConcurrencyLimit(3)


def count_guess(name: str, address: str, limits: Limits) -> None:
    """Count an attempt to sign in against the ``limits`` of its address, alone and with the name;
    not of the name alone, by which strangers could lock its owner out. Raises RateLimited."""
    per_address, per_name_and_address = limits
    per_address.hit(address)
    per_name_and_address.hit(f"{address} {name}")
    try:
        GUESSES_PER_NAME.hit(name)
    except RateLimited:
        GUESSES_PER_NAME_AND_ADDRESS.hit(f"{address} {name}")


REMEMBERED: Final = 50_000
"""The keys that are remembered; the one served longest ago is forgotten first."""


class Turns:
    """The order in which keys were last served."""

    def __init__(self) -> None:
        self._served: LRUCache[str, int] = LRUCache(REMEMBERED)
        self._clock = count(1)

    def rank(self, keys: Sequence[str]) -> tuple[int, ...]:
        """Return the rank of a job, of which the smallest is next. The first key weighs most."""
        return tuple(self._served.get(key, 0) for key in keys)

    def serve(self, keys: Sequence[str]) -> None:
        now = next(self._clock)
        for key in keys:
            self._served[key] = now
