"""Choosing a move of Othello: one click on a square where a disc can be placed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from games.contract import Stage, Step, cell_name, parse_cell
from games.othello import messages
from games.othello.engine import BLACK, WHITE, Othello
from games.othello.view import Content

DISCS: Final[Mapping[str, Content]] = {
    BLACK: {"disc": "black", "label": messages.DISCS[BLACK]},
    WHITE: {"disc": "white", "label": messages.DISCS[WHITE]},
    ".": {"disc": None, "label": messages.DISCS["."]},
}
"""The values of squares, by their signs in ``str(board)``."""


def stage(board: Othello, colour: str, squares: Iterable[str]) -> Stage:
    """Return the choice among ``squares`` for a disc of ``colour``."""
    steps = tuple(_step(board, colour, square) for square in squares)
    return Stage(prompt=messages.choose_square(), steps=steps)


def _step(board: Othello, colour: str, square: str) -> Step:
    flips = [cell_name(*cell) for cell in sorted(board.flips(colour, parse_cell(square)))]
    disc = DISCS[colour]
    return Step(
        text=square,
        label=messages.placement_label(square, len(flips)),
        short=messages.flips_label(len(flips)),
        cell=square,
        effects={square: "place", **dict.fromkeys(flips, "flip")},
        cells={
            square: {**disc, "placed": True},
            **{name: {**disc, "placed": False} for name in flips},
        },
    )
