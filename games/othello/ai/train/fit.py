"""Ridge regression of the pattern weights, by conjugate gradients on the normal equations.

A position is a sparse row of ones: one column for each of its patterns (mirrored ones sharing a
column) and for its two counts of moves. With rows X, values y and ridge k the weights w solve
(X'X + k I) w = X'y; X'X is never built. Preconditioned by its diagonal.
"""

from __future__ import annotations

import numpy as np
from numba import int64
from numpy.typing import NDArray

from games.othello.ai.bits import FULL, legal_moves
from games.othello.ai.jit import kernel
from games.othello.ai.patterns import (
    CANONICAL,
    LANES,
    OFFSETS,
    OPPONENT_MOVES,
    OWN_MOVES,
    PATTERNS,
    SIZE,
    UNIT,
    Features,
    set_features,
)
from games.othello.ai.train.games import Positions
from games.othello.ai.vectors import popcount

Columns = NDArray[np.int32]
"""Shape (n, PATTERNS + 2): the columns of each position that are one."""
Vector = NDArray[np.float64]

_RIDGE = 4.0
_STEPS = 80


@kernel("void(uint64[:,::1], int32[:,::1], uint16[:,::1], int64[::1])")
def _write_columns(
    positions: Positions, columns: Columns, features: Features, canonical: NDArray[np.int64]
) -> None:
    for row in range(positions.shape[0]):
        own = positions[row, 0]
        opponent = positions[row, 1]
        set_features(features, 0, own, opponent)
        for lane in range(PATTERNS):
            columns[row, lane] = canonical[OFFSETS[lane] + int64(features[0, lane])]
        own_moves = popcount(legal_moves(own, opponent, FULL))
        opponent_moves = popcount(legal_moves(opponent, own, FULL))
        columns[row, PATTERNS] = OWN_MOVES + min(own_moves, 31)
        columns[row, PATTERNS + 1] = OPPONENT_MOVES + min(opponent_moves, 31)


def columns_of(positions: Positions) -> Columns:
    """Return the sparse rows of positions."""
    columns = np.zeros((len(positions), PATTERNS + 2), np.int32)
    _write_columns(positions, columns, np.zeros((1, LANES), np.uint16), CANONICAL)
    return columns


@kernel("void(int32[:,::1], float64[::1], float64[::1])")
def predict(columns: Columns, weights: Vector, out: Vector) -> None:
    """Compute out = X w."""
    for row in range(columns.shape[0]):
        total = 0.0
        for place in range(columns.shape[1]):
            total += weights[columns[row, place]]
        out[row] = total


@kernel("void(int32[:,::1], float64[::1], float64[::1])")
def _collect(columns: Columns, values: Vector, out: Vector) -> None:
    """Compute out = X' v."""
    out[:] = 0.0
    for row in range(columns.shape[0]):
        for place in range(columns.shape[1]):
            out[columns[row, place]] += values[row]


@kernel("float64(float64[::1], float64[::1])")
def _product(left: Vector, right: Vector) -> float:
    """Return the inner product, summed in order: a library's sum depends on its threads."""
    total = 0.0
    for place in range(left.shape[0]):
        total += left[place] * right[place]
    return total


def fit(columns: Columns, values: Vector, start: Vector) -> Vector:
    """Return the weights, one for each column, that fit ``values``.

    ``start`` is the first guess, and the prior of rare patterns."""
    rows = np.zeros(len(values))
    product = np.zeros(SIZE)
    predict(columns, start, rows)
    residual = np.zeros(SIZE)
    _collect(columns, values - rows, residual)
    diagonal = np.bincount(columns.ravel(), minlength=SIZE) + _RIDGE
    change = np.zeros(SIZE)
    direction = residual / diagonal
    norm = _product(residual, direction)
    for _ in range(_STEPS):
        predict(columns, direction, rows)
        _collect(columns, rows, product)
        product += _RIDGE * direction
        step = norm / _product(direction, product)
        change += step * direction
        residual -= step * product
        scaled = residual / diagonal
        norm, before = _product(residual, scaled), norm
        direction = scaled + norm / before * direction
    return start + change


def to_weights(fitted: Vector) -> NDArray[np.int16]:
    """Return a phase of the evaluation's table from fitted weights in discs."""
    units = np.round(UNIT * fitted[CANONICAL])
    return np.clip(units, -32767, 32767).astype(np.int16)
