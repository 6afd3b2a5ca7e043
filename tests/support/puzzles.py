"""Puzzles for proofs by searches that share no code with those that found them.

They use the games' plain positions, which the rules of the site use too: no kernels, tables or
bitboards. Each run takes other puzzles, by its seed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import shuffle

from games.contract import LineMove, Position, Puzzle, Rules
from games.puzzles import catalogue
from games.puzzles.lists import COLOURS

PROVED = 20
"""Puzzles of each game with exact values."""


def squares_in(page: str) -> str:
    """Return a page with signs for the squares that it draws."""
    signs = {colour: sign for sign, colour in COLOURS.items()}
    return re.sub(r'<i class="sign (\w+)"></i>', lambda drawn: signs[drawn[1]], page)


def shuffled_puzzles(rules: Rules, language: str = "") -> list[Puzzle]:
    """Return the puzzles of a game in random order, those with words in a language."""
    puzzles = [entry.puzzle for entry in catalogue.entries(rules, language)]
    shuffle(puzzles)
    return puzzles


def after(position: Position, move: str) -> Position:
    """Return the position after a move of the seat to move."""
    return position.copy().play(min(position.to_move()), move)


def legal(position: Position) -> list[str]:
    """Return the legal moves of the seat to move."""
    return list(position.legal_moves(min(position.to_move())))


def wrong_lines(
    rules: Rules, puzzle: Puzzle
) -> Iterator[tuple[Position, Sequence[LineMove], list[Position]]]:
    """Yield the line after each wrong move along the solution of a puzzle: the position before it,
    its moves, and the position after each."""
    assert rules.puzzles
    position = puzzle.position(rules.start)
    for number, turn in enumerate(puzzle.turns):
        for move in legal(position):
            if move not in turn.right:
                line = rules.puzzles.line(puzzle, position.copy(), move, puzzle.turns[number:])
                positions = [position]
                for played in line:
                    positions.append(after(positions[-1], played.move))
                yield position, line, positions[1:]
        for move in (turn.right[0], *turn.replies):
            position = after(position, move)
