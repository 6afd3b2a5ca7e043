"""Notifications that a game has changed: after the commit, never before.

Listeners in this process receive the signal `game_changed`, other processes a hint on the bus.
Every writer notifies: views, computer players, commands and the admin.
"""

from __future__ import annotations

from django.db import transaction
from django.dispatch import Signal

from games.bus import Hint, bus
from games.models import Game
from games.storage.group_commit import on_durable

game_changed = Signal()
"""Sent with ``game_id`` and ``version``: a hint, never the state itself."""


def notify_changed(game: Game) -> None:
    """Send the new version of ``game`` once the running transaction is committed and durable."""
    hint = Hint(game.id, game.version)
    # Robust: the move is durable by then, and listeners that missed the hint will poll.
    transaction.on_commit(lambda: on_durable(lambda: _send(hint)), robust=True)


def _send(hint: Hint) -> None:
    game_changed.send_robust(sender=Game, game_id=hint.game_id, version=hint.version)
    bus().publish(hint)
