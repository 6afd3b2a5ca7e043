"""Moves as lists and tables show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.contract.seats import SeatKey
from games.contract.texts import Text


class MoveLabel(NamedTuple):
    """A move as the list of moves shows it. ``look`` is a class of the game's style sheet;
    ``language`` is that of the words, if it may differ from the reader's."""

    text: Text | str
    look: str = ""
    language: str = ""


class NotedMove(NamedTuple):
    """A move of a finished game, with the note of a computer if there is one."""

    seat: SeatKey
    text: str
    note: Text | None


@dataclass(frozen=True, kw_only=True)
class RecapRow:
    """A turn of a finished game: the ``seat`` that began it, and labels in each column."""

    seat: SeatKey
    cells: Sequence[Sequence[MoveLabel]]


@dataclass(frozen=True, kw_only=True)
class Recap:
    """The turns of a finished game as a table; the page adds a column of players."""

    title: Text
    columns: Sequence[Text]
    rows: Sequence[RecapRow]


class Score(NamedTuple):
    """The score of a side, and its unit in words (``discs``), which follows the number unless it is
    ``unit_first`` (``level``). One that is ``counted`` is counted up at the end of the game."""

    number: int
    unit: Text
    unit_first: bool = False
    counted: bool = False
