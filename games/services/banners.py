"""The banner of a game: its latest event, and a lasting sentence until the first move."""

from __future__ import annotations

from typing import Any

from games.contract import Text
from games.models import Game

StoredBanner = dict[str, Any]


def lasting_banner(sentence: Text) -> StoredBanner:
    """Return the banner of a new game that is shown until the first move, beside other events."""
    return {**sentence.to_json(), "lasting": sentence.to_json()}


def next_banner(game: Game, event: Text | None = None) -> StoredBanner | None:
    """Return the banner for an event before the first move, or without an event the lasting
    banner."""
    lasting = (game.banner or {}).get("lasting")
    if lasting is None:
        return event.to_json() if event else None
    return {**(event.to_json() if event else lasting), "lasting": lasting}
