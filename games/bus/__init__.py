"""The bus between processes: it says which game has which version, and nothing else.

A hint may be lost, come twice or come late. Hubs therefore look for themselves as well: after a
bus came back, and every few seconds (see `games.live.hub`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import cache
from typing import NamedTuple, Protocol, Self

from django.conf import settings
from django.db import connection

AGAIN = 1.0
"""Seconds between attempts to listen."""

log = logging.getLogger(__name__)


class Hint(NamedTuple):
    """That a game has reached a version."""

    game_id: str
    version: int

    def encode(self) -> str:
        """The hint as it travels: ``<game id> <version>``."""
        return f"{self.game_id} {self.version}"

    @classmethod
    def decode(cls, text: str) -> Self:
        """The inverse of `encode`. Raises ValueError."""
        game_id, version = text.split(" ")
        return cls(game_id, int(version))


def hand_on(text: str, heard: Callable[[Hint], None]) -> None:
    """Give what came over the bus to ``heard``, unless it is no hint."""
    try:
        hint = Hint.decode(text)
    except ValueError:
        return
    heard(hint)


async def keep_listening(
    listen: Callable[[Callable[[], None]], Awaitable[None]],
    renewed: Callable[[], None],
    faults: tuple[type[Exception], ...],
) -> None:
    """Listen, and again whenever that ends with one of ``faults``, until cancelled. The log is told
    of an interruption when it begins and when it has ended: some last for hours."""
    interrupted = False

    def back() -> None:
        nonlocal interrupted
        if interrupted:
            log.warning("The bus is back.")
        interrupted = False
        renewed()

    while True:
        try:
            await listen(back)
        except faults as error:
            if not interrupted:
                log.warning("The bus is interrupted: %s", error)
            interrupted = True
        await asyncio.sleep(AGAIN)


class Bus(Protocol):
    """A way to reach the other processes of this site."""

    def publish(self, hint: Hint) -> None:
        """Tell the other processes, from any thread, outside of a transaction. It takes little
        time; what cannot be delivered is dropped."""

    async def listen(self, heard: Callable[[Hint], None], renewed: Callable[[], None]) -> None:
        """Hand on what others publish until cancelled. ``renewed`` is called whenever listening
        begins, the first time and after each interruption: hints may have been missed."""


@cache
def bus() -> Bus:
    """The bus that the settings ask for: Redis where REDIS_URL is set, else PostgreSQL's own
    where that is the database, else sockets in the data folder."""
    if settings.REDIS_URL:
        from games.bus.redis import RedisBus

        return RedisBus(settings.REDIS_URL)
    if connection.vendor == "postgresql":
        from games.bus.postgres import PostgresBus, site_conninfo

        return PostgresBus(site_conninfo())
    from games.bus.sockets import SocketBus, folder_of

    return SocketBus(folder_of(settings.DATA_DIR))
