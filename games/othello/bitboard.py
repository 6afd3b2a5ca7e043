"""Othello on bit masks: one Python int for the discs of each colour, bit ``row * n + column``.

All functions work on the whole board at once: a shift moves every disc one square in a direction,
and a mask keeps those that land on an opponent's disc. Discs in the first and last column can be
flipped along their column only. The mask for the other directions therefore excludes these two
columns, which also keeps a shift from running over into the next row.

The method is the usual one for bitboards (https://www.chessprogramming.org/Othello). Python's
integers have no word length, so the same code serves boards of every size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from games.contract import Cell

Mask = int
"""A set of squares: bit ``row * n + column``."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The masks of an ``n`` x ``n`` board.

    ``rays`` pairs the shift of a direction, and of its opposite, with the squares on which a disc
    can be flipped along it.
    """

    n: int
    full: Mask
    rays: tuple[tuple[int, Mask], ...]


@cache
def geometry(n: int) -> Geometry:
    """Return the masks of an ``n`` x ``n`` board."""
    full = (1 << n * n) - 1
    row = (1 << n) - 1
    inner_columns = full // row * (row & ~1 & ~(1 << n - 1))
    rays = ((1, inner_columns), (n, full), (n - 1, inner_columns), (n + 1, inner_columns))
    return Geometry(n, full, rays)


def legal_mask(own: Mask, opponent: Mask, board: Geometry) -> Mask:
    """Return the empty squares where a disc of ``own`` flips at least one of ``opponent``."""
    moves = 0
    for shift, inner in board.rays:
        between = opponent & inner
        run = (own << shift) & between
        while run:
            run <<= shift
            moves |= run
            run &= between
        run = (own >> shift) & between
        while run:
            run >>= shift
            moves |= run
            run &= between
    return moves & board.full & ~(own | opponent)


def flip_mask(own: Mask, opponent: Mask, disc: Mask, board: Geometry) -> Mask:
    """Return the discs of ``opponent`` that are flipped when ``own`` places ``disc`` (a single
    bit)."""
    flips = 0
    for shift, inner in board.rays:
        between = opponent & inner
        line, step = 0, disc << shift
        while step & between:
            line |= step
            step <<= shift
        if line and step & own:
            flips |= line
        line, step = 0, disc >> shift
        while step & between:
            line |= step
            step >>= shift
        if line and step & own:
            flips |= line
    return flips


def bits(mask: Mask) -> Iterator[Mask]:
    """Yield the single bits of a mask, lowest first: squares row by row from the top left."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def cells_of(mask: Mask, board: Geometry) -> set[Cell]:
    """Return the row and column of each square of a mask."""
    return {divmod(bit.bit_length() - 1, board.n) for bit in bits(mask)}


def perft(own: Mask, opponent: Mask, board: Geometry, depth: int) -> int:
    """Return the number of lines of ``depth`` plies.

    A forced pass is a ply; a game that ends earlier counts as one line."""
    if depth == 0:
        return 1
    moves = legal_mask(own, opponent, board)
    if not moves:
        can_go_on = legal_mask(opponent, own, board) != 0
        return perft(opponent, own, board, depth - 1) if can_go_on else 1
    if depth == 1:
        return moves.bit_count()
    lines = 0
    for disc in bits(moves):
        flips = flip_mask(own, opponent, disc, board)
        lines += perft(opponent ^ flips, own ^ flips ^ disc, board, depth - 1)
    return lines
