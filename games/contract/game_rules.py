"""A kind of game: its seats, its options, its first position.

Not called ``rules.py``: a folder of ``games`` with a module of that name is a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any

from games.contract.options import Option
from games.contract.position import Position
from games.contract.seats import SeatKey, SeatSpec
from games.contract.texts import Text
from games.contract.transcript import Transcript

Options = Mapping[str, Any]
"""Cleaned values of a kind's options, by option name."""

Setup = Mapping[str, Any]
"""What `Rules.deal` made: JSON, holds all the chance of a game and its size."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A picture on the rules page: the position after ``moves``, as ``viewer`` sees it,
    with ``chosen`` steps of ``mover``'s next move."""

    caption: Text
    setup: Setup
    moves: tuple[tuple[SeatKey, str], ...] = ()
    viewer: SeatKey | None = None
    mover: SeatKey | None = None
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A kind of game. Each game's ``rules.py`` gives one of these under the name RULES.

    ``deal(options, rng)`` makes the setup (raising BadSetup where options do not fit together)
    and is the only place of chance; ``start(setup)`` the first position. ``version`` is stored
    with every game and counts changes that make old games replay differently. ``slug`` has at most
    40 characters; ``seats(options)`` are two or more.
    """

    slug: str
    name: Text
    tagline: Text
    seats: Callable[[Options], tuple[SeatSpec, ...]]
    deal: Callable[[Options, Random], Setup]
    start: Callable[[Setup], Position]
    options: tuple[Option, ...] = ()
    examples: Mapping[str, Example] = field(default_factory=lambda: MappingProxyType({}))
    version: int = 1
    undo: bool = True
    """False where taking a move back would not take back what it has shown."""
    levels: int = 0
    """How many levels of computer players there are, at most 99, 1 being the easiest; 0: none."""
    computer_options: Options = field(default_factory=lambda: MappingProxyType({}))
    """Values that options have in every game in which a computer sits, whatever was asked for."""
    analysis: bool = False
    """Whether its computer can say what moves are worth: hints and the analysis page."""
    transcript: Transcript | None = None
    """How its games are written down; None where games from elsewhere cannot be gone on with."""

    def clean(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """All options from what was sent, defaults filled in. Raises BadSetup."""
        return {option.name: option.clean(raw.get(option.name)) for option in self.options}
