"""The logbook of Logistello, and of programs that learn from it: a game a line on 8 x 8 squares.

``+d3-c5+e6…+h8: +12 07``: each square with its colour before it, + for black; then the margin of
black, and a number that the program has for itself. Passes are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.contract import BadRecord, Record, RecordFormat, SeatKey, Text, attempt, text
from games.othello.formats.parts import MoveReader, first_setup

_LINE = re.compile(r"[^\n]+")
_GAME = re.compile(
    r"\s*((?:[+-][a-hA-H][1-8])+)\s*:?\s*([+-]?[0-9]{1,2}(?:\.5)?)?(?:\s+[0-9]+)?\s*"
)
_MOVE = re.compile(r"([+-])([a-hA-H][1-8])")
_SEATS: dict[str, SeatKey] = {"+": "black", "-": "white"}


def read(written: str) -> Iterator[Record | BadRecord]:
    """Yield the games of a text. Raises BadRecord."""
    for line in _LINE.finditer(written):
        if line[0].strip():
            yield attempt(_game, line)


def _game(line: re.Match[str]) -> Record:
    found = _GAME.fullmatch(line[0])
    if found is None:
        at = line.start() + len(line[0]) - len(line[0].lstrip())
        raise BadRecord(text("A line of the logbook is as “+d3-c5+e6: +12”."), at)
    reader = MoveReader(dict(first_setup(8)))
    for move in _MOVE.finditer(found[1]):
        reader.play(_SEATS[move[1]], move[2], line.start() + found.start(1) + move.start())
    reader.result = found[2] or ""
    return reader.record()


def _recognises(written: str) -> bool:
    line = _LINE.search(written.lstrip()[:400])
    return bool(line and re.match(r"(?:[+-][a-hA-H][1-8]){2}", line[0].strip()))


LOGBOOK = RecordFormat(
    slug="logbook", name=Text("Logistello"), ending="gam", recognises=_recognises, read=read
)
