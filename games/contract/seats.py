"""The seats of a game."""

from __future__ import annotations

from dataclasses import dataclass

from games.contract.texts import Text

SeatKey = str
"""Key of a seat, unique within a game: ``black``, ``p1``, ``red-spymaster``."""


@dataclass(frozen=True, kw_only=True)
class SeatSpec:
    """A seat of a game.

    A ``key`` has no blanks and at most 40 characters. Seats of one ``side`` win and lose together;
    a seat without one is a side of its own, named by its key. A side of several seats has a
    ``side_name``."""

    key: SeatKey
    name: Text
    side: str = ""
    side_name: Text | None = None
    role: Text | None = None
    """The name of the seat below the name of its side."""
    shared: bool = False
    """Whether any number of people may hold the seat together."""
    you: Text | None = None
    """The words by which solvers of puzzles know their seat; None: they play its ``name``."""
    thinking: Text | None = None
    """The sentence for others who wait for this seat; None: it is to move."""
    information_set: str = ""
    """The name of the information that this seat sees and others must not; '' for a seat that sees
    only public information. Unless all seats are on one device, nobody holds two seats with
    different information sets."""

    def __post_init__(self) -> None:
        if not self.side:
            object.__setattr__(self, "side", self.key)

    @property
    def secret(self) -> bool:
        """Return whether the seat has secret information, which a shared device hides at first."""
        return bool(self.information_set)
