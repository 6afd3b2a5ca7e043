"""Stable discs, which can never be flipped again, and their bound on the score."""

from __future__ import annotations

import numpy as np
from numba import uint64

from games.othello.ai.jit import kernel
from games.othello.ai.vectors import popcount

_SHIFTS = np.array([1, 8, 9, 7], np.uint64)


def _inside(shift: int, steps: int) -> int:
    """Return the squares that come ``steps`` steps of ``shift`` after another square in their
    line."""
    row_step, column_step = {1: (0, 1), 8: (1, 0), 9: (1, 1), 7: (1, -1)}[shift]
    inside = 0
    for square in range(64):
        row, column = divmod(square, 8)
        if 0 <= row - steps * row_step < 8 and 0 <= column - steps * column_step < 8:
            inside |= 1 << square
    return inside


_INSIDE = np.array(
    [[_inside(int(shift), steps) for steps in (1, 2, 4)] for shift in _SHIFTS], np.uint64
)
_BORDER = ~np.array(
    [_inside(int(shift), 1) & (_inside(int(shift), 1) >> int(shift)) for shift in _SHIFTS],
    np.uint64,
)
"""The squares that end their line on a full 8x8 board."""


@kernel("uint64(uint64, int64)")
def _swept(squares: int, line: int) -> int:
    """Return all squares on a line (0 row, 1 column, 2 and 3 diagonals) of one of ``squares``."""
    up = squares
    down = squares
    shift = _SHIFTS[line]
    for step in range(3):
        inside = _INSIDE[line, step]
        up |= (up << shift) & inside
        down |= (down & inside) >> shift
        shift += shift
    return up | down


@kernel("uint64(uint64, int64)")
def _beside(squares: int, line: int) -> int:
    shift = _SHIFTS[line]
    return ((squares << shift) & _INSIDE[line, 0]) | ((squares & _INSIDE[line, 0]) >> shift)


@kernel("uint64(uint64, uint64, uint64, int64)")
def _secured(empties: int, off: int, border: int, line: int) -> int:
    return ~_swept(empties, line) | _beside(off, line) | border


@kernel("uint64(uint64, uint64, uint64)")
def stable_discs(discs: int, empties: int, board: int) -> int:
    """Return some stable discs of one side, not necessarily all.

    A disc is stable if each of its four lines is full, or has a stable neighbour or the edge beside
    it."""
    row = _secured(empties, ~board, _BORDER[0], 0)
    column = _secured(empties, ~board, _BORDER[1], 1)
    falling = _secured(empties, ~board, _BORDER[2], 2)
    rising = _secured(empties, ~board, _BORDER[3], 3)
    stable = uint64(0)
    grown = discs & row & column & falling & rising
    while grown != stable:
        stable = grown
        grown = discs & (row | _beside(stable, 0)) & (column | _beside(stable, 1))
        grown &= (falling | _beside(stable, 2)) & (rising | _beside(stable, 3))
        grown |= stable
    return stable


@kernel("int64(uint64, uint64, uint64)")
def score_bound(own: int, opponent: int, board: int) -> int:
    """Return an upper bound of own's final score, since the opponent keeps all stable discs."""
    kept = stable_discs(opponent, board & ~(own | opponent), board)
    return popcount(board) - 2 * popcount(kept)
