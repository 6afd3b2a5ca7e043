"""Where a game of Othello stands on the site: the engine's game with seats, words and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

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
    next_steps,
    parse_cell,
    text,
)
from games.othello import messages, stages
from games.othello.engine import BLACK, WHITE, Othello, other

COLOURS: Mapping[SeatKey, str] = {"black": BLACK, "white": WHITE}
SEATS: Mapping[str, SeatKey] = {colour: seat for seat, colour in COLOURS.items()}

_PASSES = {"pass", "pas"}
"""What people type who think that a pass is a move, in the languages of the site."""

_DISCS: Mapping[str, Mapping[str, Any]] = {
    BLACK: {"disc": "black", "label": messages.DISCS[BLACK]},
    WHITE: {"disc": "white", "label": messages.DISCS[WHITE]},
    ".": {"disc": None, "label": messages.DISCS["."]},
}


@dataclass(frozen=True, slots=True)
class Placement:
    """A move that was played: who placed a disc where, and which squares turned over."""

    seat: SeatKey
    square: str
    flipped: tuple[str, ...]


@cache
def _square_names(n: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cell_name(row, column) for column in range(n)) for row in range(n))


def _names(cells: set[Cell]) -> tuple[str, ...]:
    return tuple(cell_name(*cell) for cell in sorted(cells))


class OthelloPosition(Position):
    """A game on ``n`` x ``n`` squares between the seats ``black`` and ``white``.

    A move is the name of the square where a disc is placed (``f5``). A seat without a legal move
    is passed over; that is no move and is not stored.
    """

    def __init__(self, n: int) -> None:
        self.board = Othello(n)
        self.resigned: SeatKey | None = None
        self.last: Placement | None = None

    # --- the contract --------------------------------------------------------------------

    def to_move(self) -> frozenset[SeatKey]:
        turn = self.board.turn()
        return frozenset() if turn is None or self.resigned else frozenset({SEATS[turn]})

    def legal_moves(self, seat: SeatKey) -> list[str]:
        """The squares where ``seat`` can place a disc, row by row."""
        if seat not in self.to_move():
            return []
        return list(_names(self.board.possible_moves(COLOURS[seat])))

    def result(self) -> Result | None:
        if self.resigned:
            winner = SEATS[other(COLOURS[self.resigned])]
            return Result(frozenset({winner}), messages.resigned(self.resigned))
        return _count(self.board) if self.board.turn() is None else None

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.board, twin.resigned, twin.last = self.board.copy(), self.resigned, self.last
        return twin

    def view(self, seat: SeatKey | None) -> Mapping[str, Any]:
        """What everybody sees alike.

        Beside what every game gives: ``size``; ``disc`` of each cell ('black', 'white' or None) and
        whether it was ``placed`` last; ``turn`` and ``passed`` (a seat or None); ``counts`` by
        seat, the number of ``empty`` squares, which ``squares_left`` says in words, and the
        official ``score`` by seat once the game has been played to its end (None before that).
        """
        empty = self.board.n**2 - sum(self.board.counts())
        return {
            "size": self.board.n,
            "rows": self._rows(),
            "turn": next(iter(self.to_move()), None),
            "counts": dict(zip(COLOURS, self.board.counts(), strict=True)),
            "empty": empty,
            "squares_left": messages.squares_left(empty),
            "score": self._score(),
            "passed": self.passed(),
            "last": [self.last.square, *self.last.flipped] if self.last else [],
            "events": self._news(),
        }

    def stage(self, seat: SeatKey, chosen: Sequence[str]) -> Stage:
        squares = next_steps(self.legal_moves(seat), chosen)
        return stages.stage(self.board, COLOURS[seat], squares)

    def _apply(self, seat: SeatKey, move: str) -> None:
        if move.casefold() in _PASSES:
            raise BadNotation(messages.passes_are_automatic())
        cell = parse_cell(move)
        flipped = self._flipped(seat, move, cell)
        self.board.move(COLOURS[seat], cell)
        self.last = Placement(seat, move, _names(flipped))

    def _resign(self, seat: SeatKey) -> None:
        if seat not in COLOURS:
            raise IllegalMove(text("This seat is not in the game."))
        self.resigned = seat

    # --- what the templates and the transcripts ask ------------------------------------------

    def passed(self) -> SeatKey | None:
        """The seat that was passed over after the last move, if one was."""
        passes = self.board.passes()
        if passes and passes[-1][0] == self.board.plies():
            return SEATS[passes[-1][1]]
        return None

    def _flipped(self, seat: SeatKey, square: str, cell: Cell) -> set[Cell]:
        """What a move turns over; an illegal one is refused with the sentence that says why."""
        if max(cell) >= self.board.n:
            raise IllegalMove(messages.off_the_board(square))
        if self.board.at(cell):
            raise IllegalMove(messages.taken(square))
        flips = self.board.flips(COLOURS[seat], cell)
        if not flips:
            raise IllegalMove(messages.flips_nothing(square))
        return flips

    def _rows(self) -> list[list[dict[str, Any]]]:
        lines = str(self.board).splitlines()
        placed = self.last.square if self.last else None
        return [
            [{"name": name, "placed": name == placed, **_DISCS[square]} for name, square in row]
            for row in map(zip, _square_names(self.board.n), lines)
        ]

    def _score(self) -> dict[SeatKey, int] | None:
        if self.board.turn() is not None:
            return None
        return dict(zip(COLOURS, self.board.score(), strict=True))

    def _news(self) -> list[Text]:
        if self.resigned:
            return [messages.resigned(self.resigned)]
        news = []
        if self.last:
            news.append(messages.placed(self.last.seat, self.last.square, len(self.last.flipped)))
        return [*news, *self._after_the_move()]

    def _after_the_move(self) -> list[Text]:
        """What the rules did: a pass and why, or the end and why."""
        if passed := self.passed():
            return [messages.passed(passed)]
        if self.board.turn() is not None:
            return []
        if sum(self.board.counts()) == self.board.n**2:
            return [messages.board_is_full()]
        return [messages.nobody_can_move()]


def _count(board: Othello) -> Result:
    """The result of a game played to its end, on discs; empty squares go to the winner."""
    counts, score = board.counts(), board.score()
    if counts[0] == counts[1]:
        return Result(frozenset(), messages.drawn(counts[0], score[0]))
    winner: SeatKey = "black" if counts[0] > counts[1] else "white"
    empty = board.n**2 - sum(counts)
    reason = messages.won(winner, max(counts), min(counts), empty)
    return Result(frozenset({winner}), reason)
