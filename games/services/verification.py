"""Marks on games that no longer replay, by which staff find them and computers skip them."""

from __future__ import annotations

from games.models import Game
from games.services.versions import save_version
from games.state.replay import Verification
from games.state.snapshot import lock_snapshot
from games.storage.write_lock import write_transaction


def mark_fault(*, game_id: str, found: Verification) -> bool:
    """Store the fault of a game, or remove that of a game that is sound again; return whether
    anything changed. Computers skip a marked game.

    Raises Game.DoesNotExist, or KindGone for a game whose kind is gone."""
    fault = {"plies": found.plies, "reason": found.fault.to_json()} if found.fault else None
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        if snapshot.game.fault == fault:
            return False
        waits = fault is None and _waits_for_computer(snapshot.game)
        flag_at = None if fault else snapshot.game.flag_at
        save_version(snapshot, fault=fault, computer_to_move=waits, flag_at=flag_at)
    return True


def _waits_for_computer(game: Game) -> bool:
    seats = game.seats.filter(computer__isnull=False, key__in=game.to_move)
    return not game.over and seats.exists()
