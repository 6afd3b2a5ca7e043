"""The exact solver: the final score with best play by both, by alpha-beta to the last disc.

Values are final scores in discs for the side to move, the empty squares going to the winner.
Every function is fail-soft: a value at most ``alpha`` is an upper bound, one at least ``beta`` a
lower bound, any other exact. ``solve`` is meant for up to about 16 empty squares; deeper
positions are ordered by the evaluation first (`games.othello.ai.midgame`).
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from games.othello.ai.bits import final_score
from games.othello.ai.jit import kernel
from games.othello.ai.leaves import leaf, odd_quadrants
from games.othello.ai.stable import score_bound
from games.othello.ai.table import (
    INFINITE,
    NO_SQUARE,
    UNKNOWN,
    Table,
    cutoff,
    probe,
    square_of,
    store,
    upper_of,
)
from games.othello.ai.vectors import address_of, flips, lowest, popcount, reach

NODES, LIMIT, STOP = 0, 1, 2
"""Places in the counters: nodes searched, nodes allowed, and whether to stop."""
Counters = NDArray[np.int64]
Keys = NDArray[np.int64]
"""Scratch for the ordering of moves, a row of 34 for each number of empty squares."""

SORTED = 7
"""With fewer empty squares, moves are tried by parity alone, without the table."""
REMEMBERED = 9
"""With fewer empty squares the transposition table costs more than it saves."""

ENHANCED = 10
"""With fewer empty squares the table is not asked for the children of a position."""

STABLE_FROM = 14
"""Stable discs are counted only if own must score more than this; below, there are too few."""

LOOKED_AHEAD = 13
"""With at least this many empty squares, moves are ordered by their value a few plies later."""
LOOKED_FURTHER = 17
"""With at least this many, more plies save more than they cost."""

_NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)


@kernel("uint64(uint64)")
def _around(discs: int) -> int:
    """Return the squares together with their neighbours in all eight directions."""
    row = discs | ((discs << uint64(1)) & _NOT_A) | ((discs & _NOT_A) >> uint64(1))
    return row | (row << uint64(8)) | (row >> uint64(8))


@kernel("uint64(uint64)")
def _rim(board: int) -> int:
    """Return the outer squares of a board in the middle of the 8x8 one, without the corners."""
    beside = (board << uint64(1)) & _NOT_A & ((board & _NOT_A) >> uint64(1))
    return board & (beside ^ ((board << uint64(8)) & (board >> uint64(8))))


@kernel("uint64(uint64)")
def _corners(board: int) -> int:
    beside = (board << uint64(1)) & _NOT_A & ((board & _NOT_A) >> uint64(1))
    return board & ~(beside | ((board << uint64(8)) & (board >> uint64(8))))


@kernel("int64(uint64, uint64, uint64)")
def _rough_value(own: int, opponent: int, board: int) -> int:
    """Return a rough value, without a unit, of mobility, frontier, corners, and X squares beside
    empty corners.

    It orders moves, also on smaller boards in the middle of the 8x8 one."""
    empties = board & ~(own | opponent)
    corners = _corners(board)
    risky = _around(corners & empties) & ~_rim(board)
    own_moves = reach(own, opponent) & empties
    opponent_moves = reach(opponent, own) & empties
    value = 8 * (popcount(own_moves) - popcount(opponent_moves))
    value += 8 * (popcount(own_moves & corners) - popcount(opponent_moves & corners))
    value += 2 * (popcount(_around(opponent) & empties) - popcount(_around(own) & empties))
    value += 40 * (popcount(own & corners) - popcount(opponent & corners))
    return value - 12 * (popcount(own & risky) - popcount(opponent & risky))


@kernel("int64(uint64, uint64, uint64, int64, int64, int64)")
def look_ahead(own: int, opponent: int, board: int, depth: int, alpha: int, beta: int) -> int:
    """Return the rough value after a few plies."""
    if depth == 0:
        return _rough_value(own, opponent, board)
    moves = reach(own, opponent) & board & ~(own | opponent)
    if moves == 0:
        if reach(opponent, own) & board & ~(own | opponent) == 0:
            return 8 * final_score(own, opponent, board)
        return -look_ahead(opponent, own, board, depth, -beta, -alpha)
    best = int64(-INFINITE)
    while moves:
        square = lowest(moves)
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        mover = own ^ turn ^ (uint64(1) << square)
        best = max(best, -look_ahead(opponent ^ turn, mover, board, depth - 1, -beta, -alpha))
        if best >= beta:
            return best
        alpha = max(alpha, best)
    return best


@kernel("int64(uint64, uint64, uint64, uint64, uint64, int64[:,::1])")
def _rank_moves(own: int, opponent: int, board: int, moves: int, first: int, keys: Keys) -> int:
    """Write a key for each move into the row of this number of empty squares, best highest, and
    return how many there are. A key holds the square in its low six bits.

    Fastest first: the fewer answers the opponent has (corners count twice), the sooner a move
    is tried; then odd quadrants and corners. With many empty squares, by a short search."""
    empties = board & ~(own | opponent)
    corners = _corners(board)
    row = popcount(empties)
    odd = odd_quadrants(empties)
    count = 0
    while moves:
        square = lowest(moves)
        bit = uint64(1) << square
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        mover = own ^ turn ^ bit
        if row >= LOOKED_AHEAD:
            plies = min((row - 10) // 2, 6) if row >= LOOKED_FURTHER else (row - 10) // 3
            key = -look_ahead(opponent ^ turn, mover, board, plies, -INFINITE, INFINITE)
        else:
            answers = reach(opponent ^ turn, mover) & empties & ~bit
            key = -16 * (popcount(answers) + popcount(answers & corners))
            key += 8 if bit & odd else 0
            key += 24 if bit & corners else 0
        if square == first:
            key = 1 << 20
        keys[row, count] = (key << 6) | int64(square)
        count += 1
    return count


@kernel("int64(uint64, uint64, uint64, uint64[:,::1])")
def _known_child(own: int, opponent: int, moves: int, table: Table) -> int:
    """Return the best lower bound that follows from the upper bounds of children in the table, or
    -INFINITE."""
    best = int64(-INFINITE)
    while moves:
        square = lowest(moves)
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        data = probe(table, opponent ^ turn, own ^ turn ^ (uint64(1) << square))
        if data:
            best = max(best, -upper_of(data))
    return best


@kernel("int64(int64[:,::1], int64, int64, int64)")
def take_best(keys: Keys, row: int, start: int, count: int) -> int:
    """Swap the highest key of ``start`` .. ``count`` - 1 to ``start`` and return it."""
    best = start
    for index in range(start + 1, count):
        if keys[row, index] > keys[row, best]:
            best = index
    key = keys[row, best]
    keys[row, best] = keys[row, start]
    keys[row, start] = key
    return key


@kernel("int64(uint64, uint64, uint64, uint64, uint64, int64, int64, uint64[:,::1])")
def _known(
    own: int,
    opponent: int,
    board: int,
    moves: int,
    data: int,
    alpha: int,
    beta: int,
    table: Table,
) -> int:
    """Return the score within the window by stable discs or the table, or UNKNOWN.

    ``data`` is the table's entry of the position; the entries of its children count as well."""
    if alpha >= STABLE_FROM:
        bound = score_bound(own, opponent, board)
        if bound <= alpha:
            return bound
    if data:
        known = cutoff(data, alpha, beta)
        if known != UNKNOWN:
            return known
    if popcount(board & ~(own | opponent)) >= ENHANCED:
        bound = _known_child(own, opponent, moves, table)
        if bound >= beta:
            return bound
    return int64(UNKNOWN)


