"""Hints and presence, and the protocol of the buses that carry them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple, Protocol, Self
from uuid import UUID

RETRY_SECONDS = 1.0
"""Seconds between attempts to listen."""

log = logging.getLogger(__name__)


PLAYER = "player-"


class Hint(NamedTuple):
    """The news that a game has reached a version, or that a player's devices have changed."""

    game_id: str
    version: int

    def encode(self) -> str:
        """Return the hint as text: ``<game id> <version>``."""
        return f"{self.game_id} {self.version}"

    @classmethod
    def decode(cls, text: str) -> Self:
        """Return the hint of a text. Raises ValueError."""
        game_id, version = text.split(" ")
        return cls(game_id, int(version))

    @classmethod
    def of_player(cls, player_id: UUID) -> Self:
        return cls(f"{PLAYER}{player_id}", 0)

    @property
    def player(self) -> str:
        return self.game_id.removeprefix(PLAYER) if self.game_id.startswith(PLAYER) else ""


class Presence(NamedTuple):
    """The news of the people at a game in one process: the ``seats`` whose holders have the page
    open, separated by commas, and the number of other people."""

    game_id: str
    process: str
    seats: str
    watching: int

    def encode(self) -> str:
        """Return the news as text: ``<game id> <process> <seats> <watching>``."""
        return f"{self.game_id} {self.process} {self.seats or NOBODY} {self.watching}"

    @classmethod
    def decode(cls, text: str) -> Self:
        """Return the news of a text. Raises ValueError."""
        game_id, process, seats, watching = text.split(" ")
        return cls(game_id, process, "" if seats == NOBODY else seats, int(watching))


NOBODY = "-"
News = Hint | Presence
"""Everything that a bus carries."""


def deliver(text: str, on_news: Callable[[News], None]) -> None:
    """Call ``on_news`` with the news of a message; ignore other messages."""
    for kind in (Hint, Presence):
        with suppress(ValueError):
            on_news(kind.decode(text))
            return


async def keep_listening(
    listen: Callable[[Callable[[], None]], Awaitable[None]],
    on_connect: Callable[[], None],
    errors: tuple[type[Exception], ...],
) -> None:
    """Call ``listen`` again whenever it raises one of ``errors``, until cancelled. An interruption
    may last for hours, so only its start and its end are logged."""
    interrupted = False

    def connected() -> None:
        nonlocal interrupted
        if interrupted:
            log.warning("The bus is connected again.")
        interrupted = False
        on_connect()

    while True:
        try:
            await listen(connected)
        except errors as error:
            if not interrupted:
                log.warning("The bus is interrupted: %s", error)
            interrupted = True
        await asyncio.sleep(RETRY_SECONDS)


class Bus(Protocol):
    """The transport of hints between the processes of the site."""

    def publish(self, news: News) -> None:
        """Send news to the other processes, from any thread but outside a transaction. This hardly
        takes any time; news that cannot be delivered is dropped."""

    def check(self) -> None:
        """Raise any error if hints cannot be sent now."""

    async def listen(self, on_news: Callable[[News], None], on_connect: Callable[[], None]) -> None:
        """Call ``on_news`` with all news from other processes until cancelled. Call ``on_connect``
        whenever listening begins or resumes, since earlier hints may have been missed."""
