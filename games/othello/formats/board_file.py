"""Positions, as a string of squares and the side to move: OBF, and the problems of many programs.

``---------------------------OX------XO--------------------------- X; a comment``, one a line, or
one board over several lines. The side may be a word, on the next line, or right after the squares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt

from games.contract import BadRecord, Record, RecordFormat, SeatKey, Text, attempt, text
from games.othello.formats.parts import MoveReader, board_from, first_setup, square_root

_DISCS = {
    **dict.fromkeys("Xx*#Bb", "N"),
    **dict.fromkeys("OoWw0", "B"),
    **dict.fromkeys("-._", "."),
}
_SIGNS = r"[Xx*#BbOoWw0._-]"
_SIDE = r"([Bb]lack|[Ww]hite|[Xx*BbOoWw])"
_END = r"(?![A-Za-z0-9._*#-])[^\n]*(?:\n|\Z)"
_WHOLE = re.compile(rf"\s*({_SIGNS}{{16,676}})\s+{_SIDE}{_END}")
_JOINED = re.compile(rf"\s*({_SIGNS}{{16,676}})([XxBbOoWw*]){_END}")
_ROWS = re.compile(rf"\s*((?:{_SIGNS}{{4,26}}\s+){{4,26}}){_SIDE}\s*\Z")


def read(written: str) -> Iterator[Record | BadRecord]:
    """Yield a game without moves for each position. Raises BadRecord."""
    if rows := _ROWS.match(written):
        yield _position(rows[1], rows[2], rows.start(1))
        return
    at, end = 0, len(written.rstrip())
    while at < end:
        line = _line(written, at)
        if line is None:
            start = at + len(written[at:]) - len(written[at:].lstrip())
            board = re.match(r"\S*", written[start:])
            raise _bad_line(board[0] if board else "", start)
        yield attempt(_position, line[1], line[2], line.start(1))
        at = line.end()


def _line(written: str, at: int) -> re.Match[str] | None:
    """Return the position on a line. Only the number of squares tells whether the last one of them
    is the side to move."""
    for form in (_WHOLE, _JOINED):
        line = form.match(written, at)
        if line and isqrt(len(line[1])) ** 2 == len(line[1]):
            return line
    return None


def _bad_line(line: str, at: int) -> Exception:
    square_root(len(line), at)
    board_from(line, _DISCS, at)
    return BadRecord(text("The side to move is missing after this board: X or O."), at + len(line))


def _position(board: str, side: str, at: int) -> Record:
    discs = board_from(board, _DISCS, at)
    turn: SeatKey = "black" if _DISCS[side[0]] == "N" else "white"
    return MoveReader(first_setup(square_root(len(discs), at), discs, turn)).record()


def _recognises(written: str) -> bool:
    first = written.lstrip()
    return bool(re.match(rf"{_SIGNS}{{16,}}(?:[\s;]|\Z)", first) or _ROWS.match(first))


BOARD_FILE = RecordFormat(
    slug="obf", name=Text("OBF"), ending="obf", recognises=_recognises, read=read
)
