"""Symmetric states, whose Grundy value is 0 without any search.

Suppose that a reflection or a half turn maps a state onto itself, perhaps with two colours swapped,
and that no block is in the way of its own image. Then every block can be answered by its image, so
the first player runs out of moves first, and the value is 0.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from numba import types

from games.hermit.ai.bits import STATE, WORD, ZERO, State, Word, extent, turned
from games.hermit.ai.jit import compiled

_MAPS: Final = (1, 2, 3, 4, 7)
"""The symmetries of `turned` that are their own inverse; the last two need a square."""


def _image(symmetry: int, r: int, c: int, height: int, width: int) -> tuple[int, int]:
    r, c = (height - 1 - r if symmetry & 2 else r), (width - 1 - c if symmetry & 1 else c)
    return (c, r) if symmetry & 4 else (r, c)


def _relations() -> npt.NDArray[np.uint64]:
    """Return the squares with each relation to their own image, by map, height, width and relation.

    The relations: the same or a king-neighbour, the same, an orthogonal neighbour."""
    table = np.zeros((len(_MAPS), 9, 9, 3), dtype=np.uint64)
    shapes = [(i, h, w) for i in range(len(_MAPS)) for h in range(1, 9) for w in range(1, 9)]
    for i, height, width in shapes:
        for r, c in np.ndindex(height, width):
            row, column = _image(_MAPS[i], r, c, height, width)
            down, right = abs(r - row), abs(c - column)
            bit = np.uint64(1 << 8 * r + c)
            for relation, holds in enumerate(
                (max(down, right) <= 1, down + right == 0, down + right == 1)
            ):
                if holds:
                    table[i, height, width, relation] |= bit
    return table


_RELATIONS: Final = _relations()
_SYMMETRIES: Final = np.array(_MAPS, dtype=np.int64)


@compiled(types.boolean(WORD, WORD, WORD, types.UniTuple(WORD, 3)))
def _swap_works(first: Word, second: Word, third: Word, relation: tuple[Word, Word, Word]) -> bool:
    """Return whether no block is in the way of its image when the first two planes are swapped.

    A block of these colours is in the way only if its image covers one of its squares: the same
    square, or the other half of a block that lies across the axis."""
    beside, same, orthogonal = relation
    if first & same != ZERO or third & beside != ZERO:
        return False
    return bool(first & second & orthogonal == ZERO)


@compiled(types.boolean(STATE))
def is_mirrored(state: State) -> bool:
    """Return whether the value is 0 by symmetry. The state must be settled and touch both edges."""
    a, b, c, free = state
    height, width = extent(a | b | c | free)
    for i in range(5 if height == width else 3):
        p, q, r, image = turned(state, _SYMMETRIES[i])
        beside, same, orthogonal = _RELATIONS[i, height, width]
        if image != free or free & same != ZERO:
            continue
        relation = beside, same, orthogonal
        if p == a and q == b and r == c and (a | b | c) & beside == ZERO:
            return True
        if p == b and q == a and r == c and _swap_works(a, b, c, relation):
            return True
        if p == c and q == b and r == a and _swap_works(a, c, b, relation):
            return True
        if p == a and q == c and r == b and _swap_works(b, c, a, relation):
            return True
    return False
