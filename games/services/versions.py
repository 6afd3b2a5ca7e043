"""Saving changes of a game as its next version, which is then announced."""

from __future__ import annotations

from copy import copy
from typing import Any

from games.state.signals import notify_changed
from games.state.snapshot import GameSnapshot, lock_snapshot


def save_version(snapshot: GameSnapshot, **changes: Any) -> GameSnapshot:
    """Write ``changes`` of a locked game's row, count them as a version, and announce it.

    Returns the new snapshot, with the seats and moves that the caller has written before.
    """
    return _save(snapshot, changes, "version", "updated")


def save_without_activity(snapshot: GameSnapshot, **changes: Any) -> GameSnapshot:
    """Save a version like `save_version`, without setting the time of the game's last change."""
    return _save(snapshot, changes, "version")


def _save(snapshot: GameSnapshot, changes: dict[str, Any], *counted: str) -> GameSnapshot:
    game = copy(snapshot.game)
    for name, value in changes.items():
        setattr(game, name, value)
    game.version += 1
    game.save(update_fields=[*counted, *changes])
    notify_changed(game)
    return lock_snapshot(game.id)
