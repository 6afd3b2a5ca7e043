"""The scores of a game: discs, cards left."""

from __future__ import annotations

from typing import NamedTuple

from games.contract.texts import Text


class Score(NamedTuple):
    """The score of a side, and its unit in words (``discs``)."""

    number: int
    unit: Text
