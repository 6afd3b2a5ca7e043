"""Puzzles for proofs by searches that share no code with those that found them.

They use the games' plain positions, which the rules of the site use too: no kernels, tables or
bitboards. Each run takes other puzzles at random.
"""

from __future__ import annotations

from random import Random

from games.contract import Position, Puzzle, Rules
from games.puzzles import catalogue

PROVED = 20
"""Puzzles of each game with exact values."""


def shuffled_puzzles(rules: Rules, language: str = "") -> list[Puzzle]:
    """Return the puzzles of a game in random order, those with words in a language."""
    puzzles = [entry.puzzle for entry in catalogue.entries(rules, language)]
    Random().shuffle(puzzles)
    return puzzles


def after(position: Position, move: str) -> Position:
    """Return the position after a move of the seat to move."""
    return position.copy().play(min(position.to_move()), move)


def legal(position: Position) -> list[str]:
    """Return the legal moves of the seat to move."""
    return list(position.legal_moves(min(position.to_move())))
