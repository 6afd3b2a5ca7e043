"""The value of a position in which no player can win at once: a small learned network.

A position has some forty active features. For each worker, by its level, they are its space, and
for each space around it the height, the worker on it, whether an opponent or the partner is beside
it, and how many spaces around it are one level higher. For each pair of opponents they are both
levels and their distance; for partners their distance. The player to move and the other player have
separate features, since a turn is worth a lot. Each feature has a weight, and a row of weights into
HIDDEN units, which are clipped to 0..1 and have a weight each. The sum is the logarithm of the odds
that the player to move wins. `games.santorini.ai.train` learns the weights.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from games.santorini.ai.bits import BOARD, DISTANCE, NEAR, STATE, State, level_of, lowest, room
from games.santorini.ai.jit import kernel

UNIT = 256
"""The value of a position is in 1/UNIT of the log odds; so are the weights that add up to it."""
FULL = 1024
"""The value of a hidden unit that is clipped to 1."""
HIDDEN = 32

PLACE = 0  # [level 3][kind of space 6]
AROUND = PLACE + 18  # [level 3][height 4][foe beside 2][higher 0..3][free, foe, mate 3][mate 2]
PARTNER = AROUND + 576  # [distance 0..4]
SIDE = PARTNER + 5  # the features of the player to move, then as many of the other
PAIRS = 2 * SIDE  # [own level 3][their level 3][distance 0..4]
TEMPO = PAIRS + 45
FEATURES = TEMPO + 1
MOST = 48
"""The largest number of features of a position."""

ROWS = FEATURES  # the first weight into the hidden units, after a weight per feature
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
    """Return the learned weights, int32 [WEIGHTS]. Raises ValueError for a file of another
    layout."""
    weights = np.load(file, allow_pickle=False)
    if weights.shape != (WEIGHTS,):
        raise ValueError(f"{file.name} holds {weights.shape} weights instead of {WEIGHTS}")
    return weights.astype(np.int32)


_BOTH = BOARD << 32 | BOARD
_NOT_FIRST = _BOTH & ~sum(1 << space | 1 << space + 32 for space in range(0, 25, 5))
_NOT_LAST = _BOTH & ~sum(1 << space | 1 << space + 32 for space in range(4, 25, 5))
"""Two boards in one integer: all spaces, and those outside the first and the last column."""
_WORTH = (48, 48, 48, 24, 12, 6, 2)
"""The addition of each set in `list_features` to the index of a feature in AROUND."""
_MATE = np.array([[4 * (i == j) + (NEAR[i] >> j & 1) for j in range(32)] for i in range(25)])
"""int64 [25, 32]: the same, by a partner on the first space, for the second."""


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Return the address of an array's first element."""
    return context.make_array(kind)(context, builder, array).data


@intrinsic  # type: ignore[misc]
def _write_kinds(_: Any, out: Any, masks: Any) -> Any:
    """Write for each space the sum of the _WORTH of the ``masks`` that contain it: 32 bytes.

    It is written with vectors, because the compiler would process bit after bit.
    """
    signature = types.void(out, masks)
    byte, bits = ir.VectorType(ir.IntType(8), 32), ir.VectorType(ir.IntType(1), 32)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total = ir.Constant(byte, [0] * 32)
        for index, worth in enumerate(_WORTH):
            mask = builder.trunc(builder.extract_value(arguments[1], index), ir.IntType(32))
            spread = builder.sext(builder.bitcast(mask, bits), byte)
            total = builder.add(total, builder.and_(spread, ir.Constant(byte, [worth] * 32)))
        place = _data(context, builder, signature.args[0], arguments[0])
        builder.store(total, builder.bitcast(place, byte.as_pointer()), align=1)
        return context.get_dummy_value()

    return signature, generate


_LANE = ir.IntType(32)
_UNITS = ir.VectorType(_LANE, HIDDEN)


def _load_units(builder: Any, weights: Any, start: Any) -> Any:
    """Return HIDDEN weights from ``start`` on."""
    place = builder.bitcast(builder.gep(weights, [start]), _UNITS.as_pointer())
    return builder.load(place, align=4)


def _output(builder: Any, hidden: Any, out: Any) -> Any:
    """Return the contribution of the hidden units to the value."""
    least, most = (ir.Constant(_UNITS, [number] * HIDDEN) for number in (0, FULL))
    hidden = builder.select(builder.icmp_signed(">", hidden, least), hidden, least)
    hidden = builder.select(builder.icmp_signed("<", hidden, most), hidden, most)
    products, total = builder.mul(hidden, out), ir.Constant(_LANE, 0)
    for unit in range(HIDDEN):
        total = builder.add(total, builder.extract_element(products, ir.Constant(_LANE, unit)))
    return builder.ashr(total, ir.Constant(_LANE, FULL.bit_length() - 1))


