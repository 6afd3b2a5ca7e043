"""The last empty squares: exact scores by plain alpha-beta, those of odd quadrants tried first.

Most positions of a search to the end are here. So these kernels take no array, only the address of
the number of nodes, and the last four squares are tried one by one instead of as a set.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from games.othello.ai.bits import final_score
from games.othello.ai.jit import kernel
from games.othello.ai.table import INFINITE
from games.othello.ai.vectors import count_at, flips, lowest, popcount, reach

_QUADRANTS = np.array(
    [0x000000000F0F0F0F, 0x00000000F0F0F0F0, 0x0F0F0F0F00000000, 0xF0F0F0F000000000], np.uint64
)
_QUADRANT = np.uint64(0b100100)
"""The bits in which the numbers of two squares differ if they are in different quadrants."""


def _near(square: int) -> int:
    row, column = divmod(square, 8)
    around = [(row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
    return sum(1 << (8 * r + c) for r, c in around if 0 <= r < 8 and 0 <= c < 8)


def _diagonals(square: int) -> tuple[int, int]:
    row, column = divmod(square, 8)
    steps = [step for step in range(-7, 8) if 0 <= row + step < 8]
    falling = [9 * step for step in steps if 0 <= column + step < 8]
    rising = [7 * step for step in steps if 0 <= column - step < 8]
    return sum(1 << square + step for step in falling), sum(1 << square + step for step in rising)


def _flips_on_a_line(place: int, own: int) -> int:
    """Return how many discs are flipped from ``place`` on a line of eight, full but for it."""
    above, below = own >> place + 1, own & ((1 << place) - 1)
    up = (above & -above).bit_length() - 1 if above else 0
    down = place - below.bit_length() if below else 0
    return up + down


_NEAR = np.array([_near(square) for square in range(64)], np.uint64)
"""The squares around each square. Without an opponent's disc on them, no disc is flipped."""
_DIAGONALS = np.array([_diagonals(square) for square in range(64)], np.uint64)
_FLIPS = np.array(
    [[_flips_on_a_line(place, own) for own in range(256)] for place in range(8)], np.uint8
)
_COLUMN, _SPREAD = np.uint64(0x0101010101010101), np.uint64(0x0102040810204080)


@kernel("uint64(uint64)")
def odd_quadrants(empties: int) -> int:
    """Return the squares of the quadrants with an odd number of empty squares, in which the player
    to move can hope to play last."""
    odd = uint64(0)
    for index in range(4):
        quadrant = _QUADRANTS[index]
        if popcount(empties & quadrant) & 1:
            odd |= quadrant
    return odd


@kernel("int64(uint64, uint64)")
def last_flips(square: int, own: int) -> int:
    """Return how many discs own flips on the only empty square.

    The squares of each line are gathered in one byte by a multiplication."""
    row, column = square >> uint64(3), square & uint64(7)
    upright = ((own >> column) & _COLUMN) * _SPREAD
    falling, rising = (
        (own & _DIAGONALS[square, 0]) * _COLUMN,
        (own & _DIAGONALS[square, 1]) * _COLUMN,
    )
    return (
        int64(_FLIPS[column, (own >> (square & uint64(56))) & uint64(255)])
        + int64(_FLIPS[row, upright >> uint64(56)])
        + int64(_FLIPS[column, falling >> uint64(56)])
        + int64(_FLIPS[column, rising >> uint64(56)])
    )


@kernel("int64(uint64, uint64, uint64)")
def last_one(own: int, opponent: int, square: int) -> int:
    """Return the final score with one empty square left."""
    difference = popcount(own) - popcount(opponent)
    turned = last_flips(square, own)
    if turned:
        return difference + 2 * turned + 1
    turned = last_flips(square, opponent)
    if turned:
        return difference - 2 * turned - 1
    return difference + 1 if difference > 0 else difference - 1


@kernel("int64(uint64, uint64, uint64, uint64, int64)")
def _try_two(own: int, opponent: int, first: int, second: int, beta: int) -> int:
    """Return the score with two empty squares left, or -INFINITE where own cannot move."""
    best = int64(-INFINITE)
    if _NEAR[first] & opponent:
        turn = flips(first, own, opponent)
        if turn:
            best = -last_one(opponent ^ turn, own ^ turn ^ (uint64(1) << first), second)
            if best >= beta:
                return best
    if _NEAR[second] & opponent:
        turn = flips(second, own, opponent)
        if turn:
            mover = own ^ turn ^ (uint64(1) << second)
            best = max(best, -last_one(opponent ^ turn, mover, first))
    return best


@kernel("int64(uint64, uint64, uint64, uint64, int64, int64, int64)")
def _last_two(
    own: int, opponent: int, first: int, second: int, alpha: int, beta: int, nodes: int
) -> int:
    count_at(nodes)
    best = _try_two(own, opponent, first, second, beta)
    if best > -INFINITE:
        return best
    best = _try_two(opponent, own, first, second, -alpha)
    if best > -INFINITE:
        return -best
    board = own | opponent | (uint64(1) << first) | (uint64(1) << second)
    return final_score(own, opponent, board)


