"""The bus of several machines: publish and subscribe of a Redis or Valkey server."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial

import redis
import redis.asyncio

from games.bus import Hint, hand_on, keep_listening

CHANNEL = "boardsite:games"
PATIENCE = 0.25
"""Seconds that publishing may take."""
PAUSE = 2.0
"""Seconds for which nothing is published after a failure: a move does not wait for it again."""
CHECK = 10.0
"""Seconds of silence after which the server is asked whether it is there."""

log = logging.getLogger(__name__)


class RedisBus:
    """See `games.bus.Bus`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._sender = redis.Redis.from_url(
            url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        )
        self._paused_until = 0.0

    def publish(self, hint: Hint) -> None:
        """Tell all who listen, this process included."""
        if time.monotonic() < self._paused_until:
            return
        try:
            self._sender.publish(CHANNEL, hint.encode())
        except redis.RedisError as error:
            if not self._paused_until:
                log.warning("Hints are not published: %s", error)
            self._paused_until = time.monotonic() + PAUSE
        else:
            self._paused_until = 0.0

    async def listen(self, heard: Callable[[Hint], None], renewed: Callable[[], None]) -> None:
        """Subscribe, and again whenever the connection is lost, until cancelled."""
        await keep_listening(partial(self._listen, heard), renewed, (redis.RedisError, OSError))

    async def _listen(self, heard: Callable[[Hint], None], renewed: Callable[[], None]) -> None:
        client = redis.asyncio.Redis.from_url(
            self._url, decode_responses=True, health_check_interval=CHECK, socket_keepalive=True
        )
        async with client, client.pubsub() as channel:
            await channel.subscribe(CHANNEL)
            while True:
                # Returns without a message too, having asked the server whether it is there.
                message = await channel.get_message(timeout=CHECK)
                if message is None:
                    continue
                if message["type"] == "subscribe":
                    renewed()
                elif message["type"] == "message":
                    hand_on(message["data"], heard)
