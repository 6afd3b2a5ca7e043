"""Boards for streams: the same HTML that views send, made in the hub's few threads for all viewers
of a game, and a loader of versions, which batches queries."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from uuid import UUID

from django.db import close_old_connections, connection
from django.utils import translation

from games.core.registry import all_rules
from games.live.events import SHUT, Asked, Boards, Event, Reader, board_event, line_event
from games.models import Game
from games.presentation.game_page import Key, render_update
from games.presentation.lists import render_seeker
from games.presentation.visibility import Perspective, Viewer, perspective
from games.services.absence import note_people
from games.services.seeking import seeker_for, seekers
from games.state.identity import player_of
from games.state.seat_rights import is_shut_out
from games.state.snapshot import GameSnapshot, cached_snapshot, read_snapshot
from games.storage.cache import LRUCache

IDS_AT_ONCE = 500
"""Parameters of one query; SQLite has had limits from 999 on."""
EVENTS, EVENT_BYTES = 500, 16 * 2**20
"""Limits of the cache of events, from which late viewers are served."""


class Database:
    """See `games.live.hub.Source`."""

    def __init__(self) -> None:
        self._events: LRUCache[Key, Event] = LRUCache(
            EVENTS, size_of=lambda event: event.size, max_size=EVENT_BYTES
        )
        self._seen = threading.local()
        self._closed: set[str] = set()

    def versions(self, game_ids: Collection[str], /) -> dict[str, int]:
        check_connection()
        found: dict[str, int] = {}
        known, ids = all_rules(), list(game_ids)
        for start in range(0, len(ids), IDS_AT_ONCE):
            some = Game.objects.filter(pk__in=ids[start : start + IDS_AT_ONCE])
            rows = list(some.values_list("pk", "version", "kind", "closed"))
            found.update((pk, version) for pk, version, kind, _ in rows if kind in known)
            for pk, _, _, closed in rows:
                (self._closed.add if closed else self._closed.discard)(pk)
        return found

    def is_closed(self, game_id: str) -> bool:
        """Return whether a game was closed to watchers when its version was last read. It asks no
        database, since thousands of streams may be opened at once."""
        return game_id in self._closed

    def admits(self, game_id: str, viewer: Viewer, newest: int = 0, /) -> bool:
        snapshot = self._snapshot(game_id, newest)
        return snapshot is not None and not is_shut_out(snapshot, viewer.player_id)

    def boards(
        self, game_id: str, viewers: Collection[Viewer], newest: int = 0, /
    ) -> Boards | None:
        """Return the boards of the newest version for ``viewers``; None if the game is gone or
        faulty. It takes no query if this process has cached ``newest``."""
        snapshot = self._snapshot(game_id, newest)
        if snapshot is None or snapshot.fault:
            return None
        return Boards(snapshot.game.version, self._render(snapshot, viewers))

    def player(self, device_id: UUID, /) -> UUID | None:
        check_connection()
        return player_of(device_id)

    def presence(
        self, game_id: str, viewers: Mapping[Viewer, int], newest: int = 0, /
    ) -> tuple[str, int] | None:
        people = {viewer.player_id for viewer in viewers if viewer.player_id}
        guests = sum(count for viewer, count in viewers.items() if viewer.player_id is None)
        if not people and not any(viewer.lobby for viewer in viewers):
            # If thousands of guests come back at once, their games need no query.
            return "", guests
        snapshot = self._snapshot(game_id, newest)
        if snapshot is None or not snapshot.game.begun:
            return None
        seats = {seat for player in people for seat in snapshot.seats_of(player)}
        watching = sum(not snapshot.seats_of(player) for player in people)
        return ",".join(sorted(seats)), guests + watching

    def lines(self, asked: Collection[Asked], /) -> Mapping[Asked, Event]:
        check_connection()
        waiting, found, made = seekers(), {}, {}
        for each in asked:
            seeker = seeker_for(each.player_id, each.kind, waiting)
            key = each.language, seeker and seeker[:2]
            if key not in made:
                with translation.override(each.language):
                    made[key] = line_event(render_seeker(*seeker) if seeker else "")
            found[each] = made[key]
        return found

    def note_people(self, people: Mapping[str, Collection[UUID]], /) -> None:
        check_connection()
        ids = list(people)
        for start in range(0, len(ids), IDS_AT_ONCE):
            note_people({game_id: people[game_id] for game_id in ids[start : start + IDS_AT_ONCE]})

    def written(self) -> bool:
        """Return whether anything may have been written since the last call, or for a thread that
        has not asked for a while earlier: SQLite counts for each connection."""
        check_connection()
        if connection.vendor != "sqlite":
            return True
        with connection.cursor() as cursor:
            count = cursor.execute("PRAGMA data_version").fetchone()[0]
        before = getattr(self._seen, "count", None)
        self._seen.count = count
        return bool(count != before)

    def _snapshot(self, game_id: str, newest: int) -> GameSnapshot | None:
        if (snapshot := cached_snapshot(game_id, newest)) is not None:
            return snapshot
        check_connection()
        try:
            return read_snapshot(game_id)
        except Game.DoesNotExist:
            return None

    def _render(self, snapshot: GameSnapshot, viewers: Iterable[Viewer]) -> dict[Viewer, Event]:
        return {viewer: self._shown(snapshot, viewer) for viewer in viewers}

    def _shown(self, snapshot: GameSnapshot, viewer: Viewer) -> Event:
        if is_shut_out(snapshot, viewer.player_id):
            return SHUT
        if isinstance(viewer, Reader):
            return viewer.event(snapshot)
        return self._event(snapshot, perspective(snapshot, viewer))

    def _event(self, snapshot: GameSnapshot, seen_by: Perspective) -> Event:
        key = (snapshot.game.id, snapshot.game.version, seen_by)
        if cached := self._events.get(key):
            return cached
        with translation.override(seen_by.language):
            html = render_update(snapshot, seen_by)
        return self._events.put(key, board_event(snapshot.game.version, html))


def check_connection() -> None:
    """Close a broken or expired connection, unless a transaction is running on it."""
    if not connection.in_atomic_block:
        close_old_connections()


Read = Callable[[Collection[str]], Awaitable[Mapping[str, int]]]


class VersionLoader:
    """Loads the versions of games in batches: callers that arrive during a query share the next
    one, so thousands of browsers that reconnect at once cause a few."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._waiting: dict[str, asyncio.Future[int | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def newest(self, game_id: str) -> int | None:
        """Return the game's version, read after this call; None without it. Raises any error."""
        while True:
            try:
                return await self._future(game_id)
            except asyncio.CancelledError:
                # Another caller was cancelled, and this shared future with it. Shielding each
                # caller would take time that grows with the number of callers.
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise

    def _future(self, game_id: str) -> asyncio.Future[int | None]:
        future = self._waiting.get(game_id)
        if future is None or future.cancelled():
            future = self._waiting[game_id] = asyncio.get_running_loop().create_future()
            if self._task is None:
                self._task = asyncio.create_task(self._run())
        return future

    async def _run(self) -> None:
        while self._waiting:
            # Callers in the same iteration of the event loop join the batch.
            await asyncio.sleep(0)
            waiting, self._waiting = self._waiting, {}
            try:
                versions = await self._read(list(waiting))
            except Exception as error:
                _resolve(waiting, error)
            else:
                _resolve(waiting, versions)
        self._task = None


def _resolve(
    waiting: Mapping[str, asyncio.Future[int | None]], versions: Mapping[str, int] | Exception
) -> None:
    for game_id, future in waiting.items():
        if future.cancelled():
            continue
        if isinstance(versions, Exception):
            future.set_exception(versions)
            # Retrieved here: all callers may be gone, and asyncio would log an unread exception.
            future.exception()
        else:
            future.set_result(versions.get(game_id))
