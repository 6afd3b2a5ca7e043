"""The bus for machines that share a PostgreSQL database: NOTIFY, and LISTEN on a connection of each
process to the server itself, not to a pooler."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo

from games.bus.hints import News, deliver, keep_listening

CHANNEL = "boardsite_games"
CHECK_SECONDS = 10.0
"""Seconds of silence after which the connection is checked."""
CLIENT_PARAMS = {"cursor_factory", "context", "prepare_threshold", "server_side_binding"}


def site_conninfo() -> str:
    """Return the connection string of the site's database, in the form of libpq."""
    params: dict[str, Any] = connection.get_connection_params()
    return make_conninfo(**{k: v for k, v in params.items() if k not in CLIENT_PARAMS})


class PostgresBus:
    """See `games.bus.hints.Bus`."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    def publish(self, news: News) -> None:
        """Notify all listeners after the commit: a transaction that notifies locks the database."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, news.encode()])

    def check(self) -> None:
        """Raise django.db.Error when the database does not answer."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    async def listen(self, on_news: Callable[[News], None], on_connect: Callable[[], None]) -> None:
        """Listen until cancelled, on a new connection whenever one is lost."""
        await keep_listening(partial(self._listen, on_news), on_connect, (psycopg.Error, OSError))

    async def _listen(
        self, on_news: Callable[[News], None], on_connect: Callable[[], None]
    ) -> None:
        listener = await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, connect_timeout=5
        )
        async with listener:
            await listener.execute(f"LISTEN {CHANNEL}")
            on_connect()
            while True:
                async for notification in listener.notifies(timeout=CHECK_SECONDS):
                    deliver(notification.payload, on_news)
                # Reached after a silence: a connection that died unnoticed raises here.
                async with asyncio.timeout(CHECK_SECONDS):
                    await listener.execute("SELECT 1")
