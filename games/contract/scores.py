"""The scores of a game: discs, cards left."""

from __future__ import annotations

from typing import NamedTuple

from games.contract.texts import Text


class Score(NamedTuple):
    """The score of a side, and its unit in words (``discs``), which follows the number unless it is
    ``unit_first`` (``level``). One that is ``counted`` is counted up at the end of the game."""

    number: int
    unit: Text
    unit_first: bool = False
    counted: bool = False
