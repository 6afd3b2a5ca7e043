"""The hub of a process, which sends boards to the streams of each game.

Everything but reading the database runs in one event loop. A stream subscribes first and then reads
the newest version, so that no change is lost in between; after that it gets only boards of higher
versions."""

from __future__ import annotations

import asyncio
import logging
import resource
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.conf import settings

from games.bus import Bus, Hint, News, Presence
from games.live.events import HEARTBEAT, Asked, Boards, Event
from games.live.presence import PROCESS, SECONDS, STREAMS_A_SECOND, Room
from games.live.source import VersionLoader
from games.live.stream import Stream
from games.presentation.visibility import Viewer
from games.state.identity import clear_player_cache

MAX_STREAMS = 100_000
THREADS = 2
BATCH = 250
"""Streams written to before other tasks of the event loop get a turn."""
HEARTBEAT_SECONDS = 4.0
HEARTBEAT_GROUPS = 16
"""The number of groups of streams, which get their heartbeats one group after another."""
ATTENDANCE_SECONDS = 10.0 / settings.HASTE
"""Seconds between two notes of the players at all games."""
TELL_SECONDS = 5.0 / settings.HASTE
"""Seconds between two looks for seekers of opponents."""
POLL_SECONDS = 2.0
"""Seconds between two queries for changes without a hint."""
RETRY_SECONDS = 1.0
"""Seconds between attempts to read a failing database."""

Result = TypeVar("Result")
log = logging.getLogger(__name__)


class Source(Protocol):
    """The source of boards. Its methods are called in threads."""

    def versions(self, game_ids: Collection[str], /) -> Mapping[str, int]:
        """Return the newest version of each existing game."""

    def boards(self, game_id: str, viewers: Collection[Viewer], newest: int, /) -> Boards | None:
        """Return the newest boards of a game, None if it was deleted; ``newest`` is known."""

    def presence(
        self, game_id: str, viewers: Mapping[Viewer, int], newest: int, /
    ) -> tuple[str, int] | None:
        """Return the seats whose holders are among the viewers, with commas, and the number of
        others; None without a board. ``viewers`` counts the streams of each."""

    def lines(self, asked: Collection[Asked], /) -> Mapping[Asked, Event]:
        """Return the line on a seeker of an opponent for each, empty without one."""

    def note_people(self, people: Mapping[str, Collection[UUID]], /) -> None:
        """Note the players at each game."""

    def written(self) -> bool:
        """Return whether the database may have been written to since the last call."""


class HubFull(Exception):
    """The hub accepts no more streams, or is closed."""


