"""The transposition table: bounds of values from earlier searches, by exact position.

A table is a uint64 array of shape (2**k, 4): own, opponent, packed data, unused (so that an entry
lies in one cache line). Both boards are compared whole, so a hit is never another position. Packed
data, from the low bits: best square (8; 64 for none), depth (8), confidence (8), lower bound +
2**15 (16), upper bound + 2**15 (16). Zero is an empty entry: its depth is 0 and real entries have
at least 1.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from games.othello.ai.jit import kernel

Table = NDArray[np.uint64]

NO_SQUARE = 64
INFINITE = 32000
"""A bound above all values, in any unit."""
UNKNOWN = 32001
"""The result of `cutoff` where the bounds are not decisive."""
_OFFSET = 32768


def new_table(bits: int) -> Table:
    """Return an empty table of ``2**bits`` entries of 32 bytes. Memory is allocated as entries are
    used."""
    return np.zeros((1 << bits, 4), np.uint64)


@kernel("int64(uint64[:,::1], uint64, uint64)")
def _slot_of(table: Table, own: int, opponent: int) -> int:
    """Return the first of the two rows that may hold a position."""
    mixed = (own * uint64(0x9E3779B97F4A7C15)) ^ (opponent * uint64(0xC2B2AE3D27D4EB4F))
    mixed ^= mixed >> uint64(32)
    mixed *= uint64(0xD6E8FEB86659FD93)
    return int64((mixed >> uint64(20)) & uint64(table.shape[0] - 2))


@kernel("uint64(uint64[:,::1], uint64, uint64)")
def probe(table: Table, own: int, opponent: int) -> int:
    """Return the packed data of a position, 0 if it has none."""
    slot = _slot_of(table, own, opponent)
    for row in range(slot, slot + 2):
        if table[row, 0] == own and table[row, 1] == opponent:
            return table[row, 2]
    return uint64(0)


@kernel("uint64(uint64)")
def square_of(data: int) -> int:
    """Return the best square of packed data, or NO_SQUARE."""
    return data & uint64(255) if data else uint64(NO_SQUARE)


@kernel("boolean(uint64, int64, int64)")
def deep_enough(data: int, depth: int, confidence: int) -> bool:
    """Return whether the bounds are from a search of at least this depth and confidence."""
    return (
        int64((data >> uint64(8)) & uint64(255)) >= depth
        and int64((data >> uint64(16)) & uint64(255)) >= confidence
    )


@kernel("int64(uint64)")
def lower_of(data: int) -> int:
    """Return the lower bound of the value."""
    return int64((data >> uint64(24)) & uint64(0xFFFF)) - int64(_OFFSET)


@kernel("int64(uint64)")
def upper_of(data: int) -> int:
    """Return the upper bound of the value."""
    return int64((data >> uint64(40)) & uint64(0xFFFF)) - int64(_OFFSET)


@kernel("int64(uint64, int64, int64)")
def cutoff(data: int, alpha: int, beta: int) -> int:
    """Return the value that known bounds give a search of the window (alpha, beta), or UNKNOWN."""
    lower = lower_of(data)
    upper = upper_of(data)
    if lower >= beta or lower == upper:
        return lower
    return upper if upper <= alpha else int64(UNKNOWN)


@kernel("void(uint64[:,::1], uint64, uint64, int64, int64, int64, int64, int64, uint64)")
def store(
    table: Table,
    own: int,
    opponent: int,
    depth: int,
    confidence: int,
    best: int,
    alpha: int,
    beta: int,
    square: int,
) -> None:
    """Store the bounds that follow from a search of the window (alpha, beta) that returned
    ``best``.

    The first row of a slot is for the deepest search, the second for the newest."""
    lower = best if best > alpha else int64(-INFINITE)
    upper = best if best < beta else int64(INFINITE)
    row = _slot_of(table, own, opponent)
    elsewhere = table[row, 0] != own or table[row, 1] != opponent
    if elsewhere and int64((table[row, 2] >> uint64(8)) & uint64(255)) > depth:
        row += 1
    data = table[row, 2]
    if table[row, 0] == own and table[row, 1] == opponent:
        same = (data >> uint64(8)) & uint64(0xFFFF)
        if same == uint64(depth) | (uint64(confidence) << uint64(8)):
            lower = max(lower, lower_of(data))
            upper = min(upper, upper_of(data))
    table[row, 0] = own
    table[row, 1] = opponent
    table[row, 2] = (
        square
        | (uint64(depth) << uint64(8))
        | (uint64(confidence) << uint64(16))
        | (uint64(lower + _OFFSET) << uint64(24))
        | (uint64(upper + _OFFSET) << uint64(40))
    )
