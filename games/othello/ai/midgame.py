"""Principal-variation search on the learned evaluation, down to a depth or to the last disc.

Values are in 1/UNIT disc for the side to move, fail-soft as in `games.othello.ai.endgame`. A
search as deep as there are empty squares is exact (whole discs) where ``confidence`` is CERTAIN.
Below that, moves whose shallow search lies far outside the window are cut off: Multi-ProbCut
(M. Buro, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for
Othello", 1997), with deviations measured on this evaluation (``train/deviations.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from games.othello.ai.bits import FULL, final_score
from games.othello.ai.endgame import LIMIT, NODES, STOP, Counters, Keys, solve, take_best
from games.othello.ai.jit import kernel
from games.othello.ai.patterns import (
    LANES,
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
    Table,
    cutoff,
    deep_enough,
    new_table,
    probe,
    square_of,
    store,
)
from games.othello.ai.vectors import flips, lowest, popcount, reach

SOLVED = 17
"""An exact search hands positions with at most this many empty squares to the solver."""
FORETOLD = 13
"""The same for a search to the end that is not certain: it may still cut below `SOLVED`."""
FREEDOM, FREEDOM_AT_THE_END = 8, 96
"""What an answer of the opponent counts against a move when moves are ordered, in 1/UNIT disc; in
a search to the end it is mobility that makes the tree small."""
KEY_ROW = 64
"""The keys of moves at ply p are in row KEY_ROW + p; the rows before are the solver's."""
SHALLOW = 2
"""Searches of at most this depth try moves as they come and remember nothing."""
CERTAIN = 5
"""The confidence without ProbCut; 0 .. 4 cut at the deviations of `_CUTS`."""

_CUTS = np.array([1.1, 1.5, 2.0, 2.6, 3.3, 99.0])
"""Standard deviations beyond which a move is cut off, for each confidence (73 % .. 99.9 %)."""
_STABLE_FROM = 20 * UNIT

Deviations = NDArray[np.float64]
"""Standard deviation, in 1/UNIT disc, between searches of ``depth`` and of `probe_depth`; shape
(65, 65): by empty squares and depth."""

PLIES = 128
"""Rows of features: the deepest line with all its passes and probes fits in."""

ARRAYS = (
    "uint64[:,::1], uint64[:,::1], uint16[:,::1], int16[:,::1], float64[:,::1], "
    "int64[:,::1], int64[::1]"
)
"""Types of the arrays that every search hands on: table, end table, features, weights,
deviations, keys, counters."""


@dataclass(frozen=True)
class Memory:
    """The arrays of one search, in the order of ARRAYS. Fresh ones forget everything."""

    table: Table
    end_table: Table
    features: Features
    weights: Weights
    deviations: Deviations
    keys: Keys
    counters: Counters

    @classmethod
    def new(cls, weights: Weights, deviations: Deviations, bits: int = 20) -> Memory:
        """Memory with tables of ``2**bits`` positions each."""
        return cls(
            table=new_table(bits),
            end_table=new_table(bits),
            features=np.zeros((PLIES, LANES), np.uint16),
            weights=weights,
            deviations=deviations,
            keys=np.zeros((KEY_ROW + PLIES, 34), np.int64),
            counters=np.zeros(3, np.int64),
        )

    @property
    def arrays(self) -> tuple[object, ...]:
        """All of them, to be handed to a kernel."""
        return (
            self.table,
            self.end_table,
            self.features,
            self.weights,
            self.deviations,
            self.keys,
            self.counters,
        )


@kernel("int64(int64)")
def probe_depth(depth: int) -> int:
    """The depth of the shallow search that foretells one of ``depth`` (same parity)."""
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
    """Plain alpha-beta of a small depth below the position of row ``ply`` of the features."""
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


@kernel(
    "int64(uint64, uint64, uint64, uint64, int64, int64, int64, uint16[:,::1], int16[:,::1], "
    "int64[:,::1], int64[::1])"
)
def _rank_moves(
    own: int,
    opponent: int,
    moves: int,
    first: int,
    depth: int,
    freedom: int,
    ply: int,
    features: Features,
    weights: Weights,
    keys: Keys,
    counters: Counters,
) -> int:
    """Write a key for each move into row ``ply``, best highest, and return how many there are.

    The value of a search of ``depth`` plies, less ``freedom`` for each answer there is."""
    count = 0
    while moves:
        square = lowest(moves)
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        mover = own ^ turn ^ (uint64(1) << square)
        other = opponent ^ turn
        key = int64(1) << 30
        if square != first:
            move_features(features, ply, square, turn)
            key = -shallow(
                other, mover, depth, -INFINITE, INFINITE, ply + 1, features, weights, counters
            )
            key -= freedom * popcount(reach(other, mover) & ~(other | mover))
        keys[KEY_ROW + ply, count] = (key << 6) | int64(square)
        count += 1
    return count


