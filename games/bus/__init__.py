"""The bus between processes. It carries the versions of games and the presence of people.

A hint may be lost, arrive twice or arrive late. Hubs therefore poll as well: every few seconds, and
after a bus has reconnected (see `games.live.hub`).
"""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.db import connection

from games.bus.hints import Bus, Hint, News, Presence

__all__ = ["Bus", "Hint", "News", "Presence", "bus"]


@cache
def bus() -> Bus:
    """Return the bus for the settings: Redis with REDIS_URL, else NOTIFY with PostgreSQL, else
    sockets in the data folder."""
    if settings.REDIS_URL:
        from games.bus.redis import RedisBus

        return RedisBus(settings.REDIS_URL)
    if connection.vendor == "postgresql":
        from games.bus.postgres import PostgresBus, site_conninfo

        return PostgresBus(site_conninfo())
    from games.bus.sockets import SocketBus, socket_folder

    return SocketBus(socket_folder(settings.DATA_DIR))
