"""The position of a game of Othello: the engine's game and its two players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Final

from games.contract import (
    CLICKED,
    OTHER_CELLS,
    BadNotation,
    Cell,
    IllegalMove,
    Position,
    Result,
    Score,
    SeatKey,
    SeatSpec,
    Setup,
    Stage,
    Text,
    cell_name,
    next_steps,
    parse_cell,
)
from games.othello import messages, stages
from games.othello.engine import BLACK, WHITE, Othello
from games.othello.view import Square, View

SEATS: Final = tuple(SeatSpec(key=key, name=name) for key, name in messages.PLAYERS.items())
COLOURS: Final[Mapping[SeatKey, str]] = {"black": BLACK, "white": WHITE}
_SEAT_OF: Final[Mapping[str, SeatKey]] = {colour: seat for seat, colour in COLOURS.items()}

_PASSES: Final = {"pass", "pas"}
"""Words that players type for a pass, in the languages of the site; passes happen by themselves."""

LOUD: Final = 4
"""A move that touches more squares than this sounds like a capture."""


@cache
def _square_names(n: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cell_name(row, column) for column in range(n)) for row in range(n))


class OthelloPosition(Position):
    """A game on ``n`` x ``n`` squares between the seats ``black`` and ``white``.

    A move is the name of the square where a disc is placed (``f5``). A seat without a legal move is
    passed over, and passes are not stored as moves.
    """

    def __init__(self, n: int, board: Othello | None = None) -> None:
        super().__init__(SEATS)
        self.board = board or Othello(n)

    @classmethod
    def of_setup(cls, setup: Setup) -> OthelloPosition:
        """Return the first position of a game: the usual one of its ``size``, or the given
        ``discs``, row by row as N, B and ``.``, with the seat ``turn`` to move."""
        n: int = setup["size"]
        if "discs" not in setup:
            return cls(n)
        rows = (setup["discs"][start : start + n] for start in range(0, n * n, n))
        return cls(n, Othello.from_text("\n".join(rows), COLOURS[setup["turn"]]))

    # --- games.contract.Position ---------------------------------------------------------

    def _to_move(self) -> set[SeatKey]:
        turn = self.board.turn()
        return {_SEAT_OF[turn]} if turn else set()

    def _legal_moves(self, seat: SeatKey) -> tuple[str, ...]:
        return self._names(self.board.possible_moves(COLOURS[seat]))

    def _apply(self, seat: SeatKey, move: str) -> None:
        if move.casefold() in _PASSES:
            raise BadNotation(messages.passes_are_automatic())
        cell = parse_cell(move)
        flipped = self._flipped(seat, move, cell)
        self.board.move(COLOURS[seat], cell)
        self.last = (move, *self._names(flipped))
        self.events = (messages.placed(seat, move, len(flipped)), *self._consequences())

    def _result(self) -> Result | None:
        return None if self.board.turn() else _count(self.board)

    def _stage(self, seat: SeatKey, chosen: tuple[str, ...]) -> Stage:
        squares = next_steps(self._legal_moves(seat), chosen)
        return stages.stage(self.board, COLOURS[seat], squares)

    def _view(self, seat: SeatKey | None) -> View:
        """Return the same view for every seat, since the game has no hidden information.

        ``size``; ``disc`` of each cell ('black', 'white' or None) and whether it was ``placed``
        last; ``turn`` and ``passed`` (a seat or None); ``counts`` by seat; the number of ``empty``
        squares and its words ``squares_left``; the official ``score`` by seat of a game played to
        its end, None before that; the ``winning`` discs then."""
        counts = self.board.counts()
        empty = self.board.n**2 - sum(counts)
        over = self.board.turn() is None
        return {
            "size": self.board.n,
            "rows": self._rows(),
            "turn": next(iter(self.to_move()), None),
            "counts": dict(zip(COLOURS, counts, strict=True)),
            "empty": empty,
            "squares_left": messages.squares_left(empty),
            "score": dict(zip(COLOURS, self.board.score(), strict=True)) if over else None,
            "passed": self.passed(),
            "winning": self._winning_discs(),
            "sound": "capture" if len(self.last) > LOUD else "move",
        }

    def scores(self) -> dict[str, Score]:
        counts = zip(COLOURS, self.board.counts(), strict=True)
        return {
            seat: Score(number, messages.discs(number), counted=True) for seat, number in counts
        }

    def _refusals(
        self, seat: SeatKey, chosen: tuple[str, ...], cells: Sequence[str]
    ) -> dict[str, Text]:
        occupied = self.board.mask(BLACK) | self.board.mask(WHITE)
        names = chain.from_iterable(_square_names(self.board.n))
        taken, useless = messages.taken(CLICKED), messages.flips_nothing(CLICKED)
        discs = {name: taken for bit, name in enumerate(names) if occupied >> bit & 1}
        empty = {name: useless for name in cells if name not in discs}
        if len(empty) < len(discs):
            return {OTHER_CELLS: taken, **empty}
        return {OTHER_CELLS: useless, **discs}

    # --- Othello's own -------------------------------------------------------------------

    def passed(self) -> SeatKey | None:
        """Return the seat that was passed over after the last move, if one was."""
        passes = self.board.passes()
        if passes and passes[-1][0] == self.board.plies():
            return _SEAT_OF[passes[-1][1]]
        return None

    def _flipped(self, seat: SeatKey, square: str, cell: Cell) -> set[Cell]:
        """Return the discs that a move flips. Raises IllegalMove with the reason."""
        if max(cell) >= self.board.n:
            raise IllegalMove(messages.off_the_board(square))
        if self.board.at(cell):
            raise IllegalMove(messages.taken(square))
        flips = self.board.flips(COLOURS[seat], cell)
        if not flips:
            raise IllegalMove(messages.flips_nothing(square))
        return flips

    def _consequences(self) -> tuple[Text, ...]:
        """Return the events that follow from the last move: a pass, or the end of the game."""
        if passed := self.passed():
            return (messages.passed(passed),)
        if self.board.turn():
            return ()
        if sum(self.board.counts()) == self.board.n**2:
            return (messages.board_is_full(),)
        return (messages.nobody_can_move(),)

    def _winning_discs(self) -> list[str]:
        """Return the squares with the winner's discs after a game played to its end."""
        result = self._result()
        if result is None:
            return []
        colours = {COLOURS[seat] for seat in result.winners}
        rows = map(zip, _square_names(self.board.n), str(self.board).splitlines())
        return [name for row in rows for name, disc in row if disc in colours]

    def _names(self, cells: set[Cell]) -> tuple[str, ...]:
        names = _square_names(self.board.n)
        return tuple([names[row][column] for row, column in sorted(cells)])

    def _rows(self) -> list[list[Square]]:
        lines = str(self.board).splitlines()
        placed = self.last[0] if self.last else None
        return [
            [
                {"name": name, "placed": name == placed, **stages.DISCS[square]}
                for name, square in row
            ]
            for row in map(zip, _square_names(self.board.n), lines)
        ]


def _count(board: Othello) -> Result:
    """Return the result of a game played to its end, which the player with more discs wins."""
    counts, score = board.counts(), board.score()
    if counts[0] == counts[1]:
        return Result(frozenset(), messages.drawn(counts[0], score[0]))
    winner: SeatKey = "black" if counts[0] > counts[1] else "white"
    empty = board.n**2 - sum(counts)
    reason = messages.won(winner, max(counts), min(counts), empty)
    return Result(frozenset({winner}), reason)
