"""Missed moves: those of the others since a player last moved, apart from the newest one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from games.contract import Text
from games.presentation.names import call_by_name
from games.presentation.sight import Sight
from games.presentation.visibility import view_for

MOST = 12
"""Moves that are listed at most: after days away nobody reads a whole game."""


@dataclass(frozen=True)
class MissedMoves:
    """The sentences for each missed move, and the cells that these moves touched."""

    told: Sequence[Sequence[Text]] = ()
    cells: frozenset[str] = frozenset()


def missed_moves(seen: Sight) -> MissedMoves:
    """Return the moves of others since the viewer last moved, without the newest move. Spectators
    have missed nothing, and neither have players who were eliminated before the newest move, nor
    readers of an earlier board."""
    snapshot, seats = seen.snapshot, seen.seen_by.seats
    if not seats or not seen.live:
        return MissedMoves()
    others = [*takewhile(lambda move: move.seat not in seats, reversed(snapshot.moves))]
    # They are collected newest first, and listed in the order in which they were made.
    missed = others[1 : MOST + 1][::-1]
    if not missed:
        return MissedMoves()
    positions = [snapshot.at(move.ply) for move in missed]
    if not any(positions[-1].is_active(seat) for seat in seats):
        return MissedMoves()
    views = [view_for(position, seen.viewpoint) for position in positions]
    cells = frozenset(cell for view in views for cell in view["last"])
    told = [[call_by_name(sentence, seen.names) for sentence in view["events"]] for view in views]
    return MissedMoves(told, cells)
