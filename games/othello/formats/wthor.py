"""WTHOR, the database of the French federation: games on 8 x 8 in files ``.wtb``.

A file begins with 16 bytes, and has 68 for each game: the numbers of its tournament and players,
the score of black, that with best play, and the squares as ten times the row plus the column. The
names of the players are in a file ``.jou``, 20 bytes each, and those of the tournaments in one
``.trn``, 26 bytes each. The numbers are little-endian. See
https://www.ffothello.org/informatique/la-base-wthor/.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from struct import Struct
from typing import BinaryIO

from games.contract import (
    DRAW,
    RESIGN,
    ArchiveFormat,
    BadRecord,
    Record,
    SeatKey,
    attempt,
    cell_name,
    text,
)
from games.othello.formats.parts import MoveReader, first_setup

_HEADER = Struct("<4B I H H 4B")
_GAME = Struct("<3H 2B 60s")
_BEFORE_MOVES = _GAME.size - 60
_PLAYERS, _TOURNAMENTS = "jou", "trn"
_NAME = {_PLAYERS: 20, _TOURNAMENTS: 26}


def read(file: BinaryIO, companions: Mapping[str, bytes]) -> Iterator[Record | BadRecord]:
    """Yield the games of a file. Raises BadRecord."""
    header = file.read(_HEADER.size)
    values = _HEADER.unpack(header) if len(header) == _HEADER.size else ()
    if not values or values[7] not in {0, 8} or values[8]:
        raise BadRecord(text("This is no file of WTHOR with games on 8 × 8 squares."), 0)
    names, events = (_names(companions.get(kind, b""), _NAME[kind]) for kind in _NAME)
    for number in range(values[4]):
        at, stored = _HEADER.size + number * _GAME.size, file.read(_GAME.size)
        if len(stored) < _GAME.size:
            raise BadRecord(text("The file ends within a game."), at + len(stored))
        year = f"{values[6]:04}" if values[6] else ""
        yield attempt(_game, stored, names, events, year, at)


def _names(stored: bytes, length: int) -> list[str]:
    """Return the names of players or tournaments by their numbers."""
    starts = range(_HEADER.size, len(stored), length)
    names = (stored[start : start + length].split(b"\0")[0] for start in starts)
    return [name.decode("latin-1").strip() for name in names]


def _game(stored: bytes, names: list[str], events: list[str], year: str, at: int) -> Record:
    tournament, black, white, score, _best, squares = _GAME.unpack(stored)
    reader = MoveReader(dict(first_setup(8)))
    reader.day, reader.event = year, events[tournament] if tournament < len(events) else ""
    known: dict[SeatKey, int] = {"black": black, "white": white}
    reader.names = {seat: names[number] for seat, number in known.items() if number < len(names)}
    for index, square in enumerate(squares.rstrip(b"\0"), start=at + _BEFORE_MOVES):
        row, column = divmod(square, 10)
        if not (1 <= row <= 8 and 1 <= column <= 8):
            raise BadRecord(text("There is no such square on this board."), index)
        seat = min(reader.position.to_move(), default="black")
        reader.play(seat, cell_name(row - 1, column - 1), index)
    reader.end(*_early_end(score))
    return reader.record()


def _early_end(score: int) -> tuple[str, SeatKey | None]:
    """Return how a game ends before its last move. The reason is not in the file."""
    if score == 32:
        return DRAW, None
    return RESIGN, "black" if score < 32 else "white"


WTHOR = ArchiveFormat(ending="wtb", companions=(_PLAYERS, _TOURNAMENTS), read=read)
