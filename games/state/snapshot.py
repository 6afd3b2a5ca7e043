"""The snapshot of a game: its row, its seating, its moves and its position as one value.

A snapshot is read once, in one consistent step, and passed on: services lock one and make the next,
views and streams read one, and presentation is a function of one. Each process caches snapshots by
the game's version, which counts every visible change, so none goes stale."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from games.contract import Position, Result, Rules, SeatKey, SeatSpec
from games.core.refusals import GameEnded, NotBegun, NotYourSeat, StalePly
from games.core.registry import all_rules
from games.core.seating import SEAT_COLUMNS, Seating
from games.models import Game, Holder, Move, Player, Seat
from games.state.lists import last_outcomes
from games.state.outcomes import Offer, offer_after
from games.state.replay import (
    StoredMove,
    Unreadable,
    cache_position,
    check_complete,
    read_specs,
    replay,
    replay_fresh,
)
from games.state.row_faults import mend_row, mend_seating
from games.storage.cache import LRUCache
from games.storage.compiled_queries import CompiledQuery, as_instance, fetch_rows
from games.storage.write_lock import write_transaction

CACHED_SNAPSHOTS = 2_000
LATEST = 30
"""The number of latest games that decide which level to offer."""
OFFER_STANDS = timedelta(days=1)
"""How long the offer of a rematch is news."""
REPLAYED = ("kind", "rules_version", "options", "setup")
"""The columns of a game from which its moves are replayed. No move writes them."""
DERIVED = ("ply", "undone", "status", "to_move", "result_json")
Replay = Callable[[Game, Sequence[StoredMove]], Position]

_snapshots: LRUCache[tuple[str, int], GameSnapshot] = LRUCache(CACHED_SNAPSHOTS)
_game_query = CompiledQuery(lambda: Game.objects.filter(pk="").order_by())
_lock_query = CompiledQuery(
    lambda: (
        Game.objects.select_for_update().filter(pk="").order_by().values_list("version", *REPLAYED)
    )
)
_version_query = CompiledQuery(lambda: Game.objects.filter(pk="").order_by().values_list("version"))
_seat_query = CompiledQuery(
    lambda: (
        Seat.objects.filter(game_id="").order_by("index", "holders__id").values_list(*SEAT_COLUMNS)
    )
)
# Written by hand, since Django's backend for SQLite searches the text of a statement each time.
_ROWS = """SELECT ply, seat, text FROM games_move WHERE game_id = %s
UNION ALL SELECT "index", key, CAST(computer AS text) FROM games_seat WHERE game_id = %s"""
_move_query = CompiledQuery(
    lambda: (
        Move.objects.filter(game_id="")
        .order_by("ply")
        .values_list("id", "ply", "seat", "text", "note")
    )
)


class KindGone(Game.DoesNotExist):
    """Raised for a game whose kind is gone, or whose row has values that its columns have not."""


class Rematch(NamedTuple):
    """The next game of the same people: its host, its offer, its holders, and if it is full."""

    id: str
    host_id: UUID | None
    host: str
    offered: datetime
    begun: bool
    seated: frozenset[UUID]
    full: bool

    @property
    def waits(self) -> bool:
        """Whether it is still news that the host wants it."""
        return not self.begun and datetime.now(UTC) - self.offered < OFFER_STANDS


class Standing(NamedTuple):
    """A position with its answers, which are asked once: the seats to move and the result."""

    position: Position
    to_move: frozenset[SeatKey]
    result: Result | None

    @classmethod
    def of(cls, position: Position) -> Standing:
        """Return the standing of a position, which must not be changed afterwards."""
        result = position.result()
        return cls(position, position.to_move() if result is None else frozenset(), result)


@dataclass(frozen=True, eq=False)
class GameSnapshot:
    """A game as of one version. All its parts are shared and must not be changed.

    ``replayed`` is its standing, or the fault that keeps it from being replayed to its end."""

    game: Game
    rules: Rules
    seating: Seating
    moves: tuple[StoredMove, ...]
    replayed: Standing | Unreadable
    rematch: Rematch | None = None

    @cached_property
    def specs(self) -> tuple[SeatSpec, ...]:
        """The seats as the rules describe them. Raises Unreadable."""
        return read_specs(self.game, self.rules)

    @property
    def standing(self) -> Standing:
        """The current position, the seats to move and the result. Raises as `at`."""
        if isinstance(self.replayed, Unreadable):
            raise Unreadable(self.replayed.text, self.replayed.plies) from self.replayed
        return self.replayed

    @property
    def position(self) -> Position:
        """The current position. Raises as `at`."""
        return self.standing.position

    def at(self, ply: int) -> Position:
        """Return the position after ``ply`` moves. Raises Unreadable for a fault before."""
        if self.fault and ply > self.fault.plies:
            raise Unreadable(self.fault.text, self.fault.plies)
        return self.position if ply == self.game.ply else _replay(self.game, self.moves, ply)

    def standing_at(self, ply: int) -> Standing:
        return self.standing if ply == self.game.ply else Standing.of(self.at(ply))

    def before(self, ply: int) -> GameSnapshot:
        """Return the game as it was after ``ply`` moves, when it was still running, but with its
        present seating and version. Raises as `at`."""
        game, standing = copy(self.game), self.standing_at(ply)
        game.ply, game.status, game.result_json = ply, Game.Status.RUNNING, None
        game.to_move = sorted(standing.to_move)
        game.banner, game.undo_request, game.questions = None, None, None
        moves = self.moves[:ply]
        return replace(self, game=game, moves=moves, replayed=standing, rematch=None)

    @property
    def fault(self) -> Unreadable | None:
        """The fault that keeps the game from being replayed to its end; None for a sound game."""
        return self.replayed if isinstance(self.replayed, Unreadable) else None

    @property
    def last_ply(self) -> int:
        """The last ply whose position can be replayed, which is the newest in a sound game."""
        return self.fault.plies if self.fault else self.game.ply

    @property
    def changeable_level(self) -> int | None:
        """The level of all computers, before any person has moved; else None."""
        computers = self.seating.computers()
        moved = any(move.seat not in computers for move in self.moves)
        return None if moved or self.game.over else self.seating.level

    @cached_property
    def offer(self) -> Offer | None:
        """The level that the only person of a finished game may play next, read once."""
        people = {person for place in self.seating.places.values() for person in place.players}
        if not self.game.over or len(people) != 1 or not self.seating.computers():
            return None
        return offer_after(self.rules, last_outcomes(Player(pk=people.pop()), LATEST))

    def spec(self, key: SeatKey) -> SeatSpec:
        for spec in self.specs:
            if spec.key == key:
                return spec
        raise KeyError(key)

    def is_host(self, player_id: UUID | None) -> bool:
        """Return whether a player has set the game up."""
        return player_id is not None and player_id == self.game.created_by_id

    def seats_of(self, player_id: UUID | None) -> frozenset[SeatKey]:
        return self.seating.held_by(player_id) if player_id else frozenset()

    @property
    def stored_rows(self) -> set[tuple[int, str, str | None]]:
        """The moves, and the levels of the computers on the seats, as the rows have them."""
        places = enumerate(self.seating.places.items())
        levels = {
            (index, key, None if place.level is None else str(place.level))
            for index, (key, place) in places
        }
        return levels.union([move[1:4] for move in self.moves])

    def with_move(self, game: Game, move: StoredMove, standing: Standing) -> GameSnapshot:
        """Return the next snapshot, after a move that has led to ``standing`` and the row ``game``,
        and cache it once the running transaction is committed."""
        after = replace(self, game=game, moves=(*self.moves, move), replayed=standing)

        def cache() -> None:
            cache_position(game, after.moves, standing.position)
            _cache(after)

        transaction.on_commit(cache)
        return after


def read_snapshot(game_id: str) -> GameSnapshot:
    """Read a game as of one version. Raises Game.DoesNotExist, KindGone."""
    while True:
        game = _read_game(game_id)
        cached = _cached_as_stored(game_id, game.version, _values(game, *REPLAYED, *DERIVED))
        if cached is not None:
            return cached
        snapshot = _read_around(game)
        if _is_newest(snapshot):
            _cache_when_committed(snapshot)
            return snapshot


def read_uncached(game_id: str) -> GameSnapshot:
    """Read a game for staff, replayed from its rows alone. Raises as `read_snapshot`."""
    while True:
        snapshot = _read_around(_read_game(game_id), replay_fresh)
        if _is_newest(snapshot):
            return snapshot


def _is_newest(snapshot: GameSnapshot) -> bool:
    """Return whether the game has kept its version, which proves that its rows belong together."""
    return _version_query.rows(snapshot.game.pk) == [(snapshot.game.version,)]


def cached_snapshot(game_id: str, version: int) -> GameSnapshot | None:
    """Return the snapshot of a version, if it is cached, without a query."""
    return _snapshots.get((game_id, version))


@contextmanager
def locked(
    game_id: str,
    player: Player | None = None,
    *,
    seat: SeatKey | None = None,
    at: tuple[int, int] | None = None,
    begun: bool = False,
    running: bool = False,
) -> Iterator[GameSnapshot]:
    """Run the block in a transaction with the newest snapshot of a game, which is locked: of a
    ``player`` with any seat or ``seat``, ``at`` a board, ``begun`` or ``running``, as far as given.
    Raises NotBegun, GameEnded, NotYourSeat, StalePly, or as `read_snapshot`."""
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        if (begun or running) and not snapshot.game.begun:
            raise NotBegun
        if running and snapshot.game.over:
            raise GameEnded
        held = snapshot.seats_of(player.pk) if player else frozenset()
        if player and (not held if seat is None else seat not in held):
            raise NotYourSeat
        if at and at != snapshot.game.board:
            raise StalePly
        yield snapshot


def lock_snapshot(game_id: str) -> GameSnapshot:
    """Lock a game until the running transaction ends, and return its newest snapshot.

    Every writer of a game, its seats or its moves calls this first. PostgreSQL locks the row;
    SQLite is locked as a whole by `write_transaction`. Raises as `read_snapshot`."""
    locked = _lock_query.rows(game_id)
    if not locked:
        raise Game.DoesNotExist
    version, *replayed = locked[0]
    if (cached := _cached_as_stored(game_id, version, replayed)) is not None:
        return cached
    snapshot = _read_around(_read_game(game_id))
    _cache_when_committed(snapshot)
    return snapshot


def _cached_as_stored(game_id: str, version: int, values: Sequence[Any]) -> GameSnapshot | None:
    """Return the cached snapshot of a version with these values of its row, and the stored moves
    and seats; else None: rows that are changed by hand keep their version."""
    cached = _snapshots.get((game_id, version))
    if (
        cached is not None
        and cached.fault is None
        and _values(cached.game, *(*REPLAYED, *DERIVED)[: len(values)]) == [*values]
        and cached.stored_rows == set(fetch_rows(_ROWS, game_id, game_id))
    ):
        return cached
    return None


def _values(game: Game, *names: str) -> list[Any]:
    return [getattr(game, name) for name in names]


def _read_game(game_id: str) -> Game:
    """Read the row of a game. Raises Game.DoesNotExist, KindGone."""
    try:
        rows = _game_query.rows(game_id)
    except (TypeError, ValueError) as error:
        raise KindGone from error
    for row in rows:
        game = mend_row(as_instance(Game, row))
        if game.kind not in all_rules():
            raise KindGone
        return game
    raise Game.DoesNotExist


def _read_around(game: Game, replayed_by: Replay = replay) -> GameSnapshot:
    moves = tuple(StoredMove(*row) for row in _move_query.rows(game.pk))
    # A row that counts too few is wrong: no move is lost, and the next one mends the row.
    game.ply = max(game.ply, len(moves))
    seating = Seating.of_rows(_seat_query.rows(game.pk))
    replayed: Standing | Unreadable
    try:
        seating = mend_seating(seating, read_specs(game, game.rules))
        replayed = Standing.of(_replay(game, moves, game.ply, replayed_by))
    except Unreadable as fault:
        # No page shows the moves after a fault, which need not be moves at all.
        replayed, moves = fault, moves[: fault.plies]
    return GameSnapshot(
        game=game,
        rules=game.rules,
        seating=seating,
        moves=moves,
        replayed=replayed,
        rematch=_read_rematch(game),
    )


def _replay(
    game: Game, moves: tuple[StoredMove, ...], ply: int, replayed_by: Replay = replay
) -> Position:
    first = moves[:ply]
    check_complete(first, ply)
    return replayed_by(game, first)


def _read_rematch(game: Game) -> Rematch | None:
    found = Game.objects.filter(rematch_of=game.pk) if game.over else Game.objects.none()
    columns = ("id", "created_by", "created_by__name", "created", "begun")
    for game_id, host_id, host, offered, begun in found.values_list(*columns):
        held = Holder.objects.filter(seat__game=game_id).values_list("player", flat=True)
        full = begun and not Seat.objects.filter(game=game_id, players=None, computer=None).exists()
        return Rematch(game_id, host_id, host or "", offered, begun, frozenset(held), full)
    return None


def _cache_when_committed(snapshot: GameSnapshot) -> None:
    """Cache a snapshot once no rollback of the running transaction can undo any part of it."""
    if connection.in_atomic_block:
        transaction.on_commit(partial(_cache, snapshot))
    else:
        _cache(snapshot)


def _cache(snapshot: GameSnapshot) -> None:
    _snapshots.put((snapshot.game.id, snapshot.game.version), snapshot)
