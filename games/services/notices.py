"""The notice of a game: its latest event, and a sentence that lasts until the first move."""

from __future__ import annotations

from typing import Any

from games.contract import Text
from games.models import Game

StoredNotice = dict[str, Any]


def lasting_notice(told: Text) -> StoredNotice:
    """Return the notice of a new game that stays beside the events before the first move."""
    return {**told.to_json(), "lasting": told.to_json()}


def next_notice(game: Game, event: Text | None = None) -> StoredNotice | None:
    """Return the notice after an event before the first move; without one, what lasts."""
    lasting = (game.notice or {}).get("lasting")
    if lasting is None:
        return event.to_json() if event else None
    return {**(event.to_json() if event else lasting), "lasting": lasting}