@kernel("int64(uint64, uint64, uint64, uint64, uint64, int64, int64, int64)")
def _try_three(
    own: int, opponent: int, a: int, b: int, c: int, alpha: int, beta: int, nodes: int
) -> int:
    """Return the score with three empty squares left, or -INFINITE where own cannot move."""
    best = int64(-INFINITE)
    for _ in range(3):
        if _NEAR[a] & opponent:
            turn = flips(a, own, opponent)
            if turn:
                mover = own ^ turn ^ (uint64(1) << a)
                floor = max(alpha, best)
                best = max(best, -_last_two(opponent ^ turn, mover, b, c, -beta, -floor, nodes))
                if best >= beta:
                    return best
        a, b, c = b, c, a
    return best


@kernel("int64(uint64, uint64, uint64, uint64, uint64, int64, int64, int64)")
def _last_three(
    own: int, opponent: int, a: int, b: int, c: int, alpha: int, beta: int, nodes: int
) -> int:
    """Return the score with three empty squares left, one alone in its quadrant tried first."""
    count_at(nodes)
    if (a ^ b) & _QUADRANT == 0:
        a, c = c, a
    elif (a ^ c) & _QUADRANT == 0:
        a, b = b, a
    best = _try_three(own, opponent, a, b, c, alpha, beta, nodes)
    if best > -INFINITE:
        return best
    best = _try_three(opponent, own, a, b, c, -beta, -alpha, nodes)
    if best > -INFINITE:
        return -best
    board = own | opponent | (uint64(1) << a) | (uint64(1) << b) | (uint64(1) << c)
    return final_score(own, opponent, board)


@kernel("int64(uint64, uint64, uint64, uint64, uint64, uint64, int64, int64, int64)")
def _try_four(
    own: int, opponent: int, a: int, b: int, c: int, d: int, alpha: int, beta: int, nodes: int
) -> int:
    """Return the score with four empty squares left, or -INFINITE where own cannot move."""
    best = int64(-INFINITE)
    for _ in range(4):
        if _NEAR[a] & opponent:
            turn = flips(a, own, opponent)
            if turn:
                mover = own ^ turn ^ (uint64(1) << a)
                floor = max(alpha, best)
                value = -_last_three(opponent ^ turn, mover, b, c, d, -beta, -floor, nodes)
                best = max(best, value)
                if best >= beta:
                    return best
        a, b, c, d = b, c, d, a
    return best


@kernel("int64(uint64, uint64, uint64, int64, int64, int64)")
def _last_four(own: int, opponent: int, empties: int, alpha: int, beta: int, nodes: int) -> int:
    odd = empties & odd_quadrants(empties)
    if odd == 0:
        odd = empties
    a = lowest(odd)
    odd &= odd - uint64(1)
    if odd == 0:
        odd = empties ^ (uint64(1) << a)
    b = lowest(odd)
    rest = empties ^ (uint64(1) << a) ^ (uint64(1) << b)
    c, d = lowest(rest), lowest(rest & (rest - uint64(1)))
    best = _try_four(own, opponent, a, b, c, d, alpha, beta, nodes)
    if best > -INFINITE:
        return best
    best = _try_four(opponent, own, a, b, c, d, -beta, -alpha, nodes)
    return -best if best > -INFINITE else final_score(own, opponent, own | opponent | empties)


@kernel("int64(uint64, uint64, uint64, int64, int64, int64)")
def few(own: int, opponent: int, empties: int, alpha: int, beta: int, nodes: int) -> int:
    """Return the score with four to about eight empty squares, odd quadrants tried first."""
    count_at(nodes)
    if popcount(empties) == 4:
        return _last_four(own, opponent, empties, alpha, beta, nodes)
    best = int64(-INFINITE)
    part = empties & odd_quadrants(empties)
    rest = empties ^ part
    while part | rest:
        if part == 0:
            part = rest
            rest = uint64(0)
        square = lowest(part)
        part &= part - uint64(1)
        if _NEAR[square] & opponent == 0:
            continue
        turn = flips(square, own, opponent)
        if turn == 0:
            continue
        bit = uint64(1) << square
        value = -few(opponent ^ turn, own ^ turn ^ bit, empties ^ bit, -beta, -alpha, nodes)
        if value > best:
            best = value
            if value >= beta:
                return best
            alpha = max(alpha, value)
    if best > -INFINITE:
        return best
    if reach(opponent, own) & empties == 0:
        return final_score(own, opponent, own | opponent | empties)
    return -few(opponent, own, empties, -beta, -alpha, nodes)


@kernel("int64(uint64, uint64, uint64, int64, int64, int64)")
def leaf(own: int, opponent: int, empties: int, alpha: int, beta: int, nodes: int) -> int:
    """Return the score with at most about eight empty squares, possibly none."""
    count = popcount(empties)
    if count > 3:
        return few(own, opponent, empties, alpha, beta, nodes)
    if count == 0:
        return final_score(own, opponent, own | opponent)
    first = lowest(empties)
    if count == 1:
        return last_one(own, opponent, first)
    rest = empties & (empties - uint64(1))
    second = lowest(rest)
    if count == 2:
        return _last_two(own, opponent, first, second, alpha, beta, nodes)
    third = lowest(rest & (rest - uint64(1)))
    return _last_three(own, opponent, first, second, third, alpha, beta, nodes)
