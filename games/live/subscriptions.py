"""Who follows a game, and what they get. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.live.events import Event


@dataclass(frozen=True, slots=True)
class Subscription:
    """All that a board depends on besides the game itself.

    ``player`` is the id of the browser's player, None while it has none; ``asked`` the seat that
    it asks to look through, held or not; ``confirm`` its way of clicking."""

    player: str | None = None
    asked: str | None = None
    confirm: str = "touch"
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game's newest version, and its board for each watcher."""

    version: int
    boards: Mapping[Subscription, Event]
