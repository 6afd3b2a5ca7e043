"""What a position is worth when nobody can win at once: a small learned network.

A position switches on some forty features: for each worker, by his level, where he stands, and
for each space around him its height, who stands there, whether an opponent or the partner is
beside it, and how many spaces around it are one level higher; for each pair of opponents both
levels and their distance; for partners their distance. The player to move and the other have
features of their own, as a turn is worth much. Each feature has a weight, and a row of weights
into HIDDEN units, which are cut off at 0 and 1 and have a weight each. The sum is the logarithm
of the odds that the player to move wins. `games.santorini.ai.train` learns the weights.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from games.santorini.ai.bits import DISTANCE, NEAR, STATE, State, count, level_of, lowest
from games.santorini.ai.jit import kernel

UNIT = 256
"""The value of a position is in 1/UNIT of the log odds; so are the weights that add up to it."""
FULL = 1024
"""What a hidden unit that is cut off at 1 has."""
HIDDEN = 32

PLACE = 0  # [level 3][kind of space 6]
AROUND = PLACE + 18  # [level 3][height 4][foe beside 2][higher 0..3][free, foe, mate 3][mate 2]
PARTNER = AROUND + 576  # [distance 0..4]
SIDE = PARTNER + 5  # so many features of the player to move, then as many of the other
PAIRS = 2 * SIDE  # [own level 3][their level 3][distance 0..4]
TEMPO = PAIRS + 45
FEATURES = TEMPO + 1
MOST = 48
"""No position has more features than this."""

ROWS = FEATURES  # where the weights into the hidden units begin, after a weight per feature
BIAS = ROWS + FEATURES * HIDDEN
OUT = BIAS + HIDDEN
WEIGHTS = OUT + HIDDEN

_KINDS = (0, 1, 2, 1, 0, 1, 3, 4, 3, 1, 2, 4, 5, 4, 2, 1, 3, 4, 3, 1, 0, 1, 2, 1, 0)
KIND = np.array(_KINDS, dtype=np.int64)
"""int64 [25]: spaces that are images of each other in the symmetries of the board."""

FILE = Path(__file__).parent / "data" / "weights.npy"


Weights = NDArray[np.int32]


@cache
def load_weights(file: Path = FILE) -> Weights:
    """The learned weights, int32 [WEIGHTS]. Raises ValueError for a file of another layout."""
    weights = np.load(file, allow_pickle=False)
    if weights.shape != (WEIGHTS,):
        raise ValueError(f"{file.name} holds {weights.shape} weights instead of {WEIGHTS}")
    return weights.astype(np.int32)


@intrinsic  # type: ignore[misc]
def _add_row(_: Any, hidden: Any, weights: Any, start: Any) -> Any:
    """Add HIDDEN weights from ``start`` on to the hidden units, both int32.

    Written out as one vector, for the compiler leaves the same loop in numba scalar.
    """
    signature = types.void(hidden, weights, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        units, row = (
            context.make_array(kind)(context, builder, array).data
            for kind, array in zip(signature.args[:2], arguments[:2], strict=True)
        )
        row = builder.gep(row, [arguments[2]])
        vector = ir.VectorType(ir.IntType(32), HIDDEN).as_pointer()
        units, row = builder.bitcast(units, vector), builder.bitcast(row, vector)
        total = builder.add(builder.load(units, align=4), builder.load(row, align=4))
        builder.store(total, units, align=4)
        return context.get_dummy_value()

    return signature, generate


@kernel(f"int64({STATE}, int64, int64, int64[::1], int64)")
def _worker_features(state: State, worker: int, side: int, features: Any, number: int) -> int:
    """Add the features of one worker (4..7 in the state); returns how many there are now."""
    space, mate = state[worker], np.int64(1) << state[worker ^ 1]
    foe, other = state[worker ^ 2], state[worker ^ 3]
    level = level_of(state, space)
    features[number] = side + PLACE + 6 * level + KIND[space]
    number += 1
    foes = np.int64(1) << foe | np.int64(1) << other
    spoiled, shared = NEAR[foe] | NEAR[other], NEAR[state[worker ^ 1]]
    for height in range(4):
        around, higher = NEAR[space] & ~state[height], state[height]
        if height > 0:
            around &= state[height - 1]
        if height < 3:
            higher &= ~state[height + 1]
        of_height = side + AROUND + (level * 4 + height) * 48
        while around:
            near = around & -around
            feature = of_height + 6 * min(count(NEAR[lowest(around)] & higher), 3)
            around ^= near
            if spoiled & near:
                feature += 24
            if foes & near:
                feature += 2
            elif mate & near:
                feature += 4
            if shared & near:
                feature += 1
            features[number] = feature
            number += 1
    return number


@kernel(f"int64({STATE}, int64[::1])")
def list_features(state: State, features: Any) -> int:
    """Write the features of a position; returns their number."""
    number = 0
    for worker in range(4, 8):
        number = _worker_features(state, worker, 0 if worker < 6 else SIDE, features, number)
    features[number] = PARTNER + DISTANCE[state[4], state[5]]
    features[number + 1] = SIDE + PARTNER + DISTANCE[state[6], state[7]]
    number += 2
    for mine in range(4, 6):
        for foe in range(6, 8):
            levels = level_of(state, state[mine]) * 3 + level_of(state, state[foe])
            features[number] = PAIRS + levels * 5 + DISTANCE[state[mine], state[foe]]
            number += 1
    features[number] = TEMPO
    return number + 1


@kernel(f"int64({STATE}, int32[::1])")
def evaluate(state: State, weights: Any) -> int:
    """The value of a position to the player to move, in 1/UNIT of the log odds of winning."""
    features = np.empty(MOST, dtype=np.int64)
    hidden = np.empty(HIDDEN, dtype=np.int32)
    hidden[:] = weights[BIAS:OUT]
    value = np.int64(0)
    for index in range(list_features(state, features)):
        value += weights[features[index]]
        _add_row(hidden, weights, ROWS + features[index] * HIDDEN)
    out, total = weights[OUT:], np.int32(0)
    for unit in range(len(out)):
        total += min(max(hidden[unit], np.int32(0)), np.int32(FULL)) * out[unit]
    return value + total // FULL
