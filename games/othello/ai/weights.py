"""The shipped tables: the weights of the evaluation, and the deviations of its searches."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from games.othello.ai.memory import Deviations
from games.othello.ai.patterns import CANONICAL, PHASES, SIZE, Weights

EVALUATION = Path(__file__).parent / "data" / "evaluation.npz"


def save(weights: Weights, deviations: Deviations, path: Path = EVALUATION) -> None:
    """Write both tables, with only one of each pair of mirrored patterns."""
    kept = np.unique(CANONICAL)
    np.savez_compressed(path, weights=weights[:, kept], deviations=deviations.astype(np.float32))


@cache
def load(path: Path = EVALUATION) -> tuple[Weights, Deviations]:
    """Return the weights, shape (PHASES, SIZE), and the deviations, shape (65, 65)."""
    kept = np.unique(CANONICAL)
    with np.load(path) as file:
        weights = np.zeros((PHASES, SIZE), np.int16)
        weights[:, kept] = file["weights"]
        return np.ascontiguousarray(weights[:, CANONICAL]), file["deviations"].astype(np.float64)
