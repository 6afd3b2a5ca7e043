"""Computer players: what a game's ``computer.py`` gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

from games.contract.position import Position
from games.contract.seats import SeatKey
from games.contract.texts import Text


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a computer plays. ``note`` is kept with the move and shown when the game is over
    (which cards a clue meant)."""

    move: str
    note: Text | None = None


@dataclass(frozen=True, kw_only=True)
class MoveValue:
    """What a move is worth to the seat that plays it: more is better.

    ``shown`` is the value as people read it ('+6 discs', 'wins'), ``detail`` what a list of
    all moves says instead ('wins, Grundy value 0'); ``why`` is the sentence of a hint.
    ``exact`` says that it was solved and not estimated; ``known`` that it was valued at all: a
    move that was not can neither be a mistake nor show that another was."""

    value: float
    shown: Text
    why: Text | None = None
    detail: Text | None = None
    exact: bool = False
    known: bool = True


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of the board that is played independently of the rest, and what it is worth."""

    cells: tuple[str, ...]
    value: Text


class Computer(Protocol):
    """What a game's ``computer.py`` gives as a module. Only the process that thinks imports it.

    A game with ``Rules.analysis`` also gives ``MISTAKE``, the loss of value from which a move
    counts as a mistake, and may give ``regions(position, *, seconds) -> Sequence[Region]``: none
    of a board that has not fallen apart.

    The same position, level and seed of ``rng`` give the same move: every limit is a count of
    nodes, with ``seconds`` as a cap that a level is not expected to reach.
    """

    def choose(
        self, position: Position, seat: SeatKey, level: int, rng: Random, *, seconds: float = 10.0
    ) -> Choice:
        """The move of ``seat``, from what `Position.view` shows that seat and nothing else.
        Raises CannotPlay for a level or a position that it does not support."""

    def evaluate(self, position: Position, *, seconds: float = 2.0) -> Mapping[str, MoveValue]:
        """A value for each legal move of the seat to move. Games with two sides and nothing
        hidden; others leave it out. Raises CannotPlay."""
