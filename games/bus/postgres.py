"""The bus of several machines that share a PostgreSQL database: its NOTIFY and LISTEN.

Every listening process keeps a connection of its own for it, straight to the server: poolers
that hand on connections between transactions lose what is listened for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo

from games.bus import Hint, hand_on, keep_listening

CHANNEL = "boardsite_games"
CHECK = 10.0
"""Seconds of silence after which the server is asked whether it is there."""
NOT_OF_THE_SERVER = {"cursor_factory", "context", "prepare_threshold", "server_side_binding"}


def site_conninfo() -> str:
    """How the site reaches its database, in the form of libpq."""
    params: dict[str, Any] = connection.get_connection_params()
    return make_conninfo(**{k: v for k, v in params.items() if k not in NOT_OF_THE_SERVER})


class PostgresBus:
    """See `games.bus.Bus`."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    def publish(self, hint: Hint) -> None:
        """Tell all who listen, this process included.

        In a statement of its own after the commit: a transaction that notifies takes a lock on
        the whole database when it commits."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, hint.encode()])

    async def listen(self, heard: Callable[[Hint], None], renewed: Callable[[], None]) -> None:
        """Listen, and again whenever the connection is lost, until cancelled."""
        await keep_listening(partial(self._listen, heard), renewed, (psycopg.Error, OSError))

    async def _listen(self, heard: Callable[[Hint], None], renewed: Callable[[], None]) -> None:
        listener = await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, connect_timeout=5
        )
        async with listener:
            await listener.execute(f"LISTEN {CHANNEL}")
            renewed()
            while True:
                async for notice in listener.notifies(timeout=CHECK):
                    hand_on(notice.payload, heard)
                # Nothing for a while: a connection that died silently shows here.
                async with asyncio.timeout(CHECK):
                    await listener.execute("SELECT 1")
