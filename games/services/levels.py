"""Changing the level of a game's computers before a person has moved."""

from __future__ import annotations

from games.contract import text
from games.core.refusals import Refusal
from games.models import Player
from games.services.versions import save_version
from games.state.snapshot import GameSnapshot, locked

TOO_LATE = text("The strength of the computer can be changed before your first move only.")


def change_level(*, game_id: str, player: Player, level: int) -> GameSnapshot:
    """Set the level of all computers in a game against computers only. Raises Game.DoesNotExist,
    NotYourSeat, or Refusal for an unknown level, in a game with other people, and after a person's
    first move."""
    with locked(game_id, player) as snapshot:
        if not snapshot.seating.is_solo(player.pk) or snapshot.changeable_level is None:
            raise Refusal(TOO_LATE)
        if level not in range(1, snapshot.rules.levels + 1):
            raise Refusal
        if level == snapshot.changeable_level:
            return snapshot
        snapshot.game.seats.filter(computer__isnull=False).update(computer=level)
        return save_version(snapshot)
