"""Puzzles are proved anew: the result with best play, by plain alpha-beta on the discs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.contract import Position, Puzzle
from games.othello.rules import RULES
from tests.support.puzzles import PROVED, legal, shuffled_puzzles, wrong_lines

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


def results_of(puzzle: Puzzle) -> dict[str, int]:
    """Return the result of every move: 1 a win, 0 a draw, -1 a loss."""
    position = puzzle.position(RULES.start)
    side = 1 if min(position.to_move()) == "black" else -1
    board = Discs(position)
    return {
        name: board.after(square, board.flips(square, side), side, -1, 1)
        for square, name in enumerate(board.names)
        if not board.squares[square] and board.flips(square, side)
    }


def test_one_move_alone_keeps_the_result_of_a_puzzle() -> None:
    near_the_end = [puzzle for puzzle in shuffled_puzzles(RULES) if 60 - len(puzzle.moves) <= 10]
    for puzzle in near_the_end[:PROVED]:
        results = results_of(puzzle)
        best = 1 if puzzle.task == "win" else 0
        assert max(results.values()) == best
        assert [move for move in results if results[move] == best] == list(puzzle.turns[0].right)


def test_the_line_after_a_wrong_move_ends_with_the_score_that_it_costs() -> None:
    for puzzle in shuffled_puzzles(RULES)[:PROVED]:
        side = 1 if min(puzzle.position(RULES.start).to_move()) == "black" else -1
        turns = {
            turn.refutation(move).verdict for turn in puzzle.turns for move in turn.refutations
        }
        for _, line, positions in wrong_lines(RULES, puzzle):
            assert positions[-1].result()
            discs = Discs(positions[-1])
            assert str(score(discs) * side) in turns
            for played, position in zip(line[:-1], positions, strict=False):
                assert held(position, positions[-1], played.cells) or set(played.cells) <= {
                    *legal(position)
                }


def score(board: Discs) -> int:
    """Return the final score of black: empty squares count for the winner."""
    total = sum(board.squares)
    empty = board.squares.count(0)
    return total + empty * ((total > 0) - (total < 0))


def held(position: Position, last: Position, cells: Iterable[str]) -> bool:
    """Return whether there are discs on some cells, which keep their colour to the end."""
    now, then = Discs(position), Discs(last)
    places = [now.names.index(cell) for cell in cells]
    return all(now.squares[place] == then.squares[place] != 0 for place in places)
