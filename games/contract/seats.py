"""The seats of a game."""

from __future__ import annotations

from dataclasses import dataclass

from games.contract.texts import Text

SeatKey = str
"""Key of a seat, unique within a game: ``black``, ``p1``, ``red-spymaster``."""


@dataclass(frozen=True, kw_only=True)
class SeatSpec:
    """A place at the table. ``side`` groups seats that win and lose together; where these are
    several, ``side_name`` is what they are called together. A ``key`` has no blanks and at most 40
    characters."""

    key: SeatKey
    name: Text
    side: str = ""
    side_name: Text | None = None
    shared: bool = False
    """Any number of people may hold it together."""
    information_set: str = ""
    """What it sees and others must not, in a word of the game's own. While somebody plays elsewhere
    nobody holds two seats with different ones, '' (what everybody sees) being one too."""

    @property
    def secret(self) -> bool:
        """Whether it sees what others must not: on a shared device its view asks to be opened."""
        return bool(self.information_set)
