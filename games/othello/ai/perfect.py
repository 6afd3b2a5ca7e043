"""Exact play on boards of 4x4 and 6x6, with the kernels of the 8x8 board.

Boards are pairs (own, opponent) of masks as in `games.othello.bitboard`. Values are final scores
in discs for the side to move, the empty squares going to the winner.
"""

from __future__ import annotations

import numpy as np

from games.othello.ai.bits import centred, legal_moves, turned
from games.othello.ai.clock import stop_after
from games.othello.ai.endgame import STOP, look_ahead, solve
from games.othello.ai.root import squares
from games.othello.ai.table import INFINITE, Table, new_table

LARGEST = 6
_INFINITE = 38
_OUTLOOK = 6
"""The maximum depth of the search that orders the first moves."""


class Solver:
    """A solver for one size of board, which remembers positions from one search to the next.

    It searches at most ``nodes`` positions in all."""

    def __init__(self, n: int, bits: int = 20, nodes: int = 1 << 60) -> None:
        self.n = n
        self.board = centred((1 << n * n) - 1, n)
        self.table: Table = new_table(bits)
        self.keys = np.zeros((64, 34), np.int64)
        self.counters = np.array([0, nodes, 0], np.int64)

    def best(
        self, own: int, opponent: int, seconds: float, at_least: int = -_INFINITE
    ) -> tuple[int, int] | None:
        """Return a best move as a mask, and its score. Out of time or nodes, return the best of the
        solved moves, None if no move is solved.

        If the score is known to be ``at_least`` a bound, the search is shorter."""
        own, opponent = centred(own, self.n), centred(opponent, self.n)
        best, found = 0, at_least - 1
        with stop_after(seconds, self.counters):
            for square in self._moves(own, opponent):
                beta = found + 1 if best else _INFINITE
                score = self._score(own, opponent, square, found, beta)
                if best and score > found:
                    score = self._score(own, opponent, square, score - 1, _INFINITE)
                if self.counters[STOP]:
                    break
                if score > found:
                    best, found = self._mask(square), score
        return (best, found) if best else None

    def values(self, own: int, opponent: int, seconds: float) -> dict[int, int] | None:
        """Return the score of every move, by mask; None if the time ran out."""
        own, opponent = centred(own, self.n), centred(opponent, self.n)
        with stop_after(seconds, self.counters):
            scores = {
                self._mask(square): self._score(own, opponent, square, -_INFINITE, _INFINITE)
                for square in self._moves(own, opponent)
            }
        return None if self.counters[STOP] else scores

    def _moves(self, own: int, opponent: int) -> list[int]:
        """Return the legal moves, those with the best outlook first.

        A good first move makes the others cheap, and is the result when the time runs out."""
        moves = list(squares(int(legal_moves(own, opponent, self.board))))
        return sorted(moves, key=lambda square: self._outlook(own, opponent, square))

    def _outlook(self, own: int, opponent: int, square: int) -> int:
        """Return the rough value of the position after a move, for the opponent."""
        after = _after(own, opponent, square)
        empties = int(self.board).bit_count() - (own | opponent).bit_count()
        plies = max(0, min(_OUTLOOK, empties // 2 - 6))
        return int(look_ahead(*after, self.board, plies, -INFINITE, INFINITE))

    def _score(self, own: int, opponent: int, square: int, alpha: int, beta: int) -> int:
        after = _after(own, opponent, square)
        memory = (self.table, self.keys, self.counters)
        return -int(solve(*after, self.board, -beta, -alpha, *memory))

    def _mask(self, square: int) -> int:
        """Return the mask on the n x n board of a square of the 8x8 one."""
        edge = (8 - self.n) // 2
        row, column = divmod(square, 8)
        return 1 << (self.n * (row - edge) + column - edge)


def _after(own: int, opponent: int, square: int) -> tuple[int, int]:
    turn = int(turned(square, own, opponent))
    return opponent ^ turn, own | turn | 1 << square
