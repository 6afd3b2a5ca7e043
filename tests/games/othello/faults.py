"""Faults that pupils make in their classes."""

from __future__ import annotations

from tests.support.pupils import Fault

FAULTS = [
    Fault(
        "pass wrongly handled",
        "othello",
        "    colour, row, column = line.split()\n",
        "    colour, row, column = line.split()\n"
        '    placed = sum([row.count("N") + row.count("B") for row in board])\n'
        '    colour = "N" if placed % 2 == 0 else "B"\n',
        {"text"},
    ),
    Fault(
        "counts swapped",
        "othello",
        'str(black) + ":" + str(white)',
        'str(white) + ":" + str(black)',
        {"text"},
    ),
    Fault(
        "long lines cut",
        "othello",
        "board[i][j] == other:",
        "board[i][j] == other and len(taken) < 6:",
        {"text"},
        lines=90,
    ),
]
