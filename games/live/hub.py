"""The hub of a process: who follows which game, and what they are sent next.

All of it runs in one event loop, apart from what reads the database. A stream is entered first
and told the newest version then, so nothing falls in between; after that it is sent boards of
higher versions only.
"""

from __future__ import annotations

import asyncio
import logging
import resource
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Any, Protocol, TypeVar

from games.bus import Bus, Hint
from games.live.events import HEARTBEAT
from games.live.stream import NOT_YET, Stream
from games.live.subscriptions import Boards
from games.live.version_loader import VersionLoader
from games.presentation.visibility import Viewer

MOST = 100_000
THREADS = 2
SLICE = 250
"""Streams that are written to before other work gets its turn."""
HEARTBEAT_SECONDS = 4.0
HEARTBEAT_GROUPS = 16
"""Beats go to one such part of the streams after another, not to all at once."""
POLL_SECONDS = 2.0
"""How often the database is asked whether anything was written that no hint told."""
PAUSE_SECONDS = 1.0
"""Between attempts to read a database that fails."""

Result = TypeVar("Result")
log = logging.getLogger(__name__)


class Source(Protocol):
    """Where boards come from. Its methods are called in threads."""

    def versions(self, game_ids: Collection[str], /) -> Mapping[str, int]:
        """The newest version of each of the games; without those that are gone."""

    def boards(self, game_id: str, viewers: Collection[Viewer], newest: int, /) -> Boards | None:
        """The boards of ``viewers`` as the game now is, at version ``newest`` as far as is known;
        None when it is gone."""

    def written(self) -> bool:
        """Whether anything may have been written since the last call."""


class Full(Exception):
    """The hub takes no more streams, or none any more."""


class Channel:
    """A game that is followed. ``newest`` is its highest version that was heard of."""

    __slots__ = ("game_id", "groups", "newest", "refreshing")

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.newest = 0
        self.groups: dict[Viewer, set[Stream]] = {}
        self.refreshing = False

    def behind(self) -> list[Viewer]:
        """The viewers with an open stream that was not sent the newest version."""
        return [
            viewer
            for viewer, streams in self.groups.items()
            if any(stream.version < self.newest for stream in streams)
        ]

    def streams(
        self, viewers: Iterable[Viewer], before: int = NOT_YET + 1
    ) -> list[tuple[Viewer, Stream]]:
        """The streams of the viewers, as they are now, whose version is lower than ``before``."""
        groups = [(who, self.groups.get(who, ())) for who in viewers]
        return [(who, one) for who, streams in groups for one in streams if one.version < before]


