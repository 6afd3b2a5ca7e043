"""Viewers of streams that read something else than the HTML of a page."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.live.events import Event
from games.presentation.visibility import Viewer

if TYPE_CHECKING:
    from games.state.snapshot import GameSnapshot


@dataclass(frozen=True, slots=True)
class Reader(Viewer):
    """A viewer that makes its own events of a game."""

    @abstractmethod
    def event(self, snapshot: GameSnapshot) -> Event:
        """Return the event of a version of the game. It may use the database."""
