"""The evaluation of the first training games: mobility and corners, weighted by hand."""

from __future__ import annotations

import numpy as np

from games.othello.ai.memory import Deviations
from games.othello.ai.patterns import OPPONENT_MOVES, OWN_MOVES, PHASES, SHAPES, SIZE, UNIT, Weights

_MOVE, _CORNER, _X_SQUARE = 0.7, 8.0, 3.0
"""Weights, in discs, of a legal move, a corner, and an X square beside an empty corner."""


def first_weights() -> Weights:
    """Return the same weights for all phases, shape (PHASES, SIZE)."""
    values = np.zeros(SIZE)
    counts = np.arange(32)
    values[OWN_MOVES:OPPONENT_MOVES] = _MOVE * counts
    values[OPPONENT_MOVES:] = -_MOVE * counts
    corner = next(shape for shape in SHAPES if shape.name == "corner 3x3")
    index = np.arange(corner.size)
    at_corner, at_x = index % 3 - 1, index // 3**4 % 3 - 1
    worth = _CORNER * at_corner - _X_SQUARE * at_x * (at_corner == 0)
    values[corner.offset : corner.offset + corner.size] = worth
    return np.tile(np.round(UNIT * values), (PHASES, 1)).astype(np.int16)


def first_deviations() -> Deviations:
    """Return guessed standard deviations, until they are measured: 3 to 6 discs."""
    empties, depth = np.mgrid[0:65, 0:65]
    return UNIT * (3.0 + 0.02 * empties + 0.1 * depth)