def room() -> int:
    """How many streams this process has open files for, with some to spare for everything else."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files - files // 10)


class Hub:
    """Give it the ``source`` of boards, what makes the ``bus``, and how many streams it takes: as
    many as there may be open files, less a tenth, unless told otherwise."""

    def __init__(self, source: Source, bus: Callable[[], Bus], *, most: int | None = None) -> None:
        self._source = source
        self._bus = bus
        self._asked = most
        self._most = 0
        self._channels: dict[str, Channel] = {}
        self._turns: list[set[Stream]] = [set() for _ in range(HEARTBEAT_GROUPS)]
        self._next_turn = cycle(self._turns)
        self._lobby = VersionLoader(self._versions)
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="live")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    # --- streams come and go ---------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many streams there are."""
        return sum(map(len, self._turns))

    def subscribe(self, game_id: str, viewer: Viewer, stream: Stream) -> None:
        """Take in a stream that is not open yet. Raises Full."""
        if self._loop is None and not self._closed:
            self._start()
        if self._closed or self.count >= self._most:
            raise Full
        channel = self._channels.get(game_id)
        if channel is None:
            channel = self._channels[game_id] = Channel(game_id)
        channel.groups.setdefault(viewer, set()).add(stream)
        next(self._next_turn).add(stream)

    async def newest(self, game_id: str) -> int | None:
        """The game's version, read after this call; None when there is no such game."""
        return await self._lobby.newest(game_id)

    def open(self, game_id: str, stream: Stream, *, newest: int, has: int) -> None:
        """Let the stream begin: the game's version is ``newest``, its browser has ``has``."""
        channel = self._channels[game_id]
        stream.open(newest if has == newest else 0)
        # The others are looked at only when there is something new for them: of ten thousand who
        # come back at once each would look at all.
        if newest > channel.newest or stream.version < channel.newest:
            channel.newest = max(channel.newest, newest)
            self._refresh_soon(channel)

    def unsubscribe(self, game_id: str, viewer: Viewer, stream: Stream) -> None:
        """Let go of a stream, in whatever state; nothing of it stays."""
        stream.drop()
        for turn in self._turns:
            turn.discard(stream)
        channel = self._channels[game_id]
        streams = channel.groups[viewer]
        streams.discard(stream)
        if not streams:
            del channel.groups[viewer]
        if not channel.groups:
            del self._channels[game_id]

    # --- hints -----------------------------------------------------------------------------

    def notify(self, hint: Hint) -> None:
        """Take a hint, from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._heard, hint)

    def _heard(self, hint: Hint) -> None:
        channel = self._channels.get(hint.game_id)
        if channel is not None and hint.version > channel.newest:
            channel.newest = hint.version
            self._refresh_soon(channel)

    async def _poll(self) -> None:
        """Look at the versions of all games that are followed here."""
        followed = list(self._channels)
        versions = await self._versions(followed) if followed else {}
        for game_id in followed:
            if game_id in versions:
                self._heard(Hint(game_id, versions[game_id]))
            elif game_id in self._channels:
                self._end(self._channels[game_id])

    async def _keep_polling(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                written = bool(self._channels) and await self._in_thread(self._source.written)
                if written:
                    await self._poll()
            except Exception:
                log.exception("Looking for changes that no hint told")

    # --- boards ----------------------------------------------------------------------------

    def _refresh_soon(self, channel: Channel) -> None:
        if not channel.refreshing:
            channel.refreshing = True
            self._spawn(self._refresh(channel))

    async def _refresh(self, channel: Channel) -> None:
        try:
            await self._catch_up(channel)
        finally:
            channel.refreshing = False

    async def _catch_up(self, channel: Channel) -> None:
        """Send the newest board to all who have not got it, until all have."""
        before = None
        while viewers := channel.behind():
            try:
                boards = await self._in_thread(
                    self._source.boards, channel.game_id, viewers, channel.newest
                )
            except Exception:
                log.exception("Reading the game %s", channel.game_id)
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            if boards is None:
                self._end(channel)
                break
            if boards.version > channel.newest or boards.version == before:
                # Newer than the hint; or the hint was wrong, for the second time.
                channel.newest = boards.version
            before = boards.version
            await self._spread(channel, boards)

    async def _spread(self, channel: Channel, boards: Boards) -> None:
        streams = channel.streams(boards.by_viewer, boards.version)
        for number, (viewer, stream) in enumerate(streams, start=1):
            stream.write(boards.by_viewer[viewer])
            if number % SLICE == 0:
                await asyncio.sleep(0)

    def _end(self, channel: Channel) -> None:
        """The game is gone: end its streams."""
        for _, stream in channel.streams(channel.groups):
            stream.finish()

    async def _beat(self) -> None:
        for turn in cycle(self._turns):
            await asyncio.sleep(HEARTBEAT_SECONDS / HEARTBEAT_GROUPS)
            for number, stream in enumerate(list(turn), start=1):
                stream.write(HEARTBEAT)
                if number % SLICE == 0:
                    await asyncio.sleep(0)

    # --- start and end ----------------------------------------------------------------------

    def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Not before: the server asks the system for more open files when it starts.
        self._most = room() if self._asked is None else self._asked
        self._spawn(self._bus().listen(self._heard, lambda: self._spawn(self._poll())))
        self._spawn(self._keep_polling())
        self._spawn(self._beat())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("A task of the hub failed", exc_info=error)

    async def _versions(self, game_ids: Collection[str]) -> Mapping[str, int]:
        return await self._in_thread(self._source.versions, game_ids)

    async def _in_thread(self, work: Callable[..., Result], *args: object) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def close(self) -> None:
        """End all streams and take no more."""
        self._closed = True
        self._loop = None
        for channel in list(self._channels.values()):
            self._end(channel)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=False)
