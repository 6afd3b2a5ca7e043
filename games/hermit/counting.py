"""What can be counted on a board of Hermit without compiled code: the blocks that still fit, the
winner, and regions that balance each other. Boards of puzzles are small enough for that."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, reduce
from itertools import permutations
from operator import xor

from games.contract import Cell
from games.hermit.engine import COLOURS, Board, Hermit

Key = tuple[int, int, int, int]
"""A region by its free squares: the size of its board and the allowed squares of each colour."""


def is_lost(board: Hermit) -> bool:
    """Return whether the player to move loses: the values of the regions cancel each other."""
    return not reduce(xor, nimbers(board), 0)


def nimbers(board: Hermit) -> list[int]:
    """Return the Grundy values of the regions, in the order of `regions`."""
    return [_value(key) for key in _keys(board)]


def counts(board: Hermit) -> frozenset[int]:
    """Return how many blocks can still be laid until none fits, in all games from here."""
    found = {0}
    for key in _keys(board):
        found = {some + more for some in found for more in _counts(key)}
    return frozenset(found)


@lru_cache(50_000)
def _value(key: Key) -> int:
    """Return the Grundy value of a region."""
    later = {reduce(xor, map(_value, keys), 0) for keys in _later(key)}
    return next(value for value in range(len(later) + 1) if value not in later)


@lru_cache(50_000)
def _counts(key: Key) -> frozenset[int]:
    return frozenset(1 + n for board in _boards_after(key) for n in counts(board))


@lru_cache(50_000)
def _later(key: Key) -> frozenset[tuple[Key, ...]]:
    """Return the regions after each block that fits in one."""
    return frozenset(tuple(sorted(_keys(board))) for board in _boards_after(key))


def _boards_after(key: Key) -> Iterator[Hermit]:
    size, *allowed = key
    board = Hermit(size)
    # Squares outside the region are not covered, but no block fits there.
    board.halo = {colour: board.full & ~mask for colour, mask in zip(COLOURS, allowed, strict=True)}
    return (board.copy().move(*move) for move in board.possible_moves())


def _keys(board: Hermit) -> list[Key]:
    red, yellow, blue = (board.allowed(colour) for colour in COLOURS)
    return [(board.n, red & mask, yellow & mask, blue & mask) for mask in regions(board)]


def regions(board: Board) -> Iterator[int]:
    """Yield the squares of each region where a block still fits: its future is independent of all
    others."""
    allowed = [board.allowed(colour) for colour in COLOURS]
    rest = allowed[0] | allowed[1] | allowed[2]
    while rest:
        mask, more = 0, rest & -rest
        while more != mask:
            mask = more
            for plane in allowed:
                more |= board.neighbourhood(mask & plane) & plane
        yield mask
        rest &= ~mask


def is_mirrored(board: Board) -> bool:
    """Return whether a half turn maps the rest of the board onto itself, and no block would be in
    the way of its image.

    The player who has just moved then wins, by answering each block with its image. Only blocks in
    the middle, within a square of their image, can be in its way."""
    allowed = [board.allowed(colour) for colour in COLOURS]
    first, last = (board.n - 1) // 2, board.n // 2
    middle = sum({board.bit((r, c)) for r in (first, last) for c in (first, last)})
    return not any(plane & middle or plane != _half_turned(board, plane) for plane in allowed)


def _half_turned(board: Board, mask: int) -> int:
    """Return the mask with bit i at bit ``n (n + 1) - 2 - i``: all bits in reverse order."""
    bits = board.n * board.width - 1
    return int(f"{mask:0{bits}b}"[::-1], 2)


def are_paired(board: Hermit) -> bool:
    """Return whether the regions come in pairs that are equal but for place, turn and colours."""
    # Most boards are told by the numbers of squares, which equal regions have in common.
    masks = [*regions(board)]
    sizes = sorted(_sizes(board, mask) for mask in masks)
    if not masks or sizes[::2] != sizes[1::2]:
        return False
    shapes = sorted(_shape(board, mask) for mask in masks)
    return shapes[::2] == shapes[1::2]


def _sizes(board: Hermit, mask: int) -> list[int]:
    return sorted((board.allowed(colour) & mask).bit_count() for colour in COLOURS)


def _shape(board: Hermit, mask: int) -> tuple[tuple[Cell, ...], ...]:
    planes = [[*board.cells(board.allowed(colour) & mask)] for colour in COLOURS]
    return min(
        _placed([[_turned(cell, number) for cell in plane] for plane in order])
        for order in permutations(planes)
        for number in range(8)
    )


def _turned(cell: Cell, number: int) -> Cell:
    row, column = cell
    row, column = (-row if number & 1 else row), (-column if number & 2 else column)
    return (column, row) if number & 4 else (row, column)


def _placed(planes: list[list[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    cells = [cell for plane in planes for cell in plane]
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(
        tuple(sorted((row - top, column - left) for row, column in plane)) for plane in planes
    )
