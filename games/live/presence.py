"""The people at a game: the seats whose holders have a stream, and the number of other people.

Each process counts its own streams, tells the others by the bus, and adds what they told. Nothing
of it is stored.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable

from games.bus import Presence
from games.live.events import Event, presence_event
from games.live.stream import Stream

SECONDS = 1.0
"""Before a change is told: a page that is loaded again leaves and comes."""
STREAMS_A_SECOND = 1_000
"""Each so many streams of a game delay the news by a second, for it goes to all of them."""
REPEAT_SECONDS, FORGET_SECONDS = 60.0, 150.0
"""Between two repetitions for the other processes, and until they forget a silent process."""
PROCESS = secrets.token_hex(3)


class Crowd:
    """The people at one game, in all processes."""

    __slots__ = ("_clock", "_heard", "_own", "_published", "_told", "newcomers", "telling")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.telling = False
        self.newcomers: list[Stream] = []
        self._heard: dict[str, tuple[Presence, float]] = {}
        self._own: Presence | None = None
        self._published = 0.0
        self._told = b""
        self._clock = clock

    def hear(self, news: Presence) -> None:
        """Note the people of another process; one that is new here has to be answered."""
        if news.process not in self._heard:
            self._published = 0.0
        self._heard[news.process] = (news, self._clock())

    def is_due(self) -> bool:
        """Return whether the other processes should be told again."""
        return self._clock() - self._published > REPEAT_SECONDS

    def to_publish(self, own: Presence) -> bool:
        """Set the people of this process, and return whether the others have to be told."""
        changed = own != self._own or self.is_due()
        self._own = own
        if changed:
            self._published = self._clock()
        return changed

    def event(self) -> tuple[Event, bool]:
        """Return the event for the streams, and whether it differs from the last one."""
        now = self._clock()
        heard = [news for news, at in self._heard.values() if now - at < FORGET_SECONDS]
        everywhere = [*heard, self._own] if self._own else heard
        seats = {seat for news in everywhere for seat in news.seats.split(",") if seat}
        watching = sum(news.watching for news in everywhere)
        found = {"here": sorted(seats), "watching": watching}
        data = json.dumps(found, separators=(",", ":")).encode()
        changed, self._told = data != self._told, data
        return presence_event(data), changed
