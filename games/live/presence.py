"""Presence: the seats whose holders have a game open, and the number of others, added up from the
counts that processes publish on the bus. Nothing is stored."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterable

from games.bus import Presence
from games.live.events import Event, presence_event
from games.live.stream import NOT_OPEN, Stream
from games.presentation.visibility import Viewer

SECONDS = 1.0
"""Seconds before a change is sent: a reloaded page leaves and comes back."""
STREAMS_A_SECOND = 1_000
"""The news of a game is a second late for each so many of its streams: it goes to all."""
REPEAT_SECONDS, FORGET_SECONDS = 60.0, 150.0
"""Seconds between two repetitions for other processes, and until they forget a silent process."""
PROCESS = secrets.token_hex(3)


class Crowd:
    """The people at one game, in all processes."""

    __slots__ = ("_clock", "_elsewhere", "_own", "_published", "_sent", "newcomers", "scheduled")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.scheduled = False
        self.newcomers: list[Stream] = []
        self._elsewhere: dict[str, tuple[Presence, float]] = {}
        self._own: Presence | None = None
        self._published = 0.0
        self._sent = b""
        self._clock = clock

    def update(self, news: Presence) -> None:
        """Store the people in another process. A process that is new here has to be answered."""
        if news.process not in self._elsewhere:
            self._published = 0.0
        self._elsewhere[news.process] = (news, self._clock())

    def is_due(self) -> bool:
        """Return whether it is time to repeat the news for the other processes."""
        return self._clock() - self._published > REPEAT_SECONDS

    def to_publish(self, own: Presence) -> bool:
        """Set the people in this process, and return whether other processes need the news."""
        changed = own != self._own or self.is_due()
        self._own = own
        if changed:
            self._published = self._clock()
        return changed

    def event(self) -> tuple[Event, bool]:
        now = self._clock()
        heard = [news for news, at in self._elsewhere.values() if now - at < FORGET_SECONDS]
        everywhere = [*heard, self._own] if self._own else heard
        seats = {seat for news in everywhere for seat in news.seats.split(",") if seat}
        watching = sum(news.watching for news in everywhere)
        found = {"here": sorted(seats), "watching": watching}
        data = json.dumps(found, separators=(",", ":")).encode()
        changed, self._sent = data != self._sent, data
        return presence_event(data), changed


class Room:
    """A game with streams; ``newest`` is its highest known version."""

    __slots__ = ("crowd", "game_id", "newest", "refreshing", "streams")

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.newest = 0
        self.streams: dict[Viewer, set[Stream]] = {}
        self.refreshing = False
        self.crowd = Crowd()

    def outdated(self) -> list[Viewer]:
        """Return the viewers with an open stream below the newest version."""
        return [
            viewer
            for viewer, streams in self.streams.items()
            if any(stream.version < self.newest for stream in streams)
        ]

    def streams_below(self, version: int, viewers: Iterable[Viewer]) -> list[tuple[Viewer, Stream]]:
        return [
            (viewer, stream)
            for viewer in viewers
            for stream in self.streams.get(viewer, ())
            if stream.version < version
        ]

    def finish(self) -> None:
        for _, stream in self.streams_below(NOT_OPEN + 1, self.streams):
            stream.finish()
