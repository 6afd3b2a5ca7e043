"""Two moves in one position of Othello, the positions after them, and the lines of the search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

from games.contract import MoveValue, SeatKey
from games.othello.computer import choose
from games.othello.messages import PLAYERS
from games.othello.position import OthelloPosition
from games.othello.sight import corners, empty, moves_of, other

_LEVEL: Final = 5
"""The level that answers in the lines."""


class After:
    """The position after a move of ``seat``, and the line of the search from there."""

    def __init__(self, before: OthelloPosition, seat: SeatKey, move: str) -> None:
        self.before, self.seat, self.move = before, seat, move
        self.position = before.copy().play(seat, move)
        self.other: SeatKey = other(seat)

    @property
    def passes(self) -> bool:
        """Whether the opponent has to pass, and the game goes on."""
        return self.position.to_move() == {self.seat}

    @cached_property
    def reply(self) -> str:
        """The best answer of the opponent; '' if there is none."""
        return _answer(self.position) if self.other in self.position.to_move() else ""

    def moves_of(self, seat: SeatKey) -> list[str]:
        """Return where a seat could play if it were to move."""
        return moves_of(self.position, seat)

    def freecorners(self, seat: SeatKey) -> set[str]:
        """Return the corners that a seat could take if it were to move."""
        return corners(self.position) & set(self.moves_of(seat))

    def keeps_corner(self) -> str:
        """Return a corner that ``seat`` can take after every answer of the opponent, and could not
        take before; '' if there is none."""
        if self.other not in self.position.to_move():
            return ""
        left = corners(self.position) - set(moves_of(self.before, self.seat))
        for answer in self.position.legal_moves(self.other):
            later = self.position.copy().play(self.other, answer)
            left = left & set(later.legal_moves(self.seat))
        return min(left, default="")

    @cached_property
    def after_reply(self) -> OthelloPosition:
        """The position after the best answer."""
        return self.position.copy().play(self.other, self.reply) if self.reply else self.position

    def line(self, plies: int = 60) -> Iterator[tuple[SeatKey, str]]:
        """Yield the next best moves, with the seats that play them."""
        position = self.position.copy()
        for _ in range(plies):
            if not (seats := position.to_move()):
                return
            (seat,) = seats
            move = _answer(position)
            position.play(seat, move)
            yield seat, move


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
    def is_solved(self) -> bool:
        """Whether the values of both moves are exact."""
        return self.values[self.best.move].exact and self.values[self.played.move].exact

    @property
    def empties(self) -> int:
        """The number of empty squares before the move."""
        return len(empty(self.best.before))


def _answer(position: OthelloPosition) -> str:
    (seat,) = position.to_move()
    return choose(position, seat, _LEVEL, Random(0)).move
