"""News of changes: signals that listeners in this process get after the commit, and the bus between
processes, of the versions of games and the presence of people.

A hint may be lost, arrive twice or arrive late, so hubs poll as well (`games.live.hub`)."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.db import connection, transaction
from django.dispatch import Signal

from games.bus.hints import Bus, Hint, News, Presence
from games.models import Game
from games.storage.group_commit import on_durable

game_changed = Signal()
"""Sent with ``game_id`` and ``version``: a hint, never the state itself."""
devices_changed = Signal()
"""Sent with ``player_id`` when a device of the player has left or joined another one."""


@cache
def bus() -> Bus:
    """Return the bus for the settings: of Redis, else of PostgreSQL, else sockets."""
    if settings.REDIS_URL:
        from games.bus.redis import RedisBus

        return RedisBus(settings.REDIS_URL)
    if connection.vendor == "postgresql":
        from games.bus.postgres import PostgresBus, site_conninfo

        return PostgresBus(site_conninfo())
    from games.bus.sockets import SocketBus, socket_folder

    return SocketBus(socket_folder(settings.DATA_DIR))


def notify_changed(game: Game) -> None:
    """Send the new version of ``game`` once the running transaction is committed and durable."""
    hint = Hint(game.id, game.version)
    # Errors of listeners are only logged: the move is durable, and listeners poll too.
    transaction.on_commit(lambda: on_durable(lambda: _send(hint)), robust=True)


def _send(hint: Hint) -> None:
    game_changed.send_robust(sender=Game, game_id=hint.game_id, version=hint.version)
    bus().publish(hint)