@intrinsic  # type: ignore[misc]
def _value_of(_: Any, weights: Any, features: Any, number: Any) -> Any:
    """Return the value of ``number`` features, see `evaluate`.

    It is written with vectors that stay in registers, which the compiler does not do by itself."""
    signature = types.int64(weights, features, number)
    index = ir.IntType(64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        known, wanted = (
            _data(context, builder, kind, array)
            for kind, array in zip(signature.args[:2], arguments[:2], strict=True)
        )
        bias, out = (_load_units(builder, known, ir.Constant(index, at)) for at in (BIAS, OUT))
        hidden = cgutils.alloca_once_value(builder, bias)
        value = cgutils.alloca_once_value(builder, ir.Constant(_LANE, 0))
        with cgutils.for_range(builder, arguments[2]) as loop:
            feature = builder.load(builder.gep(wanted, [loop.index]))
            weight = builder.load(builder.gep(known, [feature]))
            builder.store(builder.add(builder.load(value), weight), value)
            start = builder.mul(feature, ir.Constant(index, HIDDEN))
            row = _load_units(builder, known, builder.add(start, ir.Constant(index, ROWS)))
            builder.store(builder.add(builder.load(hidden), row), hidden)
        output = _output(builder, builder.load(hidden), out)
        return builder.sext(builder.add(builder.load(value), output), index)

    return signature, generate


@kernel("UniTuple(int64, 2)(int64)")
def _count_around(boards: int) -> tuple[int, int]:
    """Return, for each space of two boards at once, how many spaces around it are in a set, as the
    bits of 0..3, where 3 also stands for more."""
    left, right = boards << 1 & _NOT_FIRST, boards >> 1 & _NOT_LAST
    odd, pair = left ^ boards ^ right, left & right | boards & (left ^ right)
    above, below, beside = odd << 5 & _BOTH, odd >> 5 & _BOTH, left ^ right
    carry = above & below | beside & (above ^ below)
    two, too, both = pair << 5 & _BOTH, pair >> 5 & _BOTH, left & right
    four = two & too | both & carry | (two | too) & (both | carry)
    return above ^ below ^ beside | four, two | too | both | carry


@kernel(f"UniTuple(int64, 2)({STATE})")
def _higher_around(state: State) -> tuple[int, int]:
    """Return, for each space, how many spaces around it are one level higher, as in
    `_count_around`."""
    one, two, three, dome = state[0], state[1], state[2], state[3]
    first, second, third = one & ~two, two & ~three, three & ~dome
    odd, more = _count_around(first | second << 32)
    odd_up, more_up = _count_around(third | dome << 32)
    low, high = BOARD & ~one | first << 32, second | third << 32
    odd, more = odd & low | odd_up & high, more & low | more_up & high
    return odd & BOARD | odd >> 32, more & BOARD | more >> 32


@kernel(f"int64({STATE}, int64, int64, uint8[::1], int64[::1], int64)")
def _worker_features(
    state: State, worker: int, side: int, kinds: Any, features: Any, number: int
) -> int:
    """Add the features of one worker (4..7 in the state), and return their new number."""
    space, mate = state[worker], state[worker ^ 1]
    level = level_of(state, space)
    features[number] = side + PLACE + 6 * level + KIND[space]
    number += 1
    of_level, around = side + AROUND + level * 192, NEAR[space] & ~state[3]
    while around:
        near = lowest(around)
        around &= around - 1
        features[number] = of_level + kinds[near] + _MATE[mate, near]
        number += 1
    return number


@kernel(f"int64({STATE}, int64[::1])")
def list_features(state: State, features: Any) -> int:
    """Write the features of a position, and return their number."""
    kinds = carray(room(), (32,), np.uint8)
    odd, more = _higher_around(state)
    number = 0
    for side in range(2):
        foes, mine = 6 - 2 * side, 4 + 2 * side
        foe, other = state[foes], state[foes + 1]
        masks = (
            state[0], state[1], state[2], NEAR[foe] | NEAR[other], more, odd,
            np.int64(1) << foe | np.int64(1) << other,
        )  # fmt: skip
        _write_kinds(kinds, masks)
        for worker in range(mine, mine + 2):
            number = _worker_features(state, worker, side * SIDE, kinds, features, number)
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
    """Return the value of a position for the player to move, in 1/UNIT of the log odds of
    winning."""
    features = carray(room(), (MOST,), np.int64)
    return _value_of(weights, features, list_features(state, features))
