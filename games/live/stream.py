"""One stream, written to no faster than its browser reads."""

from __future__ import annotations

import asyncio
import logging
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

from games.live.events import LAST, SHUT_OUT, Event, Message

Send = Callable[[Message], Awaitable[None]]
log = logging.getLogger(__name__)


NOT_OPEN = 1 << 62
"""The version of a stream that is not open yet: no board is newer."""


class Stream:
    """The response to one browser.

    ``version`` is that of the last board written to it, or of the board that the browser had
    already; 0 without a board, `NOT_OPEN` before `open`, `SHUT_OUT` after the last event. While the
    browser is slow the newest board waits, and earlier ones are skipped. There are thousands of
    streams, so none has a task or a queue of its own while its browser keeps up."""

    __slots__ = ("_busy", "_gzipped", "_pending", "_sending", "_transport_send", "version")

    def __init__(self, send: Send, *, gzipped: bool) -> None:
        self.version = NOT_OPEN
        self._transport_send = send
        self._gzipped = gzipped
        self._busy = True
        self._pending: Event | None = None
        self._sending: asyncio.Task[None] | None = None

    def open(self, version: int) -> None:
        """Start writing to a browser that has ``version``, after the head was sent."""
        self.version = version
        self._busy = False

    def write(self, event: Event) -> None:
        """Send an event, at once or as soon as the browser has read the one before."""
        if event.version is not None:
            if event.version <= self.version:
                return
            self.version = event.version
        if not self._busy:
            self._start(self._send(event))
            self._busy = self._busy or self._ended
        elif event.version is not None:
            self._pending = event

    def finish(self) -> None:
        """End the response, after which the browser reconnects. A slow browser is left alone."""
        if not self._busy:
            self._busy = True
            self._start(self._transport_send(LAST))

    def drop(self) -> None:
        self._busy = True
        self._pending = None
        if self._sending is not None:
            self._sending.cancel()

    @property
    def _ended(self) -> bool:
        return self.version == SHUT_OUT

    def _send(self, event: Event) -> Awaitable[None]:
        return self._transport_send(event.gzipped if self._gzipped else event.plain)

    def _start(self, sending: Awaitable[None]) -> None:
        """Run ``sending`` up to its first await, mostly its end: a task would cost more."""
        steps = sending.__await__()
        try:
            waits_for = next(steps)
        except StopIteration:
            return
        except Exception:
            # The caller continues with thousands of other streams.
            log.exception("Sending to a browser failed")
            self.drop()
            return
        self._busy = True
        self._sending = asyncio.ensure_future(self._finish_sending(steps, waits_for))

    async def _finish_sending(self, steps: Generator[Any, None, None], waits_for: Any) -> None:
        """Run the rest of the coroutine, then send the pending board."""
        await _resume(steps, waits_for)
        while self._pending is not None:
            event, self._pending = self._pending, None
            await self._send(event)
        self._busy = self._ended
        self._sending = None


@types.coroutine
def _resume(steps: Generator[Any, None, None], waits_for: Any) -> Coroutine[Any, Any, None]:
    yield waits_for
    yield from steps
