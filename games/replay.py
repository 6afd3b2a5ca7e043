"""Where a game stands: its moves replayed through its rules.

Positions are kept per process by game and ply. What makes a kept position right is the id of the
move that led to it: ids are never used twice, so neither a move that was taken back nor another
process can make it stale. Where a game stands now is kept by its version besides, for which
nothing has to be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.contract import MoveError, Position, Rules, Text, text
from games.models import Game, Move
from games.registry import all_rules
from games.storage.cache import LRUCache
from games.storage.compiled_queries import CompiledQuery


class Unreadable(Exception):
    """A game of which not even the first position can be made; ``text`` says why."""

    def __init__(self, reason: Text) -> None:
        self.text = reason
        super().__init__(str(reason))


class Stored(NamedTuple):
    """A stored move, as a replay needs it."""

    id: int
    ply: int
    seat: str
    text: str


_NO_MOVE = Stored(0, 0, "", "")
_moves_of = CompiledQuery(
    lambda: (
        Move.objects.filter(game_id="", ply__gte=1, ply__lte=1)
        .order_by("ply")
        .values_list("id", "ply", "seat", "text")
    )
)
MOST_KEPT = 2_000
_kept: LRUCache[tuple[str, int], tuple[int, Position]] = LRUCache(MOST_KEPT)
_now: LRUCache[tuple[str, int], Position] = LRUCache(MOST_KEPT)


def keep(game: Game, move_id: int, position: Position) -> None:
    """Remember where a game stands, as it is committed. Nobody may change it afterwards."""
    _kept.put((game.id, game.ply), (move_id, position))
    _now.put((game.id, game.version), position)


def rules_of(game: Game) -> Rules:
    """The rules of a game's kind. Raises Unreadable when that kind's folder is gone."""
    if game.kind not in all_rules():
        raise Unreadable(text("There is no game of the kind “%(kind)s” here.", kind=game.kind))
    return game.rules


def _start(game: Game) -> Position:
    """The first position. Raises Unreadable."""
    rules = rules_of(game)
    try:
        return rules.start(game.setup)
    except Exception as error:
        # Rules read what they have dealt; of anything else they may stumble over whatever it is.
        raise Unreadable(text("The setup of this game cannot be read.")) from error


def current_position(game: Game) -> Position:
    """A position of one's own of a game as it was read. Raises as `position_at`."""
    found = _now.get((game.id, game.version))
    if found is None:
        found = _now.put((game.id, game.version), position_at(game, game.ply))
    return found.copy()


def position_at(game: Game, ply: int) -> Position:
    """A position of one's own after ``ply`` moves. Raises Move.DoesNotExist past the last one,
    MoveError when the stored moves do not replay, Unreadable."""
    before, move_id, position = _nearest(game, ply)
    led_there, *moves = _read(game, before, ply)
    if led_there.id != move_id:
        # That move was taken back.
        position = _start(game)
        moves = _read(game, 0, ply)[1:]
    for move in moves:
        position.play(move.seat, move.text)
    last = moves[-1] if moves else led_there
    _kept.put((game.id, ply), (last.id, position.copy()))
    return position


def _nearest(game: Game, ply: int) -> tuple[int, int, Position]:
    """The last position at or before a ply that is kept, with its ply and the id of the move that
    led to it; where none is, the start."""
    for before in range(ply, max(ply - MOST_KEPT, -1), -1):
        if (kept := _kept.get((game.id, before))) is not None:
            move_id, position = kept
            return before, move_id, position.copy()
    return 0, _NO_MOVE.id, _start(game)


def _read(game: Game, first: int, last: int) -> list[Stored]:
    """The moves from ``first`` to ``last``, both with; `_NO_MOVE` in the place of ply 0. Raises
    Move.DoesNotExist where one was taken back meanwhile."""
    moves = [_NO_MOVE] if first == 0 else []
    if last > 0:
        moves += [Stored(*row) for row in _moves_of.rows(game.pk, first, last)]
    if not moves or moves[-1].ply != last:
        raise Move.DoesNotExist(f"{game} has no ply {last}")
    return moves


@dataclass(frozen=True)
class Verification:
    """What a replay of a whole game found; ``fault`` is None when all is well."""

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
            return Verification(number - 1, text("ply %(ply)s is missing", ply=number), number)
        try:
            position.play(move.seat, move.text)
        except MoveError as error:
            values = {"move": move.text, "seat": move.seat, "reason": error.text}
            fault = text("%(move)s (%(seat)s): %(reason)s", **values)
            return Verification(number - 1, fault, number)
    return Verification(len(moves), _difference(game, position, len(moves)))


def _difference(game: Game, position: Position, plies: int) -> Text | None:
    """What the row claims and the replay denies, in words."""
    result = position.result()
    if game.ply != plies:
        return text("the game says %(said)s plies, %(n)s are stored", said=game.ply, n=plies)
    if game.over != (result is not None):
        return text("the game says “%(status)s”, the replay does not", status=game.status)
    # As it is stored: whatever else may stand there is not it either.
    if game.result_json != (result.to_json() if result else None):
        return text("the stored result is not the result of the replay")
    if set(game.to_move) != position.to_move():
        return text("the stored seats to move are not those of the replay")
    return None
