"""Saving changes of a game as its next version, which is then announced, and its banner: its latest
event, and a lasting sentence until the first move."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from typing import Any

from games.bus import notify_changed
from games.contract import Text
from games.models import Game, Seat
from games.state.snapshot import GameSnapshot, lock_snapshot


def save_version(snapshot: GameSnapshot, **changes: Any) -> GameSnapshot:
    """Write ``changes`` of a locked game's row, count them as a version, announce it, and return
    the new snapshot. The seats to move are awaited anew, so the position or a holder must have
    changed."""
    return _save(snapshot, changes, "version", "updated")


def save_without_activity(snapshot: GameSnapshot, **changes: Any) -> GameSnapshot:
    """Save a version like `save_version`, which starts the time of no awaited seat anew."""
    return _save(snapshot, changes, "version")


def save_holders(snapshot: GameSnapshot, seats: Collection[Seat], **changes: Any) -> GameSnapshot:
    """Save the version in which ``seats`` have got other holders. It starts the time of an awaited
    seat anew if none of its holders has stayed."""
    game, places = snapshot.game, snapshot.seating.places
    awaited = [seat for seat in seats if not game.begun or seat.key in game.to_move]
    anew = any(
        not seat.holders.filter(player__in=places[seat.key].players).exists() for seat in awaited
    )
    return (save_version if anew else save_without_activity)(snapshot, **changes)


def _save(snapshot: GameSnapshot, changes: dict[str, Any], *counted: str) -> GameSnapshot:
    game = copy(snapshot.game)
    for name, value in changes.items():
        setattr(game, name, value)
    game.version += 1
    game.save(update_fields=[*counted, *changes])
    notify_changed(game)
    return lock_snapshot(game.id)


StoredBanner = dict[str, Any]


def lasting_banner(sentence: Text) -> StoredBanner:
    """Return the banner of a new game that is shown until the first move, beside other events."""
    return {**sentence.to_json(), "lasting": sentence.to_json()}


def next_banner(game: Game, event: Text | None = None) -> StoredBanner | None:
    """Return an event's banner before the first move, without one the lasting banner."""
    lasting = (game.banner or {}).get("lasting")
    if lasting is None:
        return event.to_json() if event else None
    return {**(event.to_json() if event else lasting), "lasting": lasting}
