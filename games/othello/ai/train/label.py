"""The values of training positions: the final score where it is solved quickly, else a search."""

from __future__ import annotations

import numpy as np
from numba import float64, int64, uint64, void
from numpy.typing import NDArray

from games.othello.ai.endgame import LIMIT
from games.othello.ai.jit import kernel
from games.othello.ai.memory import MEMORY, Memory
from games.othello.ai.midgame import CERTAIN, search
from games.othello.ai.patterns import UNIT, set_features
from games.othello.ai.table import INFINITE
from games.othello.ai.train.games import Positions


@kernel(void(uint64[:, ::1], int64, int64, float64[::1], MEMORY))
def _label(
    positions: Positions,
    depth: int,
    confidence: int,
    values: NDArray[np.float64],
    memory: Memory,
) -> None:
    for row in range(positions.shape[0]):
        own = positions[row, 0]
        opponent = positions[row, 1]
        set_features(memory.features, 0, own, opponent)
        value = search(own, opponent, depth, confidence, -INFINITE, INFINITE, 0, memory)
        values[row] = value / UNIT


def label(
    positions: Positions, depth: int, memory: Memory, confidence: int = CERTAIN
) -> NDArray[np.float64]:
    """Return the value of each position in discs for the side to move.

    They are from searches of ``depth`` plies (60: to the end)."""
    values = np.zeros(len(positions))
    memory.counters[LIMIT] = 1 << 60
    _label(positions, depth, confidence, values, memory)
    return values
