"""Two moves in one position of Othello, the positions after them, and the lines of the search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import Final

from games.contract import MoveValue, SeatKey
from games.othello.computer import choose
from games.othello.messages import PLAYERS
from games.othello.position import OthelloPosition
from games.othello.sight import corners, discs, empty, moves_of, other

_LEVEL: Final = 5
"""The level that answers in the lines."""
_SOLVER: Final = 12
"""The level that answers with at most `LAST` empty squares, which it counts to the end."""
NAMED: Final = 4
"""At most so many squares are named one by one."""
LAST: Final = 16
"""With at most so many empty squares, the lines to the end are those of exact play."""


class After:
    """The position after a move of ``seat``, and the line of the search from there."""

    def __init__(self, before: OthelloPosition, seat: SeatKey, move: str) -> None:
        self.before, self.seat, self.move = before, seat, move
        self.position = before.copy().play(seat, move)
        self.other: SeatKey = other(seat)
        self._end, self._line = self.position.copy(), list[tuple[SeatKey, str]]()

    @property
    def passes(self) -> bool:
        """Whether the opponent has to pass, and the game goes on."""
        return self.position.to_move() == {self.seat}

    @cached_property
    def reply(self) -> str:
        """The best answer of the opponent; '' if there is none."""
        seat, move = next(self.line(1), ("", ""))
        return move if seat == self.other else ""

    def moves_of(self, seat: SeatKey) -> list[str]:
        """Return where a seat could play if it were to move."""
        return moves_of(self.position, seat)

    def freecorners(self, seat: SeatKey) -> set[str]:
        """Return the corners that a seat could take if it were to move."""
        return corners(self.position) & set(self.moves_of(seat))

    def keeps_corner(self) -> str:
        """Return a corner that ``seat`` can take after every answer of the opponent, and could not
        take before; '' if there is none."""
        return _forced_corner(self.position, self.other, self.seat, self.before)

    def reply_wins_corner(self) -> str:
        """Return a corner that the best answer of the opponent wins so, '' if there is none."""
        if not self.reply:
            return ""
        return _forced_corner(self.after_reply, self.seat, self.other, self.position)

    def offers(self, corner: str, plies: int) -> bool:
        """Return whether the opponent could take a corner at some time in the line."""
        position = self.position.copy()
        for seat, move in self.line(plies):
            if seat == self.other and corner in position.legal_moves(seat):
                return True
            position.play(seat, move)
        return False

    def loses_corner(self, plies: int) -> bool:
        """Return whether the opponent takes a corner in the line."""
        free = corners(self.before)
        return any(seat == self.other and move in free for seat, move in self.line(plies))

    def twice(self) -> tuple[str, str] | None:
        """Return the moves of the opponent that follow each other in the line."""
        pairs = pairwise(self.line())
        return next(
            ((one, two) for (seat, one), (then, two) in pairs if seat == then == self.other), None
        )

    def last_in(self, around: set[str]) -> SeatKey | None:
        """Return the seat that takes the last square of a region in the line; None if nobody
        does."""
        left, last = around - {self.move}, self.seat
        for seat, move in self.line():
            if move in left:
                left, last = left - {move}, seat
        return None if left else last

    @property
    def last(self) -> SeatKey:
        """The seat that makes the last move of the line."""
        return [self.seat, *(seat for seat, _ in self.line())][-1]

    def taken_by(self, seat: SeatKey) -> set[str]:
        """Return the squares that a seat takes in the line."""
        return {move for player, move in self.line() if player == seat}

    @property
    def left(self) -> set[str]:
        """The squares of the player's discs at the end of the line."""
        while self._go_on():
            continue
        return discs(self._end, self.seat)

    def turned_by(self, reply: str) -> int:
        """Return how many discs an answer turns."""
        position = self.position.copy().play(self.other, reply)
        number = {"black": 0, "white": 1}[self.seat]
        return self.position.board.counts()[number] - position.board.counts()[number]

    @property
    def turned(self) -> int:
        """The discs that the move turns."""
        number = {"black": 1, "white": 0}[self.seat]
        return self.before.board.counts()[number] - self.position.board.counts()[number]

    @cached_property
    def after_reply(self) -> OthelloPosition:
        """The position after the best answer."""
        return self.position.copy().play(self.other, self.reply) if self.reply else self.position

    def line(self, plies: int = 60) -> Iterator[tuple[SeatKey, str]]:
        """Yield the next best moves, with the seats that play them."""
        for number in range(plies):
            if number == len(self._line) and not self._go_on():
                return
            yield self._line[number]

    def _go_on(self) -> bool:
        """Add the next best move to the line, and return whether there is one."""
        for seat in self._end.to_move():
            move = _answer(self._end)
            self._line.append((seat, move))
            self._end.play(seat, move)
            return True
        return False


@dataclass(frozen=True)
class Pair:
    """The better and the played move of a seat."""

    seat: SeatKey
    best: After
    played: After
    values: Mapping[str, MoveValue]

    @property
    def words(self) -> dict[str, object]:
        """The moves and the players, for a sentence."""
        return {
            "best": self.best.move,
            "played": self.played.move,
            "player": PLAYERS[self.seat],
            "opponent": PLAYERS[self.best.other],
        }

    @property
    def is_counted(self) -> bool:
        """Whether both values are exact, and the lines go to the end."""
        values = (self.values[after.move] for after in (self.best, self.played))
        return self.empties <= LAST and all(value.exact for value in values)

    @property
    def lost(self) -> float:
        """The discs that the played move lost."""
        return self.values[self.best.move].value - self.values[self.played.move].value

    @property
    def empties(self) -> int:
        """The number of empty squares before the move."""
        return len(empty(self.best.before))


def _forced_corner(
    position: OthelloPosition, mover: SeatKey, winner: SeatKey, before: OthelloPosition
) -> str:
    """Return a corner that ``winner`` can take after every move of ``mover``, and could not take
    before; '' if there is none."""
    if mover not in position.to_move():
        return ""
    left = corners(position) - set(moves_of(before, winner))
    for move in position.legal_moves(mover):
        left &= set(position.copy().play(mover, move).legal_moves(winner))
    return min(left, default="")


def _answer(position: OthelloPosition) -> str:
    (seat,) = position.to_move()
    level = _SOLVER if len(empty(position)) <= LAST else _LEVEL
    return choose(position, seat, level, Random(0)).move


def joined(cells: Iterable[str]) -> str:
    return ", ".join(sorted(cells))
