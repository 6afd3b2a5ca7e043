"""Signals that a game has changed, sent after the commit.

Listeners in this process get the signal `game_changed`, and other processes a hint on the bus.
Every writer sends it: views, computer players, commands and the admin.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.dispatch import Signal

from games.bus import Hint, bus
from games.models import Game, Player
from games.state.identity import clear_player_cache
from games.storage.group_commit import on_durable

game_changed = Signal()
"""Sent with ``game_id`` and ``version``: a hint, never the state itself."""

devices_changed = Signal()
"""Sent with ``player_id`` when a device of the player has been signed out or has joined another
player."""


def notify_changed(game: Game) -> None:
    """Send the new version of ``game`` once the running transaction is committed and durable."""
    hint = Hint(game.id, game.version)
    # Errors of listeners are only logged: the move is durable, and listeners that miss the hint
    # poll.
    transaction.on_commit(lambda: on_durable(lambda: _send(hint)), robust=True)


def _send(hint: Hint) -> None:
    game_changed.send_robust(sender=Game, game_id=hint.game_id, version=hint.version)
    bus().publish(hint)


def notify_devices(player: Player) -> None:
    """Make all processes read the devices of ``player`` again, once the running transaction is
    committed and durable."""
    player_id = player.pk
    transaction.on_commit(lambda: on_durable(lambda: _send_devices(player_id)), robust=True)


def _send_devices(player_id: UUID) -> None:
    clear_player_cache()
    devices_changed.send_robust(sender=Player, player_id=player_id)
    bus().publish(Hint.of_player(player_id))
