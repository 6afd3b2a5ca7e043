"""The board of the search: a tuple of eight integers, and functions on it.

``state`` = (at least 1, at least 2, at least 3, dome, own, own, theirs, theirs): four sets of the
spaces whose towers have at least so many parts (bit i stands for space i, numbered row by row), and
the spaces of four workers, those of the player to move first. A move is ``start | target << 5 |
build << 10``. Winning climbs are never played, since they end the search.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from games.santorini.ai.jit import kernel

SPACES = 25
BOARD = (1 << SPACES) - 1
ROOM = 64
STATE = "UniTuple(int64, 8)"
State = tuple[int, int, int, int, int, int, int, int]


def _masks_near() -> Any:
    """Return the set of the neighbours of each space: int64 [25]."""
    masks = np.zeros(SPACES, dtype=np.int64)
    for space in range(SPACES):
        for other in range(SPACES):
            (r, c), (s, d) = divmod(space, 5), divmod(other, 5)
            if max(abs(r - s), abs(c - d)) == 1:
                masks[space] |= 1 << other
    return masks


NEAR = _masks_near()
DISTANCE = np.array(
    [[max(abs(i // 5 - j // 5), abs(i % 5 - j % 5)) for j in range(SPACES)] for i in range(SPACES)],
    dtype=np.int64,
)
"""int64 [25, 25]: the distance of two spaces in king's moves."""


@intrinsic  # type: ignore[misc]
def count(_: Any, value: Any) -> Any:
    """Return the number of set bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[misc]
def lowest(_: Any, value: Any) -> Any:
    """Return the number of the lowest set bit; the value must not be zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        undefined_at_zero = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], undefined_at_zero)

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[misc]
def room(_: Any) -> Any:
    """Return stack memory for ROOM int64. It costs nothing, and is gone when the function
    returns."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = ir.ArrayType(ir.IntType(64), ROOM)
        return builder.bitcast(cgutils.alloca_once(builder, whole), ir.IntType(8).as_pointer())

    return types.voidptr(), generate


@kernel(f"int64({STATE}, int64)")
def level_of(state: State, space: int) -> int:
    """Return the number of parts (0..4) of the tower on a space."""
    return (
        (state[0] >> space & 1)
        + (state[1] >> space & 1)
        + (state[2] >> space & 1)
        + (state[3] >> space & 1)
    )


@kernel(f"int64({STATE}, int64)")
def spaces_at(state: State, level: int) -> int:
    """Return the set of spaces whose towers have exactly ``level`` parts (0..3)."""
    if level == 0:
        return BOARD & ~state[0]
    return state[level - 1] & ~state[level]


@kernel(f"int64({STATE})")
def occupied(state: State) -> int:
    """Return the set of spaces with a worker."""
    return (
        np.int64(1) << state[4]
        | np.int64(1) << state[5]
        | np.int64(1) << state[6]
        | np.int64(1) << state[7]
    )


@kernel(f"int64({STATE}, int64, int64)")
def climbs(state: State, one: int, other: int) -> int:
    """Return the third levels that workers on the spaces ``one`` and ``other`` can climb to now."""
    third = state[2] & ~state[3] & ~occupied(state)
    if third == 0:
        return np.int64(0)
    found = np.int64(0)
    if state[1] >> one & 1:
        found |= NEAR[one]
    if state[1] >> other & 1:
        found |= NEAR[other]
    return found & third


@kernel(f"int64({STATE}, int64)")
def reach(state: State, space: int) -> int:
    """Return the spaces that a worker on ``space`` can move to."""
    height = level_of(state, space)
    if height == 0:
        too_high = state[1]
    elif height == 1:
        too_high = state[2]
    else:
        too_high = state[3]
    return NEAR[space] & ~occupied(state) & ~too_high


@kernel(f"{STATE}({STATE}, int64)")
def play(state: State, move: int) -> State:
    """Return the state after a move and build, with the other player to move."""
    start, target, build = move & 31, move >> 5 & 31, move >> 10
    bit = np.int64(1) << build
    one, two, three, dome, own, partner, theirs, others = state
    if own == start:
        own = target
    else:
        partner = target
    if not one & bit:
        one |= bit
    elif not two & bit:
        two |= bit
    elif not three & bit:
        three |= bit
    else:
        dome |= bit
    return (one, two, three, dome, theirs, others, own, partner)


@kernel(f"int64({STATE}, int64, int64[::1])")
def generate(state: State, wanted: int, moves: Any) -> int:
    """Write the moves that build on a space in ``wanted`` into ``moves``, and return their number.

    No worker of the player to move may be able to climb to a third level.
    """
    number = 0
    taken = occupied(state) | state[3]
    for worker in range(4, 6):
        start = state[worker]
        targets = reach(state, start)
        free = wanted & ~(taken ^ np.int64(1) << start)
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            builds = NEAR[target] & free & ~(np.int64(1) << target)
            while builds:
                moves[number] = start | target << 5 | lowest(builds) << 10
                builds &= builds - 1
                number += 1
    return number


@kernel(f"int64({STATE}, int64)")
def perft(state: State, depth: int) -> int:
    """Return the number of games of ``depth`` turns without a climb to a third level."""
    moves = np.empty(128, dtype=np.int64)
    number = generate(state, np.int64(BOARD), moves)
    if depth <= 1:
        return number
    total = 0
    for index in range(number):
        total += perft(play(state, moves[index]), depth - 1)
    return total


@kernel("uint64(uint64)")
def _mix(key: int) -> int:
    """Return a key plus an offset, mixed by the finalizer of SplitMix64 (Steele, Lea, Flood
    2014)."""
    key += np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ key >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ key >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return key ^ key >> np.uint64(31)


@kernel(f"uint64({STATE})")
def hash_of(state: State) -> int:
    """Return a 64-bit key of a state that does not depend on the order of a player's two
    workers."""
    own = np.int64(1) << state[4] | np.int64(1) << state[5]
    theirs = np.int64(1) << state[6] | np.int64(1) << state[7]
    key = _mix(np.uint64(state[0] | state[1] << 32))
    key = _mix(key ^ np.uint64(state[2] | state[3] << 32))
    return _mix(key ^ np.uint64(own | theirs << 32))
