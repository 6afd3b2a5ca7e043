"""Boards for streams, read from the database: what the views answer, for everybody at once.

Everything here runs in the hub's few threads and uses the ORM.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable

from django.db import close_old_connections, connection

from games.contract import Position, SeatKey
from games.live.events import Event, board_event
from games.live.subscriptions import Snapshot, Subscription
from games.models import Game, Move, just_played, read_game
from games.presentation.game_page import ViewerContext, viewer_context
from games.presentation.render_cache import Key, answer
from games.registry import all_rules
from games.replay import current_position
from games.storage.cache import LRUCache

IDS_AT_ONCE = 500
"""Parameters of one query; SQLite has had limits from 999 on."""
ATTEMPTS = 3
KEPT, KEPT_BYTES = 500, 16 * 2**20
"""Events, and bytes of them, that are there for those who come late."""


class Database:
    """See `games.live.hub.Source`."""

    def __init__(self) -> None:
        self._events: LRUCache[Key, Event] = LRUCache(
            KEPT, size_of=lambda event: event.size, max_size=KEPT_BYTES
        )
        self._seen = threading.local()

    def versions(self, game_ids: Collection[str], /) -> dict[str, int]:
        """The newest version of each of the games; without those that are gone or whose kind is."""
        _look_after_connection()
        found: dict[str, int] = {}
        known, ids = all_rules(), list(game_ids)
        for start in range(0, len(ids), IDS_AT_ONCE):
            some = Game.objects.filter(pk__in=ids[start : start + IDS_AT_ONCE])
            rows = some.values_list("pk", "version", "kind")
            found.update((pk, version) for pk, version, kind in rows if kind in known)
        return found

    def snapshot(
        self, game_id: str, watchers: Collection[Subscription], newest: int = 0, /
    ) -> Snapshot | None:
        """The boards of ``watchers`` as the game now is; None when it is gone. Of the version
        ``newest``, if that was made by a move of this process: then nothing need be read."""
        if (game := just_played.get((game_id, newest))) is not None:
            return Snapshot(newest, self._lay(game, watchers))
        _look_after_connection()
        for attempts_left in reversed(range(ATTEMPTS)):
            try:
                game = read_game(game_id)
                snapshot = Snapshot(game.version, self._lay(game, watchers))
            except Game.DoesNotExist:
                return None
            except Move.DoesNotExist:
                # Taken back since the game was read.
                if not attempts_left:
                    raise
                continue
            # Not read in one transaction, which would make this a writer in SQLite. A game that
            # has not changed meanwhile was read whole.
            if Game.objects.filter(pk=game_id, version=game.version).exists():
                break
        return snapshot

    def written(self) -> bool:
        """Whether anything may have been written since the last call.

        SQLite counts the commits of other connections, for each connection by itself: a thread
        that was not asked for a while finds more changed than has changed since, never less."""
        _look_after_connection()
        if connection.vendor != "sqlite":
            return True
        with connection.cursor() as cursor:
            count = cursor.execute("PRAGMA data_version").fetchone()[0]
        before = getattr(self._seen, "count", None)
        self._seen.count = count
        return bool(count != before)

    def _lay(self, game: Game, watchers: Iterable[Subscription]) -> dict[Subscription, Event]:
        held = _held_seats(game)
        position = current_position(game)
        boards = {}
        for watcher in watchers:
            player = watcher.player or ""
            alone = set(held) <= {player}
            look = viewer_context(
                held.get(player, frozenset()), watcher.asked, watcher.confirm, alone=alone
            )
            boards[watcher] = self._event(game, position, look, watcher.language)
        return boards

    def _event(self, game: Game, position: Position, look: ViewerContext, language: str) -> Event:
        key = (game.id, game.version, look, language)
        if kept := self._events.get(key):
            return kept
        html = answer(game, position, look, language)
        return self._events.put(key, board_event(game.version, html))


def _look_after_connection() -> None:
    """Let go of a connection that was cut or has grown old, unless a transaction runs on it."""
    if not connection.in_atomic_block:
        close_old_connections()


def _held_seats(game: Game) -> dict[str, frozenset[SeatKey]]:
    """The seats of each player, by the player's id."""
    held: dict[str, frozenset[SeatKey]] = {}
    for seat, place in game.seating.places.items():
        for player in place.players:
            held[str(player)] = held.get(str(player), frozenset()) | {seat}
    return held
