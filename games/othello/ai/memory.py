"""The working memory of a search, as one value that kernels pass on."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from games.othello.ai.endgame import Counters, Keys
from games.othello.ai.patterns import LANES, Features, Weights
from games.othello.ai.table import Table, new_table

PLIES = 128
"""Rows of features, enough for the deepest line with all its passes and probes."""
KEY_ROW = 64
"""The keys of moves at ply p are in row KEY_ROW + p; the rows before are the solver's."""

Deviations = NDArray[np.float64]
"""Standard deviation, in 1/UNIT disc, between searches of ``depth`` and of `probe_depth`; shape
(65, 65): by empty squares and depth."""


class Memory(NamedTuple):
    """The arrays of one search, empty at first."""

    table: Table
    end_table: Table
    features: Features
    weights: Weights
    deviations: Deviations
    keys: Keys
    counters: Counters


def new_memory(weights: Weights, deviations: Deviations, bits: int = 20) -> Memory:
    """Return memory with tables of ``2**bits`` positions each."""
    return Memory(
        table=new_table(bits),
        end_table=new_table(bits),
        features=np.zeros((PLIES, LANES), np.uint16),
        weights=weights,
        deviations=deviations,
        keys=np.zeros((KEY_ROW + PLIES, 34), np.int64),
        counters=np.zeros(3, np.int64),
    )


MEMORY = numba.typeof(new_memory(np.zeros((1, 1), np.int16), np.zeros((1, 1)), bits=1))
"""The type of memory in the signatures of kernels."""
