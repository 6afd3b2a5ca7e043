"""Missed moves: those of the others since a player last moved, apart from the newest one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile

from games.contract import SeatKey, Text
from games.presentation.names import call_by_name, seat_names
from games.presentation.visibility import view_for
from games.state.snapshot import GameSnapshot

MOST = 12
"""Moves that are listed at most: after days away nobody reads a whole game."""


@dataclass(frozen=True)
class MissedMoves:
    """The sentences for each missed move, and the cells that these moves touched."""

    told: Sequence[Sequence[Text]] = ()
    cells: frozenset[str] = frozenset()


def missed_moves(
    snapshot: GameSnapshot, seats: Collection[SeatKey], look: SeatKey | None
) -> MissedMoves:
    """Return the moves of others since one of ``seats`` last moved, without the newest move, as
    seen from the perspective ``look``. Spectators have missed nothing, and neither have players who
    were eliminated before the newest move.
    """
    if not seats:
        return MissedMoves()
    others = [*takewhile(lambda move: move.seat not in seats, reversed(snapshot.moves))]
    # They are collected newest first, and listed in the order in which they were made.
    missed = others[1 : MOST + 1][::-1]
    if not missed:
        return MissedMoves()
    positions = [snapshot.at(move.ply) for move in missed]
    if not any(positions[-1].is_active(seat) for seat in seats):
        return MissedMoves()
    views = [view_for(position, look) for position in positions]
    cells = frozenset(cell for view in views for cell in view["last"])
    names = seat_names(snapshot)
    told = [[call_by_name(sentence, names) for sentence in view["events"]] for view in views]
    return MissedMoves(told, cells)
