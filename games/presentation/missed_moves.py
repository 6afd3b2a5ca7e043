"""What has happened since somebody moved last: more than one move, where several others play."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile

from games.contract import SeatKey, Text
from games.models import Game
from games.move_list import MoveEntry
from games.presentation.visibility import view_for
from games.replay import position_at

MOST = 12
"""Moves that are told at most: who comes back after days is not told the whole game."""


@dataclass(frozen=True)
class MissedMoves:
    """The moves before the newest one: the sentences that tell each, and the cells they touched."""

    told: Sequence[Sequence[Text]] = ()
    cells: frozenset[str] = frozenset()


def missed_moves(
    game: Game, moves: Sequence[MoveEntry], seats: Collection[SeatKey], look: SeatKey | None
) -> MissedMoves:
    """What others have played since one of ``seats`` moved, but for the newest move, seen through
    ``look``; ``moves`` are the last ones of the game as it was read. Nothing for a spectator, who
    saw them all, nor for who was out of the game before the newest move and looks on like one.
    Raises as `position_at`."""
    others = [*takewhile(lambda move: move.seat not in seats, reversed(moves))] if seats else []
    # They come newest first, and are told in the order in which they were made.
    missed = others[1 : MOST + 1][::-1]
    if not missed:
        return MissedMoves()
    position = position_at(game, missed[0].ply - 1)
    views = [view_for(position.play(move.seat, move.text), look) for move in missed]
    if not any(position.is_active(seat) for seat in seats):
        return MissedMoves()
    cells = frozenset(cell for view in views for cell in view["last"])
    return MissedMoves([list(view["events"]) for view in views], cells)
