"""Marks on games that no longer replay, by which staff find them and computers skip them."""

from __future__ import annotations

from games.core.clocks import Clock
from games.models import Game
from games.services.clocks import flag_of
from games.services.versions import save_version
from games.state.replay import Verification, verify
from games.state.snapshot import lock_snapshot
from games.storage.write_lock import write_transaction


def mark_fault(*, game_id: str) -> Verification:
    """Replay a game under its lock and store its fault, or remove that of a game that is sound
    again. Computers skip a marked game, and its clock stops.

    Only a replay under the lock may mark a game: one of its players may move during any other.
    Raises Game.DoesNotExist, or KindGone for a game whose kind is gone."""
    with write_transaction():
        snapshot, game = lock_snapshot(game_id), Game.objects.get(pk=game_id)
        found = verify(game)
        fault = {"plies": found.plies, "reason": found.fault.to_json()} if found.fault else None
        if game.fault != fault:
            waits = fault is None and _waits_for_computer(game)
            clock = None if fault or not game.clock else Clock.from_json(game.clock)
            flag_at = clock and flag_of(clock)
            save_version(snapshot, fault=fault, computer_to_move=waits, flag_at=flag_at)
    return found


def _waits_for_computer(game: Game) -> bool:
    seats = game.seats.filter(computer__isnull=False, key__in=game.to_move)
    return not game.over and seats.exists()
