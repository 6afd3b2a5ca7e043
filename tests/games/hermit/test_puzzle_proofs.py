"""Puzzles are proved anew: who places the last block, by trying every game."""

from __future__ import annotations

from functools import partial

from games.contract import Position
from games.hermit.rules import RULES
from tests.support.puzzles import PROVED, after, legal, shuffled_puzzles


def is_lost(position: Position, known: dict[tuple[object, ...], bool]) -> bool:
    """Return whether the player to move loses; nobody wins twice from one board."""
    if not position.to_move():
        return True
    key = tuple(cell["allowed"] for row in position.view(None)["rows"] for cell in row)
    if key not in known:
        known[key] = not any(is_lost(after(position, move), known) for move in legal(position))
    return known[key]


def test_one_move_alone_wins_a_puzzle() -> None:
    known: dict[tuple[object, ...], bool] = {}
    for puzzle in shuffled_puzzles(RULES)[:PROVED]:
        position = puzzle.position(RULES.start)
        lost = partial(is_lost, known=known)
        winning = [move for move in legal(position) if lost(after(position, move))]
        assert winning == list(puzzle.turns[0].right)
