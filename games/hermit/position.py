"""The position of a game of Hermit: the engine's board and its two players."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from games.contract import (
    CLICKED,
    OTHER_CELLS,
    BadNotation,
    Cell,
    IllegalMove,
    Position,
    Result,
    SeatKey,
    SeatSpec,
    Stage,
    Text,
    cell_name,
    parse_cell,
)
from games.hermit import messages, stages
from games.hermit.engine import COLOURS, Hermit, covered
from games.hermit.view import Square, View

FIRST, SECOND = "first", "second"
SEATS: Final = tuple(
    SeatSpec(key=key, name=name, you=messages.YOU[key]) for key, name in messages.PLAYERS.items()
)

_NOTATION: Final = re.compile(r"([RYB]) ([a-z][1-9][0-9]?) ([UHV])")


@lru_cache(maxsize=16)
def _notation(size: int) -> Mapping[str, Sequence[tuple[str, str, str]]]:
    """Return the moves by colour and by bit of the board, unused bits included: one for each
    placement."""
    cells = [cell_name(r, c) for r in range(size) for c in range(size + 1)]
    return {
        colour: [(f"{start} U", f"{start} H", f"{start} V") for start in starts]
        for colour, starts in ((name, [f"{name} {cell}" for cell in cells]) for name in COLOURS)
    }


def parse_move(move: str) -> tuple[str, Cell, str]:
    """Return (colour, top-left square, placement) of ``R b3 U``. Raises BadNotation."""
    match = _NOTATION.fullmatch(move)
    if match is None:
        raise BadNotation(messages.bad_notation(move))
    return match[1], parse_cell(match[2]), match[3]


class HermitPosition(Position):
    """A board, the seat to move, and the blocks on it.

    ``parts`` holds the colour of each covered square and its part of a block: ``upright``,
    ``left``, ``right``, ``top`` or ``bottom``.
    """

    def __init__(self, size: int) -> None:
        super().__init__(SEATS)
        self.board = Hermit(size)
        self.turn: SeatKey = FIRST
        self.parts: dict[Cell, tuple[str, str]] = {}
        self._ended: Result | None = None

    # --- games.contract.Position ---------------------------------------------------------

    def _to_move(self) -> set[SeatKey]:
        return {self.turn}

    def _legal_moves(self, seat: SeatKey) -> Iterator[str]:
        for colour, notation in _notation(self.board.n).items():
            starts = self.board.starts(colour)
            masks = starts["U"], starts["H"], starts["V"]
            yield from [
                move
                for bit, moves in enumerate(notation)
                for mask, move in zip(masks, moves, strict=True)
                if mask >> bit & 1
            ]

    def _apply(self, seat: SeatKey, move: str) -> None:
        colour, cell, placement = parse_move(move)
        squares = sorted(covered(cell, placement))
        objection = self._objection(colour, squares)
        if objection is not None:
            raise IllegalMove(objection)
        self.board.move(colour, cell, placement)
        for square, part in zip(squares, stages.PARTS[placement], strict=True):
            self.parts[square] = colour, part
        self.last = tuple(cell_name(*square) for square in squares)
        self.events = (messages.placed(seat, colour, self.last),)
        self.turn = _other(seat)
        if not any(map(self.board.allowed, COLOURS)):
            self._ended = Result(frozenset({seat}), messages.last_block(seat))

    def _result(self) -> Result | None:
        return self._ended

    def _stage(self, seat: SeatKey, chosen: tuple[str, ...]) -> Stage:
        return stages.stage(self.board, chosen)

    def _view(self, seat: SeatKey | None) -> View:
        """Return the same view for every seat, since the game has no hidden information.

        A cell has ``colour`` and ``part`` ('' if empty) and ``allowed``, the colours that may still
        be placed there. ``colours`` has the number of squares where each colour fits."""
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
        }

    def normalize_input(self, typed: str) -> str:
        """Accept the Dutch G (``geel``) for Y (yellow)."""
        return re.sub(r"^\s*g(?=\s)", "Y", typed, flags=re.IGNORECASE)

    def _refusals(
        self, seat: SeatKey, chosen: tuple[str, ...], cells: Sequence[str]
    ) -> dict[str, Text]:
        if not chosen:
            return {OTHER_CELLS: messages.colour_first()}
        covered_already = messages.covered_already(CLICKED)
        would_touch = messages.would_touch(chosen[0], CLICKED)
        if len(chosen) == 1:
            taken = [name for name in cells if parse_cell(name) in self.parts]
            return {OTHER_CELLS: would_touch, **dict.fromkeys(taken, covered_already)}
        return {
            name: covered_already if parse_cell(name) in self.parts else would_touch
            for name in _second_squares(chosen[1])
            if name in cells
        }

    def tell_move(self, move: str) -> Text:
        """Return a move with its block and its squares."""
        colour, cell, placement = parse_move(move)
        names = [cell_name(*square) for square in sorted(covered(cell, placement))]
        return messages.placement(colour, names)

    # --- Hermit's own --------------------------------------------------------------------

    def _objection(self, colour: str, squares: Sequence[Cell]) -> Text | None:
        """Return why a block may not cover these squares, None if it may."""
        if not all(map(self.board.bit, squares)):
            return messages.off_the_board()
        for square in squares:
            if square in self.parts:
                return messages.covered_already(cell_name(*square))
            if not self.board.isvalid(colour, square):
                return messages.would_touch(colour, cell_name(*square))
        return None

    def _cell(self, row: int, column: int, allowed: Mapping[str, int]) -> Square:
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


def _second_squares(first: str) -> tuple[str, str]:
    """Return the second squares of a block on ``first``, on the board or off it."""
    row, column = parse_cell(first)
    return cell_name(row, column + 1), cell_name(row + 1, column)


def _other(seat: SeatKey) -> SeatKey:
    return SECOND if seat == FIRST else FIRST