@kernel("int64(uint64, uint64, uint64, int64, int64, uint64[:,::1], int64[:,::1], int64[::1])")
def solve(
    own: int,
    opponent: int,
    board: int,
    alpha: int,
    beta: int,
    table: Table,
    keys: Keys,
    counters: Counters,
) -> int:
    """Return the final score within the window (alpha, beta), alpha < beta.

    It is 0 if the counters have told the search to stop, which the caller has to check."""
    empties = board & ~(own | opponent)
    count = popcount(empties)
    if count < SORTED:
        return leaf(own, opponent, empties, alpha, beta, address_of(counters))
    counters[NODES] += 1
    if counters[STOP] or counters[NODES] > counters[LIMIT]:
        counters[STOP] = 1
        return int64(0)
    moves = reach(own, opponent) & empties
    if moves == 0:
        if reach(opponent, own) & empties == 0:
            return final_score(own, opponent, board)
        return -solve(opponent, own, board, -beta, -alpha, table, keys, counters)
    data = probe(table, own, opponent) if count >= REMEMBERED else uint64(0)
    known = _known(own, opponent, board, moves, data, alpha, beta, table)
    if known != UNKNOWN:
        return known
    number = _rank_moves(own, opponent, board, moves, square_of(data), keys)
    floor, best, best_square = alpha, int64(-INFINITE), uint64(NO_SQUARE)
    for index in range(number):
        square = uint64(take_best(keys, count, index, number) & 63)
        turn = flips(square, own, opponent)
        mover, other = own ^ turn ^ (uint64(1) << square), opponent ^ turn
        if index == 0 or beta - alpha == 1:
            value = -solve(other, mover, board, -beta, -alpha, table, keys, counters)
        else:
            value = -solve(other, mover, board, -alpha - 1, -alpha, table, keys, counters)
            if alpha < value < beta:
                value = -solve(other, mover, board, -beta, -value, table, keys, counters)
        if value > best:
            best, best_square = value, square
            if value >= beta:
                break
            alpha = max(alpha, value)
    if count >= REMEMBERED and counters[STOP] == 0:
        store(table, own, opponent, count, 0, best, floor, beta, best_square)
    return best
