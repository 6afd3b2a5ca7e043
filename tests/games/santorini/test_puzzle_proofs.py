"""Puzzles are proved anew: a forced win, by trying every move and every reply."""

from __future__ import annotations

import pytest

from games.contract import Position
from games.santorini.rules import RULES
from tests.support.puzzles import PROVED, after, legal, shuffled_puzzles


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
def test_one_move_alone_forces_the_win_of_a_puzzle(turns: int) -> None:
    puzzles = [puzzle for puzzle in shuffled_puzzles(RULES) if puzzle.task == f"win{turns}"]
    for puzzle in puzzles[:PROVED]:
        position = puzzle.position(RULES.start)
        seat = min(position.to_move())
        assert not wins(position, seat, turns - 1)
        winning = [m for m in legal(position) if forces(after(position, m), seat, turns - 1)]
        assert winning == list(puzzle.turns[0].right)