def stream_limit() -> int:
    """Return the number of streams that nine tenths of the open files allow."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MAX_STREAMS
    return min(MAX_STREAMS, files - files // 10)


async def _write(events: Iterable[tuple[Stream, Event]]) -> None:
    for number, (stream, event) in enumerate(events, start=1):
        stream.write(event)
        if number % BATCH == 0:
            await asyncio.sleep(0)


class Hub:
    """Sends the boards of ``source`` to streams, prompted by hints from the ``bus``, to
    `stream_limit` by default."""

    def __init__(
        self, source: Source, bus: Callable[[], Bus], *, max_streams: int | None = None
    ) -> None:
        self._source = source
        self._bus = bus
        self._requested_limit = max_streams
        self._max_streams = 0
        self._rooms: dict[str, Room] = {}
        self._asked: dict[Stream, Asked] = {}
        self._told: dict[Stream, bytes] = {}
        self._heartbeat_groups: list[set[Stream]] = [set() for _ in range(HEARTBEAT_GROUPS)]
        self._next_heartbeat_group = cycle(self._heartbeat_groups)
        self._version_loader = VersionLoader(self._versions)
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="live")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    # --- subscriptions ---------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def count(self) -> int:
        return sum(map(len, self._heartbeat_groups))

    def subscribe(self, game_id: str, viewer: Viewer, stream: Stream, kind: str = "") -> None:
        """Add a stream, which is not open yet, and with a ``kind`` gets the lines on seekers of an
        opponent for it. Raises HubFull."""
        if self._loop is None and not self._closed:
            self._start()
        if self._closed or self.count >= self._max_streams:
            raise HubFull
        room = self._rooms.get(game_id)
        if room is None:
            room = self._rooms[game_id] = Room(game_id)
        room.streams.setdefault(viewer, set()).add(stream)
        next(self._next_heartbeat_group).add(stream)
        if kind:
            self._asked[stream] = Asked(kind, viewer.language, viewer.player_id)

    async def newest(self, game_id: str) -> int | None:
        """Return the game's version, read after this call; None if there is no such game."""
        return await self._version_loader.newest(game_id)

    def open(self, game_id: str, stream: Stream, *, newest: int, has: int) -> None:
        """Open a stream of a game with version ``newest``, whose browser has version ``has``."""
        room = self._rooms[game_id]
        stream.open(newest if has == newest else 0)
        # A refresh goes through all streams of the game, so ten thousand browsers that reconnect at
        # once with the newest board must not each cause one.
        if newest > room.newest or stream.version < room.newest:
            room.newest = max(room.newest, newest)
            self._refresh_soon(room)
        room.crowd.newcomers.append(stream)
        self._send_presence_soon(room)

    def unsubscribe(self, game_id: str, viewer: Viewer, stream: Stream) -> None:
        stream.drop()
        self._asked.pop(stream, None)
        self._told.pop(stream, None)
        for group in self._heartbeat_groups:
            group.discard(stream)
        room = self._rooms[game_id]
        streams = room.streams[viewer]
        streams.discard(stream)
        if not streams:
            del room.streams[viewer]
        if not room.streams:
            del self._rooms[game_id]
        if not self._closed:
            self._send_presence_soon(room)

    # --- hints -----------------------------------------------------------------------------

    def notify(self, hint: News) -> None:
        """Process a hint, from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._on_hint, hint)

    def _on_hint(self, hint: News) -> None:
        if isinstance(hint, Presence):
            if (room := self._rooms.get(hint.game_id)) is not None:
                room.crowd.update(hint)
                self._send_presence_soon(room)
            return
        if hint.player:
            clear_player_cache()
            self._finish_streams(hint.player)
            return
        room = self._rooms.get(hint.game_id)
        if room is not None and hint.version > room.newest:
            room.newest = hint.version
            self._refresh_soon(room)

    def _finish_streams(self, player: str) -> None:
        """End the streams of a player: a browser that is still signed in opens its stream again."""
        for room in self._rooms.values():
            for viewer, streams in room.streams.items():
                if str(viewer.player_id) == player:
                    for stream in streams:
                        stream.finish()

    async def _poll(self) -> None:
        game_ids = list(self._rooms)
        versions = await self._versions(game_ids) if game_ids else {}
        for game_id in game_ids:
            if game_id in versions:
                self._on_hint(Hint(game_id, versions[game_id]))
            elif game_id in self._rooms:
                self._rooms[game_id].finish()

    async def _keep_polling(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                for room in self._rooms.values():
                    if room.crowd.is_due():
                        self._send_presence_soon(room)
                if self._rooms:
                    written = await self.in_thread(self._source.written)
                    if written:
                        await self._poll()
            except Exception:
                log.exception("Polling for changes failed")

    # --- boards ----------------------------------------------------------------------------

    def _refresh_soon(self, room: Room) -> None:
        if not room.refreshing:
            room.refreshing = True
            self._spawn(self._refresh(room))

    async def _refresh(self, room: Room) -> None:
        try:
            await self._send_newest(room)
        finally:
            room.refreshing = False

    async def _send_newest(self, room: Room) -> None:
        """Send the newest board to all outdated streams, until none is left."""
        before = None
        while viewers := room.outdated():
            try:
                boards = await self.in_thread(
                    self._source.boards, room.game_id, viewers, room.newest
                )
            except Exception:
                log.exception("Reading the game %s failed", room.game_id)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if boards is None:
                room.finish()
                break
            if boards.version > room.newest or boards.version == before:
                # The board is newer than the hint, or older twice: the hint is wrong.
                room.newest = boards.version
            before = boards.version
            await self._send_boards(room, boards)

    async def _send_boards(self, room: Room, boards: Boards) -> None:
        streams = room.streams_below(boards.version, boards.by_viewer)
        await _write((stream, boards.by_viewer[viewer]) for viewer, stream in streams)

    async def _send_heartbeats(self) -> None:
        for group in cycle(self._heartbeat_groups):
            await asyncio.sleep(HEARTBEAT_SECONDS / HEARTBEAT_GROUPS)
            await _write((stream, HEARTBEAT) for stream in list(group))

    # --- presence --------------------------------------------------------------------------

    def _send_presence_soon(self, room: Room) -> None:
        if not room.crowd.scheduled:
            room.crowd.scheduled = True
            self._spawn(self._send_presence(room))

    async def _send_presence(self, room: Room) -> None:
        """Send the people at a game to its streams, and to the other processes."""
        crowd, count = room.crowd, sum(map(len, room.streams.values()))
        await asyncio.sleep(SECONDS + count / STREAMS_A_SECOND)
        crowd.scheduled = False
        viewers = {viewer: len(streams) for viewer, streams in room.streams.items()}
        found = await self.in_thread(self._source.presence, room.game_id, viewers, room.newest)
        if found is None:
            return
        own = Presence(room.game_id, PROCESS, *found)
        if crowd.to_publish(own):
            await self.in_thread(self._bus().publish, own)
        event, changed = crowd.event()
        newcomers, crowd.newcomers = crowd.newcomers, []
        everybody = [stream for streams in room.streams.values() for stream in streams]
        await _write((stream, event) for stream in (everybody if changed else newcomers))

    async def _keep_noting(self) -> None:
        """Note the people at each game, so that missing people can be told from the others."""
        while True:
            await asyncio.sleep(ATTENDANCE_SECONDS)
            people = {
                game_id: {
                    viewer.player_id
                    for viewer in room.streams
                    if viewer.player_id and viewer.is_there
                }
                for game_id, room in self._rooms.items()
                if any(viewer.player_id or viewer.lobby for viewer in room.streams)
            }
            try:
                await self.in_thread(self._source.note_people, people)
            except Exception:
                log.exception("Noting the people at games failed")

    # --- seekers of opponents ---------------------------------------------------------------

    async def _keep_telling(self) -> None:
        while True:
            await asyncio.sleep(TELL_SECONDS)
            try:
                if self._asked:
                    await self._tell()
            except Exception:
                log.exception("Telling of seekers failed")

    async def _tell(self) -> None:
        """Send the line on a seeker to the streams that have another one."""
        lines = await self.in_thread(self._source.lines, {*self._asked.values()})
        changed = []
        for stream, asked in self._asked.items():
            event = lines.get(asked)
            if event and self._told.get(stream, b"") != (line := event.plain["body"]):
                self._told[stream] = line
                changed.append((stream, event))
        await _write(changed)

    # --- start and end ----------------------------------------------------------------------

    def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Not earlier, because the server raises the limit of open files when it starts.
        limit = self._requested_limit
        self._max_streams = stream_limit() if limit is None else limit
        self._spawn(self._bus().listen(self._on_hint, lambda: self._spawn(self._poll())))
        self._spawn(self._keep_polling())
        self._spawn(self._keep_noting())
        self._spawn(self._keep_telling())
        self._spawn(self._send_heartbeats())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("A task of the hub failed", exc_info=error)

    async def _versions(self, game_ids: Collection[str]) -> Mapping[str, int]:
        return await self.in_thread(self._source.versions, game_ids)

    async def in_thread(self, work: Callable[..., Result], *args: object) -> Result:
        """Return the result of ``work``, which uses the database."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def close(self) -> None:
        """End all streams and accept no more."""
        self._closed = True
        self._loop = None
        for room in list(self._rooms.values()):
            room.finish()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=False)
