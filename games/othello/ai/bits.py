"""Positions as two 64-bit boards, own and opponent: moves, counting, stable discs.

``board`` is the set of squares of the board. Boards of 4x4 and 6x6 lie in the middle of the 8x8 one
(`centred`), so that the same kernels play them.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from games.othello.ai.jit import kernel
from games.othello.ai.vectors import flips, lowest, popcount, reach

FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


def centred(mask: int, n: int) -> int:
    """Return a mask of an n x n board (bit n * row + column; n 4, 6 or 8) in the middle of the 8x8
    one."""
    edge = (8 - n) // 2
    row_bits = (1 << n) - 1
    rows = ((mask >> (n * row)) & row_bits for row in range(n))
    return sum(bits << (8 * (row + edge) + edge) for row, bits in enumerate(rows))


@kernel("uint64(uint64, uint64, uint64)")
def legal_moves(own: int, opponent: int, board: int) -> int:
    """Return the squares on which own may play."""
    return reach(own, opponent) & board & ~(own | opponent)


@kernel("uint64(uint64, uint64, uint64)")
def turned(square: int, own: int, opponent: int) -> int:
    """Return the discs that own flips by playing on an empty square; none if that is illegal."""
    return flips(square, own, opponent)


@kernel("int64(uint64, uint64, uint64, int64)")
def perft(own: int, opponent: int, board: int, depth: int) -> int:
    """Return the number of lines of ``depth`` plies.

    A forced pass is a ply; a game that ends before that depth counts as one line."""
    if depth == 0:
        return int64(1)
    moves = reach(own, opponent) & board & ~(own | opponent)
    if moves == 0:
        if reach(opponent, own) & board & ~(own | opponent) == 0:
            return int64(1)
        return perft(opponent, own, board, depth - 1)
    if depth == 1:
        return popcount(moves)
    count = int64(0)
    while moves:
        square = lowest(moves)
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        count += perft(opponent ^ turn, own ^ turn ^ (uint64(1) << square), board, depth - 1)
    return count


@kernel("int64(uint64, uint64, uint64)")
def final_score(own: int, opponent: int, board: int) -> int:
    """Return own discs minus the opponent's when the game is over.

    The empty squares go to the winner (World Othello Federation, rule of scoring)."""
    difference = popcount(own) - popcount(opponent)
    empties = popcount(board & ~(own | opponent))
    if difference > 0:
        return difference + empties
    return difference - empties if difference < 0 else int64(0)
