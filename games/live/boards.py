"""The boards of a game for all viewers with a stream. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.live.events import Event
from games.presentation.visibility import Viewer


@dataclass(frozen=True, slots=True)
class Boards:
    """A game's newest version and its board for each viewer."""

    version: int
    by_viewer: Mapping[Viewer, Event]
