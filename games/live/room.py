"""The room of a game: its open streams in one hub."""

from __future__ import annotations

from collections.abc import Iterable

from games.live.presence import Crowd
from games.live.stream import NOT_OPEN, Stream
from games.presentation.visibility import Viewer


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
