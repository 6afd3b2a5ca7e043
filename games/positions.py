"""Where a game stands: its moves replayed through its rules.

Positions are kept per process by game and ply. What makes a kept position right is the id of the
move that led to it: ids are never used twice, so neither a move that was taken back nor another
process can make it stale. Where a game stands now is kept by its version besides, for which
nothing has to be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.contract import MoveError, Position
from games.kept import Kept
from games.models import Game, Move

_kept: Kept[tuple[str, int], tuple[int, Position]] = Kept(2_000)
_now: Kept[tuple[str, int], Position] = Kept(2_000)


def keep(game: Game, move_id: int, position: Position) -> None:
    """Remember where a game stands, as it is committed. Nobody may change it afterwards."""
    _kept.keep((game.id, game.ply), (move_id, position))
    _now.keep((game.id, game.version), position)


def position_now(game: Game) -> Position:
    """A position of one's own of a game as it was read. Raises as `position_at`."""
    found = _now.find((game.id, game.version))
    if found is None:
        found = _now.keep((game.id, game.version), position_at(game, game.ply))
    return found.copy()


def _recall(game_id: str, ply: int, move_id: int) -> Position | None:
    kept = _kept.find((game_id, ply))
    return kept[1].copy() if kept is not None and kept[0] == move_id else None


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
    _kept.keep((game.id, ply), (moves[-1].id if moves else 0, position.copy()))
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
