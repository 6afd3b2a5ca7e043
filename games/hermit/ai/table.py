"""The transposition table: known facts about the Grundy values of connected states.

An entry is either the exact value, or a set of values that are ruled out.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import types

from games.hermit.ai.bits import STATE, WORD, ZERO, State, Word, count
from games.hermit.ai.jit import compiled

Words = npt.NDArray[np.uint64]
Counters = npt.NDArray[np.int64]
Memory = tuple[Words, Words, Words, Counters]
"""(keys, one state a row; values; stack of the search; counters)."""

MEMORY: Final = types.Tuple(
    (types.uint64[:, ::1], types.uint64[::1], types.uint64[:, ::1], types.int64[::1])
)

EXACT: Final = Word(1 << 63)
"""Marks a value as exact; it is then in the six lowest bits. Otherwise bit g excludes g."""

LARGEST: Final = 48
"""The largest value: at most 16 blocks of a colour fit on 8 x 8, and a value is at most the number
of moves that can still be made."""

_VALUE: Final = Word(63)
_WAYS: Final = 4
_ROWS_OF_STACK: Final = 30_000
"""Rows enough for 48 moves in depth with 576 moves each."""

NODES, LIMIT = 0, 1


def new_memory(log2_entries: int) -> Memory:
    """Return an empty table with its search stack; an entry takes 40 bytes."""
    entries = 1 << log2_entries
    return (
        np.zeros((entries, 4), dtype=np.uint64),
        np.zeros(entries, dtype=np.uint64),
        np.zeros((_ROWS_OF_STACK, 6), dtype=np.uint64),
        np.zeros(2, dtype=np.int64),
    )


@compiled(types.boolean(WORD))
def is_exact(known: Word) -> bool:
    """Return whether an entry is the value itself."""
    return bool(known & EXACT != ZERO)


@compiled(types.int64(WORD))
def exact_value(known: Word) -> Any:
    """Return the value of an exact entry."""
    return np.int64(known & _VALUE)


@compiled(types.boolean(WORD, types.int64))
def is_excluded(known: Word, value: int) -> bool:
    """Return whether an entry that is not exact rules a value out."""
    return bool((known >> Word(value)) & Word(1) != ZERO)


@compiled(types.int64(MEMORY, STATE))
def _bucket(memory: Memory, state: State) -> Any:
    """Return the first of the entries where a state may be stored."""
    a, b, c, free = state
    mixed = a * Word(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> Word(29)) ^ b) * Word(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> Word(32)) ^ c) * Word(0x94D049BB133111EB)
    mixed = (mixed ^ (mixed >> Word(29)) ^ free) * Word(0x9E3779B97F4A7C15)
    mixed ^= mixed >> Word(32)
    buckets = Word(memory[0].shape[0] // _WAYS)
    return np.int64(mixed & (buckets - Word(1))) * _WAYS


@compiled(types.boolean(types.uint64[:, ::1], types.int64, STATE))
def _holds(keys: Words, entry: int, state: State) -> bool:
    a, b, c, free = state
    key = keys[entry]
    return bool(key[0] == a and key[1] == b and key[2] == c and key[3] == free)


@compiled(WORD(MEMORY, STATE))
def recall(memory: Memory, state: State) -> Any:
    """Return the entry of a canonical state, 0 if it has none."""
    first = _bucket(memory, state)
    for entry in range(first, first + _WAYS):
        if _holds(memory[0], entry, state):
            return memory[1][entry]
    return ZERO


@compiled(types.void(MEMORY, STATE, WORD))
def remember(memory: Memory, state: State, known: Word) -> None:
    """Store a fact about a canonical state, in place of the smallest state if there is no room."""
    keys, values, _, _ = memory
    first = _bucket(memory, state)
    place, smallest = first, Word(1000)
    for entry in range(first, first + _WAYS):
        if _holds(keys, entry, state):
            if is_exact(known):
                values[entry] = known
            elif not is_exact(values[entry]):
                values[entry] |= known
            return
        size = count(keys[entry, 0]) + count(keys[entry, 1]) + count(keys[entry, 2])
        if size < smallest:
            place, smallest = entry, size
    keys[place, 0], keys[place, 1], keys[place, 2], keys[place, 3] = state
    values[place] = known
