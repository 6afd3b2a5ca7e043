"""Principal-variation search on the learned evaluation, down to a depth or to the last disc.

Values are in 1/UNIT disc for the side to move, fail-soft as in `games.othello.ai.endgame`. A
search as deep as there are empty squares is exact (whole discs) where ``confidence`` is CERTAIN.
Below that, moves whose shallow search lies far outside the window are cut off: Multi-ProbCut
(M. Buro, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for
Othello", 1997), with deviations measured on this evaluation (``train/deviations.py``).
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64
from numba.types import UniTuple

from games.othello.ai.bits import FULL, final_score
from games.othello.ai.endgame import LIMIT, NODES, STOP, Counters, solve, take_best
from games.othello.ai.jit import kernel
from games.othello.ai.memory import KEY_ROW, MEMORY, Memory
from games.othello.ai.patterns import (
    UNIT,
    Features,
    Weights,
    move_features,
    pass_features,
    static_value,
)
from games.othello.ai.stable import score_bound
from games.othello.ai.table import (
    INFINITE,
    NO_SQUARE,
    UNKNOWN,
    cutoff,
    deep_enough,
    probe,
    square_of,
    store,
    upper_of,
)
from games.othello.ai.vectors import flips, lowest, popcount, reach

SOLVED = 12
"""A search to the end hands positions with at most this many empty squares to the solver, which
orders moves by mobility alone."""
FREEDOM, FREEDOM_AT_THE_END = 8, 4 * UNIT
"""The cost of each answer of the opponent in move ordering, in 1/UNIT disc. In a search to the end
it is paid by moves that seem good enough: the one that leaves fewest answers is the cheapest to
prove."""
_ENOUGH = 1 << 20
"""Added to the keys of these moves, so that they come first."""
SHALLOW = 2
"""Searches of at most this depth use neither move ordering nor the table."""
CERTAIN = 5
"""The confidence without ProbCut; 0 .. 4 cut at the deviations of `_CUTS`."""

_CUTS = np.array([1.1, 1.5, 2.0, 2.6, 3.3, 99.0])
"""Standard deviations beyond which a move is cut off, for each confidence (73 % .. 99.9 %)."""
_STABLE_FROM = 20 * UNIT
_PROBED = 4
"""Searches of at least this depth are predicted by shallower ones."""


@kernel("int64(int64)")
def probe_depth(depth: int) -> int:
    """Return the depth of the shallow search that predicts one of ``depth`` (same parity)."""
    return 2 * (depth // 4) + (depth & 1) if depth > 2 else int64(depth - 2)


@kernel(
    "int64(uint64, uint64, int64, int64, int64, int64, uint16[:,::1], int16[:,::1], int64[::1])"
)
def shallow(
    own: int,
    opponent: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    features: Features,
    weights: Weights,
    counters: Counters,
) -> int:
    """Return a value by plain alpha-beta of a small depth, from the position of row ``ply`` of the
    features."""
    counters[NODES] += 1
    if depth <= 0:
        if reach(own, opponent) & ~(own | opponent) or reach(opponent, own) & ~(own | opponent):
            return static_value(own, opponent, features, ply, weights)
        return UNIT * final_score(own, opponent, FULL)
    moves = reach(own, opponent) & ~(own | opponent)
    if moves == 0:
        if reach(opponent, own) & ~(own | opponent) == 0:
            return UNIT * final_score(own, opponent, FULL)
        pass_features(features, ply)
        return -shallow(opponent, own, depth, -beta, -alpha, ply + 1, features, weights, counters)
    best = int64(-INFINITE)
    while moves:
        square = lowest(moves)
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        mover = own ^ turn ^ (uint64(1) << square)
        move_features(features, ply, square, turn)
        value = -shallow(
            opponent ^ turn, mover, depth - 1, -beta, -alpha, ply + 1, features, weights, counters
        )
        if value > best:
            best = value
            if value >= beta:
                break
            alpha = max(alpha, value)
    return best


@kernel(int64(uint64, uint64, uint64, uint64, int64, int64, int64, int64, MEMORY))
def _rank_moves(
    own: int,
    opponent: int,
    moves: int,
    first: int,
    depth: int,
    empties: int,
    alpha: int,
    ply: int,
    memory: Memory,
) -> int:
    """Write a key for each move into row ``ply``, best highest, and return how many there are.

    A key is the value of a short search, less a cost for each answer of the opponent; ``first``
    comes before all others. To the end, moves with a value above ``alpha`` come before the rest."""
    to_the_end = depth == empties
    ahead = min(max((depth - (10 if to_the_end else 3)) // (5 if to_the_end else 3), 0), 3)
    count = 0
    while moves:
        square = lowest(moves)
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        mover = own ^ turn ^ (uint64(1) << square)
        other = opponent ^ turn
        key = int64(1) << 30
        if square != first:
            move_features(memory.features, ply, square, turn)
            key = -shallow(
                other, mover, ahead, -INFINITE, INFINITE, ply + 1,
                memory.features, memory.weights, memory.counters,
            )  # fmt: skip
            answers = popcount(reach(other, mover) & ~(other | mover))
            if not to_the_end:
                key -= FREEDOM * answers
            elif key > alpha:
                key += _ENOUGH - FREEDOM_AT_THE_END * answers
        memory.keys[KEY_ROW + ply, count] = (key << 6) | int64(square)
        count += 1
    return count


@kernel(int64(uint64, uint64, uint64, int64, MEMORY))
def _solved_child(own: int, opponent: int, moves: int, empties: int, memory: Memory) -> int:
    """Return the best lower bound that follows from the tables' upper bounds of children that were
    searched to the end, or -INFINITE."""
    best = int64(-INFINITE)
    while moves:
        square = lowest(moves)
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        other, mover = opponent ^ turn, own ^ turn ^ (uint64(1) << square)
        if empties - 1 <= SOLVED:
            data = probe(memory.end_table, other, mover)
            if data:
                best = max(best, -UNIT * upper_of(data))
        else:
            data = probe(memory.table, other, mover)
            if data and deep_enough(data, empties - 1, CERTAIN):
                best = max(best, -upper_of(data))
    return best


@kernel(int64(uint64, uint64, int64, int64, MEMORY))
def _solution(own: int, opponent: int, alpha: int, beta: int, memory: Memory) -> int:
    """Return the solver's value within a window of 1/UNIT discs."""
    low = alpha // UNIT
    high = -(-beta // UNIT)
    return UNIT * solve(
        own, opponent, FULL, low, high, memory.end_table, memory.keys, memory.counters
    )


@kernel(int64(uint64, uint64, uint64, int64, int64, int64, int64))
def _known(
    own: int, opponent: int, data: int, depth: int, confidence: int, alpha: int, beta: int
) -> int:
    """Return the value within the window by stable discs or the table's ``data``, or UNKNOWN."""
    if alpha >= _STABLE_FROM:
        bound = UNIT * score_bound(own, opponent, FULL)
        if bound <= alpha:
            return bound
    if data and deep_enough(data, depth, confidence):
        return cutoff(data, alpha, beta)
    return int64(UNKNOWN)


@kernel(UniTuple(int64, 2)(uint64, uint64, int64, int64, int64, int64, MEMORY))
def _foretelling(
    own: int, opponent: int, depth: int, confidence: int, alpha: int, ply: int, memory: Memory
) -> tuple[int, int]:
    """Return the prediction of a shallow search for one in the window (alpha, alpha + 1).

    It consists of the value at the far end of the margin, and of alpha or alpha + 1, for which a
    value beyond it stands. The first is UNKNOWN if the margin exceeds all scores."""
    empties = 64 - popcount(own | opponent)
    margin = int64(_CUTS[confidence] * memory.deviations[empties, depth])
    above = static_value(own, opponent, memory.features, ply, memory.weights) > alpha
    goal = alpha + 1 + margin if above else alpha - margin
    if abs(goal) >= 64 * UNIT:
        goal = int64(UNKNOWN)
    return goal, alpha + 1 if above else alpha


@kernel(int64(uint64, uint64, int64, int64, int64, int64, int64, MEMORY))
def search(
    own: int,
    opponent: int,
    depth: int,
    confidence: int,
    alpha: int,
    beta: int,
    ply: int,
    memory: Memory,
) -> int:
    """Return the value within the window (alpha, beta) of a search of ``depth`` plies.

    It is meaningless if the counters have told the search to stop, which the caller has to
    check."""
    features, counters = memory.features, memory.counters
    empties = 64 - popcount(own | opponent)
    depth = min(depth, empties)
    if depth == empties <= SOLVED:
        return _solution(own, opponent, alpha, beta, memory)
    if depth <= SHALLOW:
        return shallow(own, opponent, depth, alpha, beta, ply, features, memory.weights, counters)
    counters[NODES] += 1
    if counters[STOP] or counters[NODES] > counters[LIMIT]:
        counters[STOP] = 1
        return int64(0)
    moves = reach(own, opponent) & ~(own | opponent)
    if moves == 0:
        if reach(opponent, own) & ~(own | opponent) == 0:
            return UNIT * final_score(own, opponent, FULL)
        pass_features(features, ply)
        return -search(opponent, own, depth, confidence, -beta, -alpha, ply + 1, memory)
    data = probe(memory.table, own, opponent)
    known = _known(own, opponent, data, depth, confidence, alpha, beta)
    if known != UNKNOWN:
        return known
    if confidence == CERTAIN and depth == empties:
        known = _solved_child(own, opponent, moves, empties, memory)
        if known >= beta:
            return known
    if confidence < CERTAIN and beta - alpha == 1 and depth >= _PROBED:
        goal, bound = _foretelling(own, opponent, depth, confidence, alpha, ply, memory)
        if goal != UNKNOWN:
            low = goal - 1 if bound > alpha else goal
            short = probe_depth(depth)
            value = search(own, opponent, short, confidence, low, low + 1, ply, memory)
            if counters[STOP]:
                return int64(0)
            if (value > low) == (bound > alpha):
                return bound
    count = _rank_moves(own, opponent, moves, square_of(data), depth, empties, alpha, ply, memory)
    floor, best, best_square = alpha, int64(-INFINITE), uint64(NO_SQUARE)
    for index in range(count):
        square = uint64(take_best(memory.keys, KEY_ROW + ply, index, count) & 63)
        turn = flips(square, own, opponent)
        mover, other = own ^ turn ^ (uint64(1) << square), opponent ^ turn
        move_features(features, ply, square, turn)
        top = beta if index == 0 else alpha + 1
        value = -search(other, mover, depth - 1, confidence, -top, -alpha, ply + 1, memory)
        if top < beta and alpha < value < beta:
            value = -search(other, mover, depth - 1, confidence, -beta, -alpha, ply + 1, memory)
        if counters[STOP]:
            return int64(0)
        if value > best:
            best, best_square = value, square
            if value >= beta:
                break
            alpha = max(alpha, value)
    store(memory.table, own, opponent, depth, confidence, best, floor, beta, best_square)
    return best
