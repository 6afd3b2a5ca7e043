"""The evaluation: sums of learned weights for small patterns of squares.

The board is covered by 54 patterns (edges, corners, rows, diagonals) of 11 shapes. A pattern's
index is a number in base 3, a digit for each square: 0 the opponent's disc, 1 empty, 2 own. All
images of a shape under the symmetries of the square share one table of weights, one for each
phase of the game, so that a pattern is learned once for the whole board. Method: M. Buro,
"From Simple Features to Sophisticated Evaluation Functions" (1998).

``features`` is scratch of shape (plies, LANES), uint16: the indices of all patterns of the
position at each ply, seen by the side to move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import int64, uint16, uint64
from numpy.typing import NDArray

from games.othello.ai.jit import kernel
from games.othello.ai.vectors import lowest, popcount, reach

Features = NDArray[np.uint16]
Weights = NDArray[np.int16]

UNIT = 32
"""Values of the evaluation and of the search are in 1/32 disc."""
LANES = 64
"""Places for patterns in a row of features; the last ten are unused and stay 0."""
PHASES = 12
PHASE_SQUARES = 5
"""Phase p holds positions with 5 p .. 5 p + 4 empty squares; the last one 60 as well."""

_SHAPES: dict[str, str] = {
    "edge and X": "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    "corner 3x3": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "corner 2x5": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "corner triangle": "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    "edge block": "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2",
    "row 2": "a2 b2 c2 d2 e2 f2 g2 h2",
    "row 3": "a3 b3 c3 d3 e3 f3 g3 h3",
    "row 4": "a4 b4 c4 d4 e4 f4 g4 h4",
    "diagonal 8": "a1 b2 c3 d4 e5 f6 g7 h8",
    "diagonal 7": "b1 c2 d3 e4 f5 g6 h7",
    "diagonal 6": "c1 d2 e3 f4 g5 h6",
    "diagonal 5": "d1 e2 f3 g4 h5",
    "diagonal 4": "e1 f2 g3 h4",
}


def square_images(row: int, column: int) -> list[int]:
    """Return the eight images of a square (8 * row + column) under the symmetries of the board."""
    turns = ((row, column), (row, 7 - column), (7 - row, column), (7 - row, 7 - column))
    return [8 * r + c for r, c in turns] + [8 * c + r for r, c in turns]


def _images(squares: str) -> list[list[int]]:
    """Return the eight images of a list of squares, each a list in the same order."""
    cells = [(int(name[1]) - 1, ord(name[0]) - ord("a")) for name in squares.split()]
    return [list(image) for image in zip(*(square_images(*cell) for cell in cells), strict=True)]


@dataclass(frozen=True)
class Shape:
    """A kind of pattern: ``instances`` on the board, all indexing the table at ``offset``.

    ``canonical`` maps each index to the least index that is the same pattern mirrored onto itself.
    """

    name: str
    offset: int
    size: int
    instances: tuple[tuple[int, ...], ...]
    canonical: NDArray[np.int64]


def _mirrors(images: list[list[int]]) -> list[list[int]]:
    """Return the orders of digits by which a shape is mirrored onto itself."""
    first = images[0]
    same = [image for image in images if set(image) == set(first)]
    return [[first.index(square) for square in image] for image in same]


def _canonical(images: list[list[int]]) -> NDArray[np.int64]:
    length = len(images[0])
    digits = np.arange(3**length)[:, None] // 3 ** np.arange(length) % 3
    powers = 3 ** np.arange(length)
    mirrored = [digits[:, order] @ powers for order in _mirrors(images)]
    return np.min(np.stack(mirrored), axis=0).astype(np.int64)


def _shapes() -> tuple[Shape, ...]:
    shapes, offset = [], 0
    for name, squares in _SHAPES.items():
        images = _images(squares)
        instances = {frozenset(image): tuple(image) for image in reversed(images)}
        size = 3 ** len(images[0])
        shapes.append(Shape(name, offset, size, tuple(instances.values()), _canonical(images)))
        offset += size
    return tuple(shapes)


SHAPES = _shapes()
PATTERNS = sum(len(shape.instances) for shape in SHAPES)
OWN_MOVES = SHAPES[-1].offset + SHAPES[-1].size
"""The first weight for the number of own legal moves (0..31); the opponent's follow."""
OPPONENT_MOVES = OWN_MOVES + 32
SIZE = OPPONENT_MOVES + 32
"""Weights in one phase."""


