"""Cells of a board and their names."""

from __future__ import annotations

import re

from games.contract.errors import BadNotation
from games.contract.texts import text
from games.contract.unicode_text import display_excerpt

Cell = tuple[int, int]
"""(row, column), both from zero, from the top-left."""

_CELL = re.compile(r"([a-z])([1-9][0-9]?)")


def cell_name(row: int, column: int) -> str:
    """``a1`` for (0, 0), ``c10`` for row 9, column 2."""
    return f"{chr(ord('a') + column)}{row + 1}"


def parse_cell(name: str) -> Cell:
    """The (row, column) of a name such as ``c10``.

    Raises BadNotation for anything else; whether the cell is on the board is not looked at.
    """
    match = _CELL.fullmatch(name)
    if match is None:
        raise BadNotation(text("“%(name)s” is not a square.", name=display_excerpt(name, 20)))
    return int(match[2]) - 1, ord(match[1]) - ord("a")
