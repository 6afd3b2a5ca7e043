"""Drawings on the page of a new game: boards of so many rows and columns."""

from __future__ import annotations


def board_lines(value: object, picture: str) -> str:
    """Return the lines between the rows, the columns, or both of a ``board``, as a path in a square
    of 24 units.

    >>> board_lines(2, "board")
    'M0 12h24M12 0v24'
    """
    parts = int(str(value))
    places = [f"{24 * line / parts:.4g}" for line in range(1, parts)]
    rows = "".join(f"M0 {at}h24" for at in places if picture != "columns")
    return rows + "".join(f"M{at} 0v24" for at in places if picture != "rows")
