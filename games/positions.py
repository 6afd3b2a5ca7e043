"""Where a game stands: its moves replayed through its rules.

Positions are kept per process by game and ply and may be thrown away at any time. What makes a
kept position right is the id of the move that led to it: ids are never used twice, so neither a
move that was taken back nor another process can make it stale.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from games.contract import MoveError, Position
from games.models import Game, Move

KEPT = 2_000
_kept: OrderedDict[tuple[str, int], tuple[int, Position]] = OrderedDict()
_lock = Lock()


def forget_all() -> None:
    """Empty the cache; nothing but time is lost."""
    with _lock:
        _kept.clear()


def keep(game_id: str, ply: int, move_id: int, position: Position) -> None:
    """Remember a position. The caller must not change it afterwards."""
    with _lock:
        _kept[game_id, ply] = (move_id, position)
        _kept.move_to_end((game_id, ply))
        while len(_kept) > KEPT:
            _kept.popitem(last=False)


def _recall(game_id: str, ply: int, move_id: int) -> Position | None:
    with _lock:
        kept = _kept.get((game_id, ply))
        if kept is None or kept[0] != move_id:
            return None
        _kept.move_to_end((game_id, ply))
    return kept[1].copy()


def _move_id(game: Game, ply: int) -> int:
    if ply == 0:
        return 0
    return Move.objects.values_list("id", flat=True).get(game=game, ply=ply)


def position_at(game: Game, ply: int) -> Position:
    """A position of one's own after ``ply`` moves. Raises Move.DoesNotExist past the last one,
    MoveError when the stored moves do not replay."""
    position = _recall(game.id, ply, _move_id(game, ply))
    if position is None:
        position = _replay(game, ply)
    return position


def _replay(game: Game, ply: int) -> Position:
    """Replay from the nearest position that is kept, and keep the last one."""
    moves = list(Move.objects.filter(game=game, ply__lte=ply).order_by("ply"))
    position, done = _nearest(game, moves)
    for move in moves[done:]:
        position.play(move.seat, move.text)
    keep(game.id, ply, moves[-1].id if moves else 0, position.copy())
    return position


def _nearest(game: Game, moves: Sequence[Move]) -> tuple[Position, int]:
    for move in reversed(moves):
        if kept := _recall(game.id, move.ply, move.id):
            return kept, move.ply
    return game.rules.start(game.setup), 0


@dataclass(frozen=True)
class Verdict:
    """What a replay of a whole game found; ``fault`` is empty when all is well."""

    plies: int
    fault: str = ""
    bad_ply: int | None = None


def verify(game: Game) -> Verdict:
    """Replay every stored move from the setup, past any cache, and compare with the row."""
    position = game.rules.start(game.setup)
    moves = list(game.moves.order_by("ply"))
    for number, move in enumerate(moves, start=1):
        if move.ply != number:
            return Verdict(number - 1, f"ply {number} is missing", number)
        try:
            position.play(move.seat, move.text)
        except MoveError as error:
            return Verdict(number - 1, f"{move.seat} {move.text}: {error}", number)
    return Verdict(len(moves), _difference(game, position, len(moves)))


def _difference(game: Game, position: Position, plies: int) -> str:
    """What the row claims and the replay denies, in words."""
    result = position.result()
    if game.ply != plies:
        return f"the game says {game.ply} plies, {plies} are stored"
    if game.over != (result is not None):
        return f"the game says {game.status}, the replay does not"
    if game.result != result:
        return "the stored result is not the result of the replay"
    if set(game.to_move) != position.to_move():
        return "the stored seats to move are not those of the replay"
    return ""
