"""Training positions: quick games of the evaluation against itself, with random moves for
variety.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from games.othello.ai.bits import FULL, legal_moves
from games.othello.ai.endgame import Counters
from games.othello.ai.jit import kernel
from games.othello.ai.midgame import shallow
from games.othello.ai.patterns import Features, Weights, set_features
from games.othello.ai.table import INFINITE
from games.othello.ai.vectors import flips, lowest, popcount

Positions = NDArray[np.uint64]
"""Shape (n, 2): own, opponent."""

BLACK, WHITE = np.uint64(1 << 28 | 1 << 35), np.uint64(1 << 27 | 1 << 36)
LAST_EMPTIES = 5
"""Positions with fewer empty squares are left out: they are always solved."""


@kernel("uint64(uint64, int64)")
def _nth(moves: int, n: int) -> int:
    for _ in range(n):
        moves &= moves - uint64(1)
    return lowest(moves)


@kernel("uint64(uint64, uint64, uint64, int64, uint16[:,::1], int16[:,::1], int64[::1])")
def _quick_move(
    own: int,
    opponent: int,
    moves: int,
    depth: int,
    features: Features,
    weights: Weights,
    counters: Counters,
) -> int:
    """Return the best move by a search of ``depth`` plies, with noise of about a disc."""
    best = int64(-INFINITE)
    choice = uint64(64)
    while moves:
        square = lowest(moves)
        moves &= moves - uint64(1)
        turn = flips(square, own, opponent)
        mover = own ^ turn ^ (uint64(1) << square)
        set_features(features, 0, opponent ^ turn, mover)
        value = -shallow(
            opponent ^ turn, mover, depth - 1, -INFINITE, INFINITE, 0, features, weights, counters
        )
        value += np.random.randint(-40, 41)
        if value > best:
            best = value
            choice = square
    return choice


@kernel(
    "int64(int64, int64, float64, int64, uint64[:,::1], uint16[:,::1], int16[:,::1], int64[::1])"
)
def play(
    seed: int,
    games: int,
    wild: float,
    depth: int,
    out: Positions,
    features: Features,
    weights: Weights,
    counters: Counters,
) -> int:
    """Play games and write their positions to ``out`` until it is full; the number written.

    Each game begins with 0 to 25 random moves; after them a move is random with probability
    ``wild``."""
    np.random.seed(seed)
    written = 0
    for _ in range(games):
        own = BLACK
        opponent = WHITE
        random_until = 4 + np.random.randint(0, 26)
        while True:
            moves = legal_moves(own, opponent, FULL)
            if moves == 0:
                own, opponent = opponent, own
                moves = legal_moves(own, opponent, FULL)
                if moves == 0:
                    break
            discs = popcount(own | opponent)
            if 64 - discs < LAST_EMPTIES:
                break
            if written == out.shape[0]:
                return written
            out[written, 0] = own
            out[written, 1] = opponent
            written += 1
            if discs < random_until or np.random.random() < wild:
                square = _nth(moves, np.random.randint(0, popcount(moves)))
            else:
                square = _quick_move(own, opponent, moves, depth, features, weights, counters)
            turn = flips(square, own, opponent)
            own, opponent = opponent ^ turn, own ^ turn ^ (uint64(1) << square)
    return written
