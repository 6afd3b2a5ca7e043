"""The bus for several machines: PUBLISH and SUBSCRIBE of a Redis or Valkey server."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial

import redis
import redis.asyncio

from games.bus.hints import News, deliver, keep_listening

CHANNEL = "boardsite:games"
TIMEOUT = 0.25
"""Seconds that publishing may take."""
PAUSE_SECONDS = 2.0
"""Seconds without publishing after a failure, so that not every move waits for the timeout."""
CHECK_SECONDS = 10.0
"""Seconds of silence after which the connection is checked."""

log = logging.getLogger(__name__)


class RedisBus:
    """See `games.bus.hints.Bus`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._sender = redis.Redis.from_url(
            url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
        )
        self._paused_until = 0.0

    def publish(self, news: News) -> None:
        if time.monotonic() < self._paused_until:
            return
        try:
            self._sender.publish(CHANNEL, news.encode())
        except redis.RedisError as error:
            if not self._paused_until:
                log.warning("Hints are not published: %s", error)
            self._paused_until = time.monotonic() + PAUSE_SECONDS
        else:
            self._paused_until = 0.0

    def check(self) -> None:
        """Raise RedisError when the server does not answer."""
        self._sender.ping()

    async def listen(self, on_news: Callable[[News], None], on_connect: Callable[[], None]) -> None:
        """Subscribe until cancelled, on a new connection whenever one is lost."""
        errors = (redis.RedisError, OSError)
        await keep_listening(partial(self._listen, on_news), on_connect, errors)

    async def _listen(
        self, on_news: Callable[[News], None], on_connect: Callable[[], None]
    ) -> None:
        client = redis.asyncio.Redis.from_url(
            self._url,
            decode_responses=True,
            health_check_interval=CHECK_SECONDS,
            socket_keepalive=True,
        )
        async with client, client.pubsub() as channel:
            await channel.subscribe(CHANNEL)
            while True:
                # Returns None after a silence, once the server has answered a ping.
                message = await channel.get_message(timeout=CHECK_SECONDS)
                if message is None:
                    continue
                if message["type"] == "subscribe":
                    on_connect()
                elif message["type"] == "message":
                    deliver(message["data"], on_news)
