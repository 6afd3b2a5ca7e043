"""Positions for the tests of the computer player: published endings, random ones, and a plain
minimax.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.contract import Position
from games.othello.ai.generic import final_score
from games.othello.ai.openings import after, start
from games.othello.bitboard import bits, flip_mask, geometry, legal_mask


@dataclass(frozen=True)
class Published:
    """An ending with its score for the side to move and the squares of its best moves."""

    number: int
    board: str
    to_move: str
    score: int
    moves: str

    def _mask(self, own: bool) -> int:
        return sum(
            1 << square
            for square, disc in enumerate(self.board)
            if disc != "-" and (disc == self.to_move) == own
        )

    @property
    def own(self) -> int:
        return self._mask(own=True)

    @property
    def opponent(self) -> int:
        return self._mask(own=False)

    @property
    def best(self) -> set[int]:
        return {8 * int(name[1]) + ord(name[0]) - ord("a") - 8 for name in self.moves.split()}


# Endgame problems published in Fforum, the magazine of the French Othello federation (FFO), with
# the numbers, scores and best moves that the problem sets of the program Edax give.
_FFO = """
20 XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X 6 h5
21 OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOXX--XOOXOO--XOOOOO--XXXX---- O 0 g5
22 --OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O 2 g8
23 --O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X 4 a2
24 --O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O 0 c3
25 ----X------XXXO--OOOXXXXXOOOOXXO-XXOOXXOOOXOXXXXOOOXX---X-XXXX-- O 0 g1 a5
26 -OOOOO----OXXO---OOOOXXO-OOOXOXX-OOXOOXX-XOXXOXX--O-XXXX--O----O X 0 d8
27 --XO-O----OOOO--OOXOXXO-OOOOXXOOOOOXXOX-OXOXXXXX--XXXX----X-O-X- X -2 b7
28 --O-------OOO--X-XOOOOXXXXXXOXOX-XXOXOOXXXOXOOXX-OOOOO-X---OOO-- X 0 f1 b2 e1
29 -OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X 10 g2
30 -XXX----X-XOO---XXOXOO--XOXOXO--XOOXOXXXXOOXXOX---OOOOO--XXXXX-- X 0 g3
31 -OOOOO----OOOO--OXXOOO---XXXOO--XXXXXXO-XXXOOO-OX-OOOO---OOOOO-- X -2 g6
32 --XX----O-XXOX--OOXOO---OXOXOOO-OOXXOOOXOOXXXOOX--XXXXOX--X--X-X X -4 g3
33 -XXXXXXX--XOOO----OXOOXX-OOXXOXX-OOOOOXX-X-XOOXX---O-X-X--OOOO-- X -8 e7 a3
34 -------------O-O-OOOOOOOOOOOOXOOOXXOOOXO-XXXOXOO--XXXOXO--OXXXXO X -2 c2
"""


def _published(line: str) -> Published:
    number, board, to_move, score, moves = line.split(maxsplit=4)
    return Published(int(number), board, to_move, int(score), moves)


FFO = [_published(line) for line in _FFO.strip().splitlines()]


def at_random(n: int, empties: int, seed: int, *, to_move: bool = False) -> tuple[int, int]:
    """Return the masks (own, opponent) of a position after random moves.

    A game that ends before is begun again. With ``to_move``, own has a move."""
    rng, board = Random(seed), geometry(n)
    while True:
        own, opponent = start(n)
        while n * n - (own | opponent).bit_count() > empties:
            moves = list(bits(legal_mask(own, opponent, board)))
            if not moves:
                break
            own, opponent = after(own, opponent, rng.choice(moves), n)
        else:
            if not to_move or legal_mask(own, opponent, board):
                return own, opponent


def minimax(own: int, opponent: int, n: int) -> int:
    """Return the final score of own with best play by both, the empty squares going to the
    winner."""
    board = geometry(n)
    moves = legal_mask(own, opponent, board)
    if not moves:
        if not legal_mask(opponent, own, board):
            return final_score(own, opponent, board)
        return -minimax(opponent, own, n)
    scores = []
    for move in bits(moves):
        flips = flip_mask(own, opponent, move, board)
        scores.append(-minimax(opponent ^ flips, own | flips | move, n))
    return max(scores)


LINES = [
    [(row + step * r, column + step * c) for step in range(1, 8)]
    for row in range(8)
    for column in range(8)
    for r in (-1, 0, 1)
    for c in (-1, 0, 1)
    if r or c
]


class Discs:
    """A board as a list of 1, -1 and 0, with the squares around each in eight directions."""

    def __init__(self, position: Position) -> None:
        rows = position.view(None)["rows"]
        sign = {"black": 1, "white": -1, None: 0}
        self.squares = [sign[cell["disc"]] for row in rows for cell in row]
        self.names = [cell["name"] for row in rows for cell in row]
        self.ways = [[*self._ways(square)] for square in range(64)]

    @staticmethod
    def _ways(square: int) -> Iterator[list[int]]:
        for way in LINES[8 * square : 8 * square + 8]:
            inside = [8 * r + c for r, c in way if 0 <= r < 8 and 0 <= c < 8]
            if len(inside) > 1:
                yield inside

    def flips(self, square: int, side: int) -> list[int]:
        found: list[int] = []
        for way in self.ways[square]:
            run: list[int] = []
            for other in way:
                if self.squares[other] != -side:
                    if self.squares[other] == side:
                        found += run
                    break
                run.append(other)
        return found

    def result(self, side: int, alpha: int, beta: int, passed: bool = False) -> int:
        """Return the sign of the final count for a side with best play, within (alpha, beta)."""
        best = -2
        for square in [place for place in range(64) if not self.squares[place]]:
            flipped = self.flips(square, side)
            if not flipped:
                continue
            best = max(best, self.after(square, flipped, side, max(alpha, best), beta))
            if best >= beta:
                return best
        if best > -2:
            return best
        if passed:
            total = side * sum(self.squares)
            return (total > 0) - (total < 0)
        return -self.result(-side, -beta, -alpha, passed=True)

    def after(self, square: int, flipped: list[int], side: int, alpha: int, beta: int) -> int:
        for place in (square, *flipped):
            self.squares[place] = side
        value = -self.result(-side, -beta, -alpha)
        self.squares[square] = 0
        for place in flipped:
            self.squares[place] = -side
        return value
