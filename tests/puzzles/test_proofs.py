"""Puzzles are proved anew, by searches that share no code with those that found them.

They use the games' plain positions, which the rules of the site use too: no kernels, tables or
bitboards. Each run takes other puzzles at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from games.contract import Position, Puzzle
from games.core.registry import all_rules
from games.puzzles import catalogue

PROVED = 20
"""Puzzles of each game with exact values."""


def some_puzzles(slug: str, count: int, lightest: int = 10**9) -> list[Puzzle]:
    """Return puzzles at random, those whose position has at most ``lightest`` moves to come."""
    puzzles = [entry.puzzle for entry in catalogue.entries(all_rules()[slug])]
    Random().shuffle(puzzles)
    return [puzzle for puzzle in puzzles if weight(slug, puzzle) <= lightest][:count]


def weight(slug: str, puzzle: Puzzle) -> int:
    """Return the number of empty squares of an Othello board, 0 for another game."""
    return 60 - len(puzzle.moves) if slug == "othello" else 0


def position_of(slug: str, puzzle: Puzzle) -> Position:
    return puzzle.position(all_rules()[slug].start)


def after(position: Position, move: str) -> Position:
    return position.copy().play(min(position.to_move()), move)


def legal(position: Position) -> list[str]:
    return position.legal_moves(min(position.to_move()))


# --- Othello: the result with best play, by plain alpha-beta on the discs -----------------------

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


def othello_results(puzzle: Puzzle) -> dict[str, int]:
    """Return the result of every move: 1 a win, 0 a draw, -1 a loss."""
    position = position_of("othello", puzzle)
    side = 1 if min(position.to_move()) == "black" else -1
    board = Discs(position)
    return {
        name: board.after(square, board.flips(square, side), side, -1, 1)
        for square, name in enumerate(board.names)
        if not board.squares[square] and board.flips(square, side)
    }


def test_one_move_alone_keeps_the_result_of_an_othello_puzzle() -> None:
    for puzzle in some_puzzles("othello", PROVED, lightest=10):
        results = othello_results(puzzle)
        best = 1 if puzzle.task == "win" else 0
        assert max(results.values()) == best
        assert [move for move in results if results[move] == best] == list(puzzle.turns[0].right)


# --- Hermit: who places the last block, by trying every game ------------------------------------


def is_lost(position: Position, known: dict[tuple[object, ...], bool]) -> bool:
    """Return whether the player to move loses; nobody wins twice from one board."""
    if not position.to_move():
        return True
    key = tuple(cell["allowed"] for row in position.view(None)["rows"] for cell in row)
    if key not in known:
        known[key] = not any(is_lost(after(position, move), known) for move in legal(position))
    return known[key]


def test_one_move_alone_wins_a_hermit_puzzle() -> None:
    known: dict[tuple[object, ...], bool] = {}
    for puzzle in some_puzzles("hermit", PROVED):
        position = position_of("hermit", puzzle)
        lost = partial(is_lost, known=known)
        winning = [move for move in legal(position) if lost(after(position, move))]
        assert winning == list(puzzle.turns[0].right)


# --- Santorini: a forced win, by trying every move and every reply ------------------------------


def wins(position: Position, seat: str, turns: int) -> bool:
    """Return whether ``seat``, which is to move or has won, can force a win in so many turns."""
    if result := position.result():
        return seat in result.winners
    moves = legal(position)
    if any(len(move.split()) == 2 for move in moves):
        return True
    return turns > 1 and any(forces(after(position, move), seat, turns - 1) for move in moves)


def forces(position: Position, seat: str, turns: int) -> bool:
    """Return whether ``seat`` wins in so many turns after every reply of the other player."""
    if result := position.result():
        return seat in result.winners
    replies = legal(position)
    if any(len(reply.split()) == 2 for reply in replies):
        return False
    return all(wins(after(position, reply), seat, turns) for reply in replies)


@pytest.mark.parametrize("turns", [2])
def test_one_move_alone_forces_the_win_of_a_santorini_puzzle(turns: int) -> None:
    puzzles = [each for each in some_puzzles("santorini", 500) if each.task == f"win{turns}"]
    for puzzle in puzzles[:PROVED]:
        position = position_of("santorini", puzzle)
        seat = min(position.to_move())
        assert not wins(position, seat, turns - 1)
        winning = [m for m in legal(position) if forces(after(position, m), seat, turns - 1)]
        assert winning == list(puzzle.turns[0].right)
