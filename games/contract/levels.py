"""The computer players of a kind of game, from the easiest to the strongest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.contract.texts import Text, text

_NAMES: Final = (
    text("Beginner"),
    text("Easy"),
    text("Medium"),
    text("Hard"),
    text("Expert"),
    text("Master"),
)
_CHOSEN: Final = {1: (2,), 2: (1, 3), 3: (0, 2, 5), 4: (0, 1, 3, 5), 5: (0, 1, 2, 3, 5)}
"""The indices of the names to use, for games with fewer levels than there are names."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """A level as an opponent: its name, a sentence on the ``manner`` in which it plays, and the
    shapes of its ``figure``, an SVG of 24 units square.

    The ``number`` is stored with games, records and puzzles. It says nothing about strength."""

    number: int
    name: Text
    manner: Text | None = None
    figure: str = ""


class Ladder(dict[int, Level]):
    """The levels of a kind of game by number, in the order of strength. The numbers are 1 and those
    that follow it."""

    def __missing__(self, number: int) -> Level:
        return Level(number=number, name=_number(number))

    def rank(self, number: int) -> int:
        """Return the place of a level from 1; one more than there are for an unknown level."""
        return next((n for n, known in enumerate(self, 1) if known == number), len(self) + 1)

    def beside(self, number: int, steps: int) -> int:
        """Return the level so many ``steps`` above, or below if negative; 0 without one."""
        place = self.rank(number) + steps
        return [*self][place - 1] if 0 < place <= len(self) else 0


def ladder(levels: Sequence[Level] | int) -> Ladder:
    """Return the ladder of some levels. If only their number is given, they are called by strength,
    or by number if there are many."""
    if isinstance(levels, int):
        names = [_NAMES[at] for at in _CHOSEN.get(levels, range(levels)) if levels <= len(_NAMES)]
        names = names or [_number(number) for number in range(1, levels + 1)]
        levels = [Level(number=number, name=name) for number, name in enumerate(names, 1)]
    return Ladder({level.number: level for level in levels})


def _number(number: int) -> Text:
    return text("Level %(level)s", level=number)
