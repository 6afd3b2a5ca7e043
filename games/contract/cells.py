"""Cells of a board and their names."""

from __future__ import annotations

import re
from functools import lru_cache

from games.contract.errors import BadNotation
from games.contract.texts import text
from games.contract.unicode_text import display_excerpt

Cell = tuple[int, int]
"""(row, column), both from zero, from the top-left."""

_CELL = re.compile(r"([a-z])([1-9][0-9]?)")


# A board names all its cells for every view of it.
@lru_cache(26 * 99)
def cell_name(row: int, column: int) -> str:
    """Return the name of a cell: the letter of its column and the number of its row.

    >>> cell_name(0, 0), cell_name(9, 2)
    ('a1', 'c10')
    """
    return f"{chr(ord('a') + column)}{row + 1}"


@lru_cache(26 * 99)
def parse_cell(name: str) -> Cell:
    """Return the (row, column) of a name, whether or not a board has that cell.

    Raises BadNotation for any other string.

    >>> parse_cell('c10')
    (9, 2)
    """
    match = _CELL.fullmatch(name)
    if match is None:
        raise BadNotation(text("“%(name)s” is not a square.", name=display_excerpt(name, 20)))
    return int(match[2]) - 1, ord(match[1]) - ord("a")
