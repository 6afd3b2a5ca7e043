"""The working memory of a search: weights, transposition table, move lists, history, counters.

It is one tuple of arrays, see `new_tools`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, int64, uint64

from games.santorini.ai.bits import (
    NEAR,
    SPACES,
    STATE,
    State,
    count,
    level_of,
    lowest,
    room,
    spaces_at,
)
from games.santorini.ai.jit import kernel

WIN = 1_000_000
"""The value of a forced win, from which the number of turns to it is subtracted."""
SURE = WIN - 1000
"""Values above this are forced wins; values below its negative are forced losses."""
UNKNOWN = 2 * WIN
DEEPEST = 60
"""The ply at which every search ends."""
MOVES = 128
"""The largest number of legal turns: 2 workers x 8 moves x 8 builds."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
NODES, LIMIT = 0, 1  # places in the counters
TRIED = 2 * (DEEPEST + 2)  # the first place of history, after two killers a ply

TOOLS = "Tuple((int32[::1], int64[:, ::1], int64[:, :, ::1], int64[::1], int64[::1]))"
Tools = tuple[Any, Any, Any, Any, Any]


def new_tools(weights: Any, bits: int) -> Tools:
    """Return fresh tools, the table of 2**bits entries.

    weights int32 [WEIGHTS]; table int64 [entries, 2], a key and its data; stack int64 [ply, 2,
    MOVES], the moves of each ply and their order; history int64, two killers a ply, then the
    cutoffs by each target and build; counters int64 [2], NODES so far and their LIMIT."""
    table = np.zeros((1 << bits, 2), dtype=np.int64)
    stack = np.zeros((DEEPEST + 2, 2, MOVES), dtype=np.int64)
    history = np.zeros(TRIED + 2 * 1024, dtype=np.int64)
    return weights, table, stack, history, np.zeros(2, dtype=np.int64)


# --- the transposition table ---------------------------------------------------------------


@kernel("Tuple((int64, int64))(int64[:, ::1], uint64, int64, int64, int64, int64)")
def recall(table: Any, key: int, depth: int, alpha: int, beta: int, ply: int) -> tuple[int, int]:
    """Return the value of a position, or UNKNOWN, and its best move so far, or -1.

    Forced wins are stored as turns from the position and not from the root."""
    slot = int64(key & uint64(len(table) - 1))
    if table[slot, 0] != int64(key):
        return UNKNOWN, int64(-1)
    data = table[slot, 1]
    move = data & 0xFFFFF
    if (data >> 24 & 0xFF) < depth:
        return UNKNOWN, move
    value = (data >> 32) - 2 * WIN
    if value > SURE:
        value -= ply
    elif value < -SURE:
        value += ply
    bound = data >> 20 & 0xF
    settled = (
        bound == EXACT
        or (bound == AT_LEAST and value >= beta)
        or (bound == AT_MOST and value <= alpha)
    )
    return (value if settled else UNKNOWN), move


@kernel("void(int64[:, ::1], uint64, int64, int64, int64, int64, int64)")
def store(table: Any, key: int, depth: int, value: int, bound: int, move: int, ply: int) -> None:
    """Store the value of a position in its slot, replacing an earlier entry."""
    if value > SURE:
        value += ply
    elif value < -SURE:
        value -= ply
    slot = int64(key & uint64(len(table) - 1))
    table[slot, 0] = int64(key)
    table[slot, 1] = (value + 2 * WIN) << 32 | depth << 24 | bound << 20 | move


# --- the order of moves ----------------------------------------------------------------------


@kernel(f"void({STATE}, int64[::1])")
def _promise_of_builds(state: State, builds: Any) -> None:
    """Set the move-ordering value of a build on each space, by its effect on the others."""
    builds[:] = 0
    for foe in range(6, 8):
        their, around = level_of(state, state[foe]), NEAR[state[foe]] & ~state[3]
        while around:
            space = lowest(around)
            around &= around - 1
            height = level_of(state, space)
            if height == their + 1:
                builds[space] += 48
            elif height <= their:
                builds[space] -= 16 * height


@kernel(f"int64({STATE}, int64, int64)")
def _promise_of_step(state: State, start: int, target: int) -> int:
    """Return the move-ordering value of a step."""
    level = level_of(state, target)
    return 64 * (level - level_of(state, start)) + 8 * level + count(NEAR[target])


@kernel(f"void({STATE}, int64, int64, int64, int64[:, :, ::1], int64[::1])")
def order(state: State, number: int, first: int, ply: int, stack: Any, history: Any) -> None:
    """Give each move of a ply its move-ordering value: ``first``, then killers, then promise and
    history."""
    builds = carray(room(), (SPACES,), np.int64)
    _promise_of_builds(state, builds)
    step, of_step, equal = int64(-1), int64(0), int64(0)
    past = TRIED + (ply & 1) * 1024
    for index in range(number):
        move = stack[ply, 0, index]
        if move & 1023 != step:
            step = move & 1023
            of_step = _promise_of_step(state, step & 31, step >> 5)
            equal = spaces_at(state, level_of(state, step >> 5))
        value = of_step + builds[move >> 10] + history[past + (move >> 5)]
        value += 24 * (equal >> (move >> 10) & 1)
        if move in (history[2 * ply], history[2 * ply + 1]):
            value += 1 << 20
        stack[ply, 1, index] = 1 << 40 if move == first else value


@kernel("int64(int64, int64, int64, int64[:, :, ::1])")
def pick(index: int, number: int, ply: int, stack: Any) -> int:
    """Swap the most promising move from ``index`` on to ``index``, and return it."""
    best = index
    for other in range(index + 1, number):
        if stack[ply, 1, other] > stack[ply, 1, best]:
            best = other
    for row in range(2):
        found = stack[ply, row, best]
        stack[ply, row, best] = stack[ply, row, index]
        stack[ply, row, index] = found
    return stack[ply, 0, index]


@kernel("void(int64, int64, int64, int64[::1])")
def remember(move: int, depth: int, ply: int, history: Any) -> None:
    """Record a move that caused a cutoff: it becomes a killer of its ply, and gains in history."""
    if history[2 * ply] != move:
        history[2 * ply + 1] = history[2 * ply]
        history[2 * ply] = move
    place = TRIED + (ply & 1) * 1024 + (move >> 5)
    history[place] += depth * depth
    if history[place] > 1 << 16:
        history[TRIED:] >>= 1