@kernel(f"int64(uint64, uint64, int64, int64, int64, int64, int64, {ARRAYS})")
def search(
    own: int,
    opponent: int,
    depth: int,
    confidence: int,
    alpha: int,
    beta: int,
    ply: int,
    table: Table,
    end_table: Table,
    features: Features,
    weights: Weights,
    deviations: Deviations,
    keys: Keys,
    counters: Counters,
) -> int:
    """The value within the window (alpha, beta) of a search of ``depth`` plies; meaningless if
    the counters said to stop, which the caller sees there."""
    empties = 64 - popcount(own | opponent)
    depth = min(depth, empties)
    if depth == empties and empties <= (SOLVED if confidence == CERTAIN else FORETOLD):
        low = alpha // UNIT
        high = -(-beta // UNIT)
        return UNIT * solve(own, opponent, FULL, low, high, end_table, keys, counters)
    if depth <= SHALLOW:
        return shallow(own, opponent, depth, alpha, beta, ply, features, weights, counters)
    counters[NODES] += 1
    if counters[STOP] or counters[NODES] > counters[LIMIT]:
        counters[STOP] = 1
        return int64(0)
    moves = reach(own, opponent) & ~(own | opponent)
    if moves == 0:
        if reach(opponent, own) & ~(own | opponent) == 0:
            return UNIT * final_score(own, opponent, FULL)
        pass_features(features, ply)
        return -search(
            opponent, own, depth, confidence, -beta, -alpha, ply + 1,
            table, end_table, features, weights, deviations, keys, counters,
        )  # fmt: skip
    if alpha >= _STABLE_FROM:
        bound = UNIT * score_bound(own, opponent, FULL)
        if bound <= alpha:
            return bound
    floor = alpha
    first = uint64(NO_SQUARE)
    data = probe(table, own, opponent)
    if data:
        first = square_of(data)
        if deep_enough(data, depth, confidence):
            known = cutoff(data, alpha, beta)
            if known != UNKNOWN:
                return known
    if confidence < CERTAIN and beta - alpha == 1 and depth >= 4:
        short = probe_depth(depth)
        margin = int64(_CUTS[confidence] * deviations[empties, depth])
        static = static_value(own, opponent, features, ply, weights)
        if static >= beta and beta + margin < 64 * UNIT:
            goal = beta + margin
            value = search(
                own, opponent, short, confidence, goal - 1, goal, ply,
                table, end_table, features, weights, deviations, keys, counters,
            )  # fmt: skip
            if value >= goal:
                return beta
        if static <= alpha and alpha - margin > -64 * UNIT:
            goal = alpha - margin
            value = search(
                own, opponent, short, confidence, goal, goal + 1, ply,
                table, end_table, features, weights, deviations, keys, counters,
            )  # fmt: skip
            if value <= goal:
                return alpha
        if counters[STOP]:
            return int64(0)
    ahead = min(max((depth - 3) // 3, 0), 3)
    freedom = FREEDOM if depth < empties else FREEDOM_AT_THE_END
    count = _rank_moves(
        own, opponent, moves, first, ahead, freedom, ply, features, weights, keys, counters
    )
    best = int64(-INFINITE)
    best_square = uint64(NO_SQUARE)
    for index in range(count):
        square = uint64(take_best(keys, KEY_ROW + ply, index, count) & 63)
        turn = flips(square, own, opponent)
        mover = own ^ turn ^ (uint64(1) << square)
        other = opponent ^ turn
        move_features(features, ply, square, turn)
        top = beta if index == 0 else alpha + 1
        value = -search(
            other, mover, depth - 1, confidence, -top, -alpha, ply + 1,
            table, end_table, features, weights, deviations, keys, counters,
        )  # fmt: skip
        if top < beta and alpha < value < beta:
            value = -search(
                other, mover, depth - 1, confidence, -beta, -alpha, ply + 1,
                table, end_table, features, weights, deviations, keys, counters,
            )  # fmt: skip
        if counters[STOP]:
            return int64(0)
        if value > best:
            best = value
            best_square = square
            if value >= beta:
                break
            alpha = max(alpha, value)
    store(table, own, opponent, depth, confidence, best, floor, beta, best_square)
    return best
