"""The types of its view, of which the site makes the schema of its API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from games.contract import Text


class Space(TypedDict):
    """A space: its level, its worker and player, and the worker that can climb there and win."""

    name: str
    label: Text
    level: int
    worker: str | None
    player: int | None
    trace: str
    threat: str
    threat_player: int | None


class PlayerView(TypedDict):
    """A player, with the letters of the workers."""

    seat: str
    name: Text
    letters: Sequence[str] | str
    out: bool
    turn: bool


class View(TypedDict):
    """A position as everybody sees it."""

    rows: Sequence[Sequence[Space]]
    players: Sequence[PlayerView]
    placing: bool
    winning: Sequence[str]
    sound: Literal["capture", "move"]
