"""Puzzles are proved anew: the result with best play, by plain alpha-beta on the discs."""

from __future__ import annotations

from collections.abc import Iterable

from games.contract import Position, Puzzle
from games.othello.rules import RULES
from tests.games.othello.positions import Discs
from tests.support.puzzles import PROVED, legal, shuffled_puzzles, wrong_lines


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
