"""Puzzles are proved anew: who places the last block, by trying every game."""

from __future__ import annotations

from functools import partial

from games.contract import Position
from games.hermit.rules import RULES
from tests.support.puzzles import PROVED, after, legal, shuffled_puzzles, wrong_lines


def is_lost(position: Position, known: dict[tuple[object, ...], bool]) -> bool:
    """Return whether the player to move loses; nobody wins twice from one board."""
    if not position.to_move():
        return True
    key = key_of(position)
    if key not in known:
        known[key] = not any(is_lost(after(position, move), known) for move in legal(position))
    return known[key]


def key_of(position: Position) -> tuple[object, ...]:
    return tuple(cell["allowed"] for row in position.view(None)["rows"] for cell in row)


def lengths(position: Position, known: dict[tuple[object, ...], set[int]]) -> set[int]:
    """Return how many blocks can still be laid, in every game from a position."""
    if not position.to_move():
        return {0}
    key = key_of(position)
    if key not in known:
        later = [lengths(after(position, move), known) for move in legal(position)]
        known[key] = {1 + n for found in later for n in found}
    return known[key]


def test_one_move_alone_wins_a_puzzle() -> None:
    known: dict[tuple[object, ...], bool] = {}
    for puzzle in shuffled_puzzles(RULES)[:PROVED]:
        position = puzzle.position(RULES.start)
        lost = partial(is_lost, known=known)
        winning = [move for move in legal(position) if lost(after(position, move))]
        assert winning == list(puzzle.turns[0].right)


def test_the_line_after_a_wrong_move_is_lost_and_counted_right() -> None:
    lost = dict[tuple[object, ...], bool]()
    counted = dict[tuple[object, ...], set[int]]()
    for puzzle in shuffled_puzzles(RULES)[:PROVED]:
        for _, line, positions in wrong_lines(RULES, puzzle):
            assert all(is_lost(position, lost) for position in positions[1::2])
            for played, position in zip(line, positions, strict=True):
                message = played.said.message if played.said else ""
                found = lengths(position, counted) if "block" in message else {0}
                if message.startswith("%(n)s more"):
                    assert played.said
                    assert found == {played.said.params["n"]}
                elif message.startswith(("An odd", "One more")):
                    assert {n % 2 for n in found} == {1}
                else:
                    assert {n % 2 for n in found} == {0}
