"""Tells whoever listens that a game has changed: after the commit, never before.

Listeners in this process hear `game_changed`; other processes hear the hint on the bus. Whoever
writes announces, in whatever process: views, computer players, commands, the admin.
"""

from __future__ import annotations

from django.db import transaction
from django.dispatch import Signal

from games.bus import Hint, bus
from games.models import Game
from games.storage.group_commit import on_durable

game_changed = Signal()
"""Sent with ``game_id``, ``version`` and ``ply``: a hint, never the state itself."""


def notify_changed(game: Game) -> None:
    """Say that ``game`` has changed once the running transaction is committed, and kept."""
    hint, ply = Hint(game.id, game.version), game.ply
    # Robust: the move is kept by then, and whoever missed the hint will look.
    transaction.on_commit(lambda: on_durable(lambda: _tell(hint, ply)), robust=True)


def _tell(hint: Hint, ply: int) -> None:
    game_changed.send_robust(sender=Game, game_id=hint.game_id, version=hint.version, ply=ply)
    bus().publish(hint)
