"""Positions, rebuilt by replaying stored moves through the rules of their game.

Positions are cached per process by game and by the id of the move that led to them. Ids are never
used twice, so neither an undone move nor another process can make a cached position stale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.contract import MoveError, Position, Rules, SeatSpec, Text, text
from games.models import Game
from games.registry import all_rules
from games.storage.cache import LRUCache

CACHED_POSITIONS = 2_000
START = 0
"""Stands for the id of a move in the cache key of a first position."""

_positions: LRUCache[tuple[str, int], Position] = LRUCache(CACHED_POSITIONS)


class Unreadable(Exception):
    """A game whose stored row cannot be turned into a position; ``text`` says why."""

    def __init__(self, reason: Text) -> None:
        self.text = reason
        super().__init__(str(reason))


class StoredMove(NamedTuple):
    """A move as it is stored; ``ply`` counts from 1, ``note`` is a computer's, as JSON."""

    id: int
    ply: int
    seat: str
    text: str
    note: Any = None


def rules_of(game: Game) -> Rules:
    """Return the rules of a game's kind. Raises Unreadable when that kind's folder is gone."""
    if game.kind not in all_rules():
        raise Unreadable(text("This site has no game “%(kind)s”.", kind=game.kind))
    return game.rules


def read_specs(game: Game) -> tuple[SeatSpec, ...]:
    """Return a game's seats as its rules describe them. Raises Unreadable."""
    rules = rules_of(game)
    try:
        return rules.seats(game.options)
    except Exception as error:
        # Rules read the options that they have cleaned; damaged ones may raise anything.
        raise Unreadable(text("The options of this game are unreadable.")) from error


def cache_position(game_id: str, move_id: int, position: Position) -> None:
    """Cache the position after a committed move. Nobody may change ``position`` afterwards."""
    _positions.put((game_id, move_id), position)


def replay(game: Game, moves: Sequence[StoredMove]) -> Position:
    """Return the position after ``moves``, the first ones of ``game``: shared, for reading only.

    Raises MoveError when a move does not replay, Unreadable.
    """
    known, position = _closest_cached(game, moves)
    if known < len(moves):
        position = position.copy()
        for move in moves[known:]:
            position.play(move.seat, move.text)
        cache_position(game.id, moves[-1].id, position)
    return position


def _closest_cached(game: Game, moves: Sequence[StoredMove]) -> tuple[int, Position]:
    """Return the last cached position on the way to the end of ``moves``, and its ply."""
    for ply in range(len(moves), 0, -1):
        if (cached := _positions.get((game.id, moves[ply - 1].id))) is not None:
            return ply, cached
    key = (game.id, START)
    return 0, _positions.get(key) or _positions.put(key, _start(game))


def _start(game: Game) -> Position:
    """Return the first position. Raises Unreadable."""
    rules = rules_of(game)
    try:
        return rules.start(game.setup)
    except Exception as error:
        # Rules read the setup that they have dealt; a damaged one may raise anything.
        raise Unreadable(text("The setup of this game is unreadable.")) from error


@dataclass(frozen=True)
class Verification:
    """The outcome of replaying a whole game; ``fault`` is None for a sound game."""

    plies: int
    fault: Text | None = None
    bad_ply: int | None = None


def verify(game: Game) -> Verification:
    """Replay every stored move from the setup, past any cache, and compare with the row."""
    try:
        position = _start(game)
    except Unreadable as error:
        return Verification(0, error.text)
    moves = list(game.moves.order_by("ply"))
    for number, move in enumerate(moves, start=1):
        if move.ply != number:
            return Verification(number - 1, text("move %(ply)s is missing", ply=number), number)
        try:
            position.play(move.seat, move.text)
        except MoveError as error:
            values = {"move": move.text, "seat": move.seat, "reason": error.text}
            fault = text("%(move)s (%(seat)s): %(reason)s", **values)
            return Verification(number - 1, fault, number)
    return Verification(len(moves), _difference(game, position, len(moves)))


def _difference(game: Game, position: Position, plies: int) -> Text | None:
    """Return in words the first claim of the row that the replay denies."""
    result = position.result()
    if game.ply != plies:
        return text("the game counts %(said)s moves, but %(n)s are stored", said=game.ply, n=plies)
    if game.over != (result is not None):
        return text("the game is marked “%(status)s”, but its replay is not", status=game.status)
    # As JSON: a damaged column need not be a result at all.
    if game.result_json != (result.to_json() if result else None):
        return text("the stored result differs from the replay")
    if set(game.to_move) != position.to_move():
        return text("the stored seats to move differ from the replay")
    return None
