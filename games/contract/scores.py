"""The count that a side of a game is known by: discs, cards left."""

from __future__ import annotations

from typing import NamedTuple

from games.contract.texts import Text


class Score(NamedTuple):
    """A public number of a side, and its unit in words (``discs``)."""

    number: int
    unit: Text
