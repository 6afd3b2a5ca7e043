"""A search for boards of any size: alpha-beta on Python integers and a simple evaluation.

Boards are pairs (own, opponent) of masks as in `games.othello.bitboard`. Values are in discs for
the side to move, the empty squares going to the winner at the end of a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from games.contract import search_clock
from games.othello.bitboard import Geometry, Mask, bits, flip_mask, geometry, legal_mask

_CORNER, _X_SQUARE, _C_SQUARE, _EDGE, _MOVE = 12.0, 6.0, 3.0, 1.5, 1.0
"""Weights in discs: of a corner, of the squares beside an empty corner (a cost), of an edge square,
and of a legal move."""


class _OutOfNodes(Exception):
    """Raised when the search has used up its positions or its time."""


@dataclass(frozen=True)
class _Areas:
    """The squares that the evaluation weights.

    The neighbours of corners are pairs of a corner and the squares that give it away.
    """

    corners: Mask
    edges: Mask
    x_squares: tuple[tuple[Mask, Mask], ...]
    c_squares: tuple[tuple[Mask, Mask], ...]


@cache
def _areas(n: int) -> _Areas:
    last = n - 1
    corners = [(row, column) for row in (0, last) for column in (0, last)]
    inward = {0: 1, last: last - 1}

    def mask(*cells: tuple[int, int]) -> Mask:
        return sum(1 << (n * row + column) for row, column in cells)

    rim = [(0, i) for i in range(n)] + [(last, i) for i in range(n)]
    return _Areas(
        corners=mask(*corners),
        edges=mask(*{*rim, *((column, row) for row, column in rim)}),
        x_squares=tuple((mask((r, c)), mask((inward[r], inward[c]))) for r, c in corners),
        c_squares=tuple((mask((r, c)), mask((r, inward[c]), (inward[r], c))) for r, c in corners),
    )


def final_score(own: Mask, opponent: Mask, board: Geometry) -> int:
    """Return own discs minus the opponent's, the empty squares going to the winner."""
    difference = own.bit_count() - opponent.bit_count()
    empties = (board.full & ~(own | opponent)).bit_count()
    return difference + empties * ((difference > 0) - (difference < 0))


def static_value(own: Mask, opponent: Mask, board: Geometry) -> float:
    """Return the value of corners, edges, squares that give a corner away, and mobility."""
    areas = _areas(board.n)

    def worth(mine: Mask) -> float:
        value = _CORNER * (mine & areas.corners).bit_count()
        value += _EDGE * (mine & areas.edges).bit_count()
        for corner, beside in areas.x_squares:
            if not (own | opponent) & corner:
                value -= _X_SQUARE * (mine & beside).bit_count()
        for corner, beside in areas.c_squares:
            if not (own | opponent) & corner:
                value -= _C_SQUARE * (mine & beside).bit_count()
        return value

    own_moves = legal_mask(own, opponent, board).bit_count()
    opponent_moves = legal_mask(opponent, own, board).bit_count()
    mobility = _MOVE * 10 * (own_moves - opponent_moves) / (own_moves + opponent_moves + 1)
    return worth(own) - worth(opponent) + mobility


@dataclass(frozen=True)
class Ranking:
    """The value of each move by its mask, and whether the search reached every end."""

    values: dict[Mask, float]
    exact: bool


class _Search:
    def __init__(self, n: int, nodes: int, seconds: float) -> None:
        self.board = geometry(n)
        self.nodes = nodes
        self.clock = search_clock()
        self.until = self.clock() + seconds
        self.exact = True

    def value(self, own: Mask, opponent: Mask, depth: int, alpha: float, beta: float) -> float:
        """Return a value by fail-soft alpha-beta.

        A position at ``depth`` 0 that is not over makes it inexact."""
        self._count()
        moves = legal_mask(own, opponent, self.board)
        if not moves:
            if not legal_mask(opponent, own, self.board):
                return final_score(own, opponent, self.board)
            return -self.value(opponent, own, depth, -beta, -alpha)
        if depth <= 0:
            self.exact = False
            return static_value(own, opponent, self.board)
        best = float("-inf")
        for child_own, child_opponent in self._children(own, opponent, moves):
            value = -self.value(child_own, child_opponent, depth - 1, -beta, -max(alpha, best))
            best = max(best, value)
            if best >= beta:
                break
        return best

    def _children(self, own: Mask, opponent: Mask, moves: Mask) -> list[tuple[Mask, Mask]]:
        """Return the position after each move, those with the fewest answers first."""
        children = [self.after(own, opponent, disc) for disc in bits(moves)]
        children.sort(key=lambda child: legal_mask(child[0], child[1], self.board).bit_count())
        return children

    def after(self, own: Mask, opponent: Mask, disc: Mask) -> tuple[Mask, Mask]:
        """Return the position after a move, seen by the opponent."""
        flips = flip_mask(own, opponent, disc, self.board)
        return opponent ^ flips, own | flips | disc

    def _count(self) -> None:
        self.nodes -= 1
        if self.nodes < 0 or (self.nodes % 64 == 0 and self.clock() >= self.until):
            raise _OutOfNodes


def rank(
    own: Mask,
    opponent: Mask,
    n: int,
    *,
    depth: int,
    nodes: int,
    seconds: float,
    smooth: bool = False,
) -> Ranking:
    """Return the value of every move by the deepest search within ``nodes`` and ``seconds``.

    The depth is at most ``depth`` plies and at least one. ``smooth`` values are the mean of the
    last two depths, since odd and even depths favour different sides."""
    search = _Search(n, nodes, seconds)
    moves = list(bits(legal_mask(own, opponent, search.board)))
    after = {disc: search.after(own, opponent, disc) for disc in moves}
    ranking = Ranking(
        {disc: -static_value(*after[disc], search.board) for disc in moves}, exact=False
    )
    before = ranking
    try:
        for plies in range(1, depth + 1):
            before, ranking = ranking, _rank_at(search, after, ranking, plies)
            if ranking.exact:
                break
    except _OutOfNodes:
        pass
    return _mean(before, ranking) if smooth and not ranking.exact else ranking


def _mean(before: Ranking, later: Ranking) -> Ranking:
    values = {disc: (value + before.values[disc]) / 2 for disc, value in later.values.items()}
    return Ranking(values, exact=False)


def _rank_at(
    search: _Search, after: dict[Mask, tuple[Mask, Mask]], before: Ranking, plies: int
) -> Ranking:
    search.exact = True
    infinite = float("inf")
    moves = sorted(before.values, key=lambda disc: -before.values[disc])
    values = {disc: -search.value(*after[disc], plies - 1, -infinite, infinite) for disc in moves}
    return Ranking(values, search.exact)
