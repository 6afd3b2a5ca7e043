"""Where a game stands: the base class of the games' positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from games.contract.errors import GameOver, IllegalMove, NotYourTurn
from games.contract.seats import SeatKey
from games.contract.steps import Stage
from games.contract.texts import Text, text

RESIGN = "resign"
"""The move that any seat still in the game may play at any time."""

LONGEST_MOVE = 80
"""Characters of the longest move."""


@dataclass(frozen=True)
class Result:
    """How a game ended: the seats that won and why, in a sentence. None of them: a draw; where all
    seats are one side, which plays against the game, it has lost."""

    winners: frozenset[SeatKey]
    reason: Text

    def to_json(self) -> dict[str, Any]:
        """The result as JSON."""
        return {"winners": sorted(self.winners), "reason": self.reason.to_json()}

    @classmethod
    def from_json(cls, data: Any) -> Result:
        """The inverse of `to_json`. Raises ValueError for whatever that does not make."""
        try:
            return cls(frozenset(data["winners"]), Text.from_json(data["reason"]))
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"no result: {data!r}") from error


class Position(ABC):
    """Where a game stands. Changed by `play` alone. A move has at most 80 characters."""

    @abstractmethod
    def to_move(self) -> frozenset[SeatKey]:
        """The seats that may move now; empty when the game is over. From the rules, never
        from a count of moves."""

    @abstractmethod
    def legal_moves(self, seat: SeatKey) -> Iterable[str]:
        """Every legal move of a seat, RESIGN apart; none if it is not to move.

        Where a move holds free text (a clue), one specimen of each kind stands for all."""

    @abstractmethod
    def result(self) -> Result | None:
        """None while the game goes on."""

    @abstractmethod
    def view(self, seat: SeatKey | None) -> Mapping[str, Any]:
        """All that a template ever gets, as ``seat`` (None: a spectator) may see it.

        Always there: ``rows``, the board as a list of at most 99 rows of at most 26 mappings with
        ``name`` (see `cell_name`) and ``label`` (a Text, what is on it), all with the same keys and
        their other values hashable; ``last``, the names of the cells that the last move touched;
        ``events``, Texts that tell the last move and what the rules did after it. The rest is
        between the game and its own templates."""

    @abstractmethod
    def copy(self) -> Self:
        """An independent position that stands the same."""

    @abstractmethod
    def stage(self, seat: SeatKey, chosen: Sequence[str]) -> Stage:
        """What ``seat`` can choose next when the steps ``chosen`` are. Raises IllegalMove if they
        begin no legal move; a whole move begins none."""

    def why_not_evaluable(self) -> Text | None:
        """Why the computer cannot say what moves are worth here, if `Rules.analysis`; None where it
        can. Once it can, it can until the game is over."""
        return None

    def normalize_input(self, typed: str) -> str:
        """What somebody typed, with steps that have other names in other languages by the names
        that moves have."""
        return typed

    @abstractmethod
    def _apply(self, seat: SeatKey, move: str) -> None:
        """Play a move of a seat that is to move. Raises MoveError, then nothing has changed."""

    @abstractmethod
    def _resign(self, seat: SeatKey) -> None:
        """Take a seat that is still in the game out of it. Raises IllegalMove if it is out."""

    def play(self, seat: SeatKey, move: str) -> Self:
        """Play a move, or RESIGN, and return the position itself.

        Raises GameOver, NotYourTurn, BadNotation or IllegalMove; then nothing has changed."""
        if self.result() is not None:
            raise GameOver(text("The game is over."))
        if move == RESIGN:
            self._resign(seat)
        elif seat not in self.to_move():
            raise NotYourTurn(text("It is not your turn."))
        else:
            self._apply(seat, move)
        return self

    def is_active(self, seat: SeatKey) -> bool:
        """Whether a seat is in the game and the game goes on: so long it may resign."""
        try:
            self.copy().play(seat, RESIGN)
        except IllegalMove:
            return False
        return True
