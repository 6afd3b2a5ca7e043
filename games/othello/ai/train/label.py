"""What positions are worth: the final score where it can be solved quickly, else a search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.othello.ai.endgame import LIMIT, Counters, Keys
from games.othello.ai.jit import kernel
from games.othello.ai.midgame import ARRAYS, CERTAIN, Deviations, Memory, search
from games.othello.ai.patterns import UNIT, Features, Weights, set_features
from games.othello.ai.table import INFINITE, Table
from games.othello.ai.train.games import Positions


@kernel(f"void(uint64[:,::1], int64, int64, float64[::1], {ARRAYS})")
def _label(
    positions: Positions,
    depth: int,
    confidence: int,
    values: NDArray[np.float64],
    table: Table,
    end_table: Table,
    features: Features,
    weights: Weights,
    deviations: Deviations,
    keys: Keys,
    counters: Counters,
) -> None:
    for row in range(positions.shape[0]):
        own = positions[row, 0]
        opponent = positions[row, 1]
        set_features(features, 0, own, opponent)
        value = search(
            own, opponent, depth, confidence, -INFINITE, INFINITE, 0,
            table, end_table, features, weights, deviations, keys, counters,
        )  # fmt: skip
        values[row] = value / UNIT


def label(
    positions: Positions, depth: int, memory: Memory, confidence: int = CERTAIN
) -> NDArray[np.float64]:
    """The value of each position in discs for the side to move, by searches of ``depth`` plies
    (60: to the end)."""
    values = np.zeros(len(positions))
    memory.counters[LIMIT] = 1 << 60
    _label(positions, depth, confidence, values, *memory.arrays)
    return values
