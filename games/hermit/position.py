"""Where a game of Hermit stands on the site: the seam over the board of `engine`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Self

from games.contract import (
    BadNotation,
    Cell,
    IllegalMove,
    Position,
    Result,
    SeatKey,
    Stage,
    Text,
    cell_name,
    parse_cell,
    text,
)
from games.hermit import messages, stages
from games.hermit.engine import COLOURS, PLACEMENTS, Hermit, covered

SEATS: Final[tuple[SeatKey, SeatKey]] = ("first", "second")

_NOTATION: Final = re.compile(r"([RYB]) ([a-z][1-9][0-9]?) ([UHV])")


@lru_cache(maxsize=16)
def _notation(size: int) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """By colour and placement: the move at each bit of the board, unused bits included."""
    cells = [cell_name(r, c) for r in range(size) for c in range(size + 1)]
    return {
        (colour, placement): tuple(f"{colour} {cell} {placement}" for cell in cells)
        for colour in COLOURS
        for placement in PLACEMENTS
    }


def parse_move(move: str) -> tuple[str, Cell, str]:
    """(colour, top-left square, placement) of ``R b3 U``. Raises BadNotation."""
    match = _NOTATION.fullmatch(move)
    if match is None:
        raise BadNotation(messages.bad_notation(move))
    return match[1], parse_cell(match[2]), match[3]


class HermitPosition(Position):
    """A board, the seat whose turn it is, and what the last move was.

    ``parts`` holds for each covered square its colour and which part of a block it is:
    ``upright``, ``left``, ``right``, ``top`` or ``bottom``.
    """

    def __init__(self, size: int) -> None:
        self.board = Hermit(size)
        self.turn = SEATS[0]
        self.parts: dict[Cell, tuple[str, str]] = {}
        self._last: tuple[str, ...] = ()
        self._news: tuple[Text, ...] = ()
        self._resigned: SeatKey | None = None

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.board = self.board.copy()
        twin.parts = self.parts.copy()
        return twin

    def to_move(self) -> frozenset[SeatKey]:
        over = self._resigned is not None or not any(map(self.board.allowed, COLOURS))
        return frozenset() if over else frozenset({self.turn})

    def legal_moves(self, seat: SeatKey) -> list[str]:
        return list(self._moves()) if seat in self.to_move() else []

    def _moves(self) -> Iterator[str]:
        notation = _notation(self.board.n)
        for colour in COLOURS:
            starts = self.board.starts(colour)
            for cell in self.board.cells(starts["U"]):
                bit = self.board.bit(cell)
                index = bit.bit_length() - 1
                for placement in PLACEMENTS:
                    if starts[placement] & bit:
                        yield notation[colour, placement][index]

    def result(self) -> Result | None:
        if self._resigned is not None:
            winner = _other(self._resigned)
            return Result(frozenset({winner}), messages.resigned(self._resigned))
        if self.to_move():
            return None
        winner = _other(self.turn)
        return Result(frozenset({winner}), messages.last_block(winner))

    def stage(self, seat: SeatKey, chosen: Sequence[str]) -> Stage:
        if seat not in self.to_move():
            raise IllegalMove(text("It is not your turn."))
        return stages.stage(self.board, chosen)

    def normalize_input(self, typed: str) -> str:
        """Yellow is Y in every move; who thinks of ``geel`` types a G."""
        return re.sub(r"^\s*g(?=\s)", "Y", typed, flags=re.IGNORECASE)

    def view(self, seat: SeatKey | None) -> Mapping[str, Any]:
        """All squares and blocks are open to everybody.

        A cell has ``colour`` and ``part`` ('' if empty) and ``allowed``, the colours that may
        still be placed there. ``colours`` says of each colour on how many squares it fits."""
        size = self.board.n
        allowed = {colour: self.board.allowed(colour) for colour in COLOURS}
        return {
            "size": size,
            "rows": [[self._cell(r, c, allowed) for c in range(size)] for r in range(size)],
            "colours": [
                {
                    "key": key,
                    "label": messages.COLOUR_NAMES[key],
                    "squares": allowed[key].bit_count(),
                }
                for key in COLOURS
            ],
            "last": self._last,
            "events": self._news,
        }

    def _cell(self, row: int, column: int, allowed: Mapping[str, int]) -> dict[str, Any]:
        colour, part = self.parts.get((row, column), ("", ""))
        bit = self.board.bit((row, column))
        fitting = tuple(key for key in COLOURS if allowed[key] & bit)
        label = messages.block_label(colour, part) if colour else messages.empty_label(fitting)
        return {
            "name": cell_name(row, column),
            "label": label,
            "colour": colour,
            "part": part,
            "allowed": fitting,
        }

    def _apply(self, seat: SeatKey, move: str) -> None:
        colour, cell, placement = parse_move(move)
        squares = sorted(covered(cell, placement))
        reason = self._objection(colour, squares)
        if reason is not None:
            raise IllegalMove(reason)
        self.board.move(colour, cell, placement)
        for square, part in zip(squares, stages.PARTS[placement], strict=True):
            self.parts[square] = colour, part
        self._last = tuple(cell_name(*square) for square in squares)
        self._news = (messages.news_of_move(seat, colour, self._last),)
        self.turn = _other(seat)

    def _objection(self, colour: str, squares: Sequence[Cell]) -> Text | None:
        """Why a block may not cover these squares; None if it may."""
        if not all(map(self.board.bit, squares)):
            return messages.off_the_board()
        for square in squares:
            if square in self.parts:
                return messages.covered_already(cell_name(*square))
            if not self.board.isvalid(colour, square):
                return messages.would_touch(colour, cell_name(*square))
        return None

    def _resign(self, seat: SeatKey) -> None:
        if seat not in SEATS:
            raise IllegalMove(text("This seat is not in the game."))
        self._resigned = seat
        self._last = ()
        self._news = (messages.resigned(seat),)


def _other(seat: SeatKey) -> SeatKey:
    return SEATS[1 - SEATS.index(seat)]
