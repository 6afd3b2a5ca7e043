"""Positions, rebuilt by replaying stored moves through the rules of their game.

Each process caches positions by game and by the id of the move that led to them, with the setup and
the moves of which they were made. Ids are never reused, so neither an undo nor another process can
make a cached position stale, and rows that are changed by hand are no longer those of which it was
made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.contract import Explained, MoveError, OlderRules, Position, Rules, SeatSpec, Text, text
from games.core.registry import all_rules
from games.models import Game
from games.state.row_faults import row_fault
from games.storage.cache import LRUCache

CACHED_POSITIONS = 2_000
START = 0
"""Stands for the move id in the cache key of a first position."""

_positions: LRUCache[tuple[str, int], _Made] = LRUCache(CACHED_POSITIONS)


class Unreadable(Explained):
    """Raised for a game whose rows give no position after ``plies`` moves."""

    def __init__(self, reason: Text, plies: int = 0) -> None:
        self.plies = plies
        super().__init__(reason)


class StoredMove(NamedTuple):
    """A stored move; ``ply`` counts from 1, and ``note`` is a computer's note as JSON."""

    id: int
    ply: int
    seat: str
    text: str
    note: Any = None


class _Made(NamedTuple):
    """A position, and the setup and the moves of which it was made."""

    position: Position
    setup: Any
    moves: tuple[StoredMove, ...]


def rules_of(game: Game) -> Rules:
    """Return the rules of a game's kind. Raises Unreadable if the folder of the kind is gone."""
    if game.kind not in all_rules():
        raise Unreadable(text("This site has no game “%(kind)s”.", kind=game.kind))
    return game.rules


def read_specs(game: Game, rules: Rules) -> tuple[SeatSpec, ...]:
    """Return a game's seats as its ``rules`` describe them. Raises Unreadable."""
    try:
        if not isinstance(game.options, dict):
            raise TypeError(game.options)
        return rules.seats(game.options)
    except Exception as error:
        # Rules expect options that they have cleaned, so damaged ones may raise anything.
        raise Unreadable(text("The options of this game are unreadable.")) from error


def cache_position(game: Game, moves: Sequence[StoredMove], position: Position) -> None:
    """Cache the position after committed moves; it must not be changed afterwards."""
    _positions.put((game.id, moves[-1].id), _Made(position, game.setup, tuple(moves)))


def replay(game: Game, moves: Sequence[StoredMove]) -> Position:
    """Return the position after the first ``moves`` of ``game``, which is shared and must not be
    changed. Raises Unreadable, after caching the last position before a fault."""
    moves = tuple(moves)
    known, position = _closest_cached(game, moves)
    if known == len(moves):
        return position
    position, older = position.copy(), _older(game)
    for done, move in enumerate(moves[known:], start=known):
        try:
            position.replay(move.seat, older.move(move.text))
        except MoveError as error:
            if done:
                cache_position(game, moves[:done], position)
            raise _unplayable(move, error) from error
    cache_position(game, moves, position)
    return position


def _unplayable(move: StoredMove, error: MoveError) -> Unreadable:
    values = {"ply": move.ply, "move": move.text, "seat": move.seat, "reason": error.text}
    reason = text("Move %(ply)s can’t be replayed: %(move)s (%(seat)s): %(reason)s", **values)
    return Unreadable(reason, move.ply - 1)


def _closest_cached(game: Game, moves: tuple[StoredMove, ...]) -> tuple[int, Position]:
    for ply in range(len(moves), -1, -1):
        cached = _positions.get((game.id, moves[ply - 1].id if ply else START))
        if cached and cached.moves == moves[:ply] and cached.setup == game.setup:
            return ply, cached.position
    position = _start(game)
    _positions.put((game.id, START), _Made(position, game.setup, ()))
    return 0, position


def _start(game: Game) -> Position:
    rules, older = rules_of(game), _older(game)
    try:
        return (older.start or rules.start)(game.setup)
    except Exception as error:
        # Rules expect a setup that they have dealt, so a damaged one may raise anything.
        raise Unreadable(text("The setup of this game is unreadable.")) from error


_PRESENT = OlderRules()


def _older(game: Game) -> OlderRules:
    """Return the rules of the version of ``game``. Raises Unreadable if they are gone."""
    rules = rules_of(game)
    if game.rules_version == rules.version:
        return _PRESENT
    if game.rules_version in rules.older:
        return rules.older[game.rules_version]
    values = {"version": game.rules_version}
    raise Unreadable(text("This site no longer has version %(version)s of the rules.", **values))


@dataclass(frozen=True)
class Verification:
    """The moves of a whole game that replay, and the fault after them, None for a sound one."""

    plies: int
    fault: Text | None = None


def verify(game: Game) -> Verification:
    """Replay every stored move from the setup without any cache, and compare the result with the
    row. A game that has changed meanwhile is read again, since its rows are read one after the
    other; one that is gone has no fault."""
    while (found := _verify_once(game)).fault is not None:
        now = type(game)._default_manager.using(game._state.db).filter(pk=game.pk).first()
        if now is None:
            return Verification(0)
        if now.version == game.version:
            break
        game = now
    return found


def _verify_once(game: Game) -> Verification:
    rows = game.moves.order_by("ply").values_list("id", "ply", "seat", "text")
    moves = [StoredMove(*row) for row in rows]
    try:
        position, specs = replay_fresh(game, moves), read_specs(game, game.rules)
    except Unreadable as error:
        return Verification(error.plies, error.text)
    fault = _difference(game, position, len(moves)) or row_fault(game, specs)
    return Verification(len(moves), fault)


def replay_fresh(game: Game, moves: Sequence[StoredMove]) -> Position:
    """Return the position after ``moves``, the first ones of ``game``, from its setup without any
    cache: the rows may have been changed by hand since they were cached. Raises Unreadable."""
    position, older = _start(game), _older(game)
    check_complete(moves, len(moves))
    for move in moves:
        try:
            position.replay(move.seat, older.move(move.text))
        except MoveError as error:
            raise _unplayable(move, error) from error
    return position


def check_complete(moves: Sequence[StoredMove], plies: int) -> None:
    """Raise Unreadable unless ``moves`` are those of all ``plies`` from the first on."""
    if len(moves) == plies and (not moves or moves[-1].ply == plies):
        return
    whole = next((n for n, move in enumerate(moves) if move.ply != n + 1), len(moves))
    raise Unreadable(text("Move %(ply)s is missing.", ply=whole + 1), whole)


def _difference(game: Game, position: Position, plies: int) -> Text | None:
    """Return in words how the row differs from the replayed position, None if not at all."""
    result = position.result()
    if game.ply != plies:
        return text("the game counts %(said)s moves, but %(n)s are stored", said=game.ply, n=plies)
    if game.over != (result is not None):
        return text("the game is marked “%(status)s”, but its replay is not", status=game.status)
    # Compared as JSON, since a damaged column need not be a result at all.
    if game.result_json != (result.to_json() if result else None):
        return text("the stored result differs from the replay")
    # In a lobby nobody is to move yet.
    waiting = position.to_move() if game.begun else frozenset()
    if not isinstance(game.to_move, list) or set(map(str, game.to_move)) != waiting:
        return text("the stored seats to move differ from the replay")
    return None
