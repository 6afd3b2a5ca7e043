"""Faults that pupils make in their classes."""

from __future__ import annotations

from tests.support.pupils import Fault

FAULTS = [
    Fault(
        "diagonals forgotten",
        "hermit",
        "if 0 <= i < self.n and 0 <= j < self.n and self.rows[i][j] == colour:",
        "if (i == r or j == c) and 0 <= i < self.n and 0 <= j < self.n "
        "and self.rows[i][j] == colour:",
        {"value", "set", "not_refused"},
    ),
    Fault(
        "board changed by a refused move",
        "hermit",
        """\
        for each in cells:
            assert self.isvalid(colour, each), "invalid move"
        for r, c in cells:
            self.rows[r][c] = colour
""",
        """\
        free = [each for each in cells if self.isvalid(colour, each)]
        for r, c in free:
            self.rows[r][c] = colour
        assert len(free) == len(cells), "invalid move"
""",
        {"changed_refused"},
    ),
    Fault("wrong message", "hermit", '"invalid move"', '"Invalid move"', {"wrong_message"}),
    Fault(
        "negative index accepted",
        "kluizenaar",
        "if r < 0 or c < 0 or r >= self.n",
        "if r >= self.n",
        {"value", "not_refused"},
    ),
    Fault(
        "possible moves as a list",
        "hermit",
        "        return moves\n",
        "        return list(moves)\n",
        {"type"},
    ),
    Fault(
        "text with a trailing newline",
        "hermit",
        'return "\\n".join([" ".join(row) for row in self.rows])',
        'return "".join([" ".join(row) + "\\n" for row in self.rows])',
        {"newline"},
    ),
    Fault(
        "a second board has the same blocks",
        "hermit",
        "        self.rows = []\n",
        "        Hermit.rows = []\n",
        {"changed", "text"},
    ),
]