def _canonical_columns() -> NDArray[np.int64]:
    columns = np.arange(SIZE)
    for shape in SHAPES:
        columns[shape.offset : shape.offset + shape.size] = shape.offset + shape.canonical
    return columns


CANONICAL = _canonical_columns()
"""The column that a weight shares with its mirror image."""


def _lane_tables() -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.int64]]:
    """Return the value of each square in each lane (64, LANES), the highest index of each lane, and
    the beginning of its table."""
    powers = np.zeros((64, LANES), np.uint16)
    top = np.zeros(LANES, np.uint16)
    offsets = np.zeros(LANES, np.int64)
    instances = [(shape, squares) for shape in SHAPES for squares in shape.instances]
    for lane, (shape, squares) in enumerate(instances):
        top[lane], offsets[lane] = shape.size - 1, shape.offset
        for place, square in enumerate(squares):
            powers[square, lane] = 3**place
    return powers, top, offsets


_POWERS, _TOP, OFFSETS = _lane_tables()


@kernel("void(uint16[:,::1], int64, uint64, uint64)")
def set_features(features: Features, ply: int, own: int, opponent: int) -> None:
    """Fill row ``ply`` for a position."""
    for lane in range(LANES):
        features[ply, lane] = _TOP[lane] // uint16(2)
    while own:
        square = lowest(own)
        own &= own - uint64(1)
        for lane in range(LANES):
            features[ply, lane] += _POWERS[square, lane]
    while opponent:
        square = lowest(opponent)
        opponent &= opponent - uint64(1)
        for lane in range(LANES):
            features[ply, lane] -= _POWERS[square, lane]


@kernel("void(uint16[:,::1], int64)")
def pass_features(features: Features, ply: int) -> None:
    """Fill row ``ply`` + 1: the same position, seen by the other side."""
    for lane in range(LANES):
        features[ply + 1, lane] = _TOP[lane] - features[ply, lane]


@kernel("void(uint16[:,::1], int64, uint64, uint64)")
def move_features(features: Features, ply: int, square: int, turn: int) -> None:
    """Fill row ``ply`` + 1: after a move that turns ``turn``, seen by the other side."""
    for lane in range(LANES):
        features[ply + 1, lane] = _TOP[lane] - features[ply, lane] - _POWERS[square, lane]
    while turn:
        turned = lowest(turn)
        turn &= turn - uint64(1)
        for lane in range(LANES):
            features[ply + 1, lane] -= uint16(2) * _POWERS[turned, lane]


@kernel("int64(uint64, uint64, uint16[:,::1], int64, int16[:,::1])")
def static_value(own: int, opponent: int, features: Features, ply: int, weights: Weights) -> int:
    """Return the evaluation of a position that is not over, for the side to move, in 1/UNIT
    disc."""
    empty = ~(own | opponent)
    phase = min(popcount(empty) // PHASE_SQUARES, PHASES - 1)
    total = int64(weights[phase, OWN_MOVES + min(popcount(reach(own, opponent) & empty), 31)])
    total += weights[phase, OPPONENT_MOVES + min(popcount(reach(opponent, own) & empty), 31)]
    for lane in range(PATTERNS):
        total += weights[phase, OFFSETS[lane] + int64(features[ply, lane])]
    return min(max(total, int64(-64 * UNIT)), int64(64 * UNIT))
