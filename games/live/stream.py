"""One stream: it is never written to faster than it is read."""

from __future__ import annotations

import asyncio
import logging
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

from games.live.events import LAST, Event, Message

Send = Callable[[Message], Awaitable[None]]
log = logging.getLogger(__name__)


NOT_YET = 1 << 62
"""The version of a stream that is not open: no board is newer."""


class Stream:
    """What one browser is being sent.

    ``version`` is that of the last board it was given, or had already; 0 for none, `NOT_YET` before
    it is open, when nothing is sent. While the browser is slow the newest board waits, and boards
    before it are left out. There are thousands of these: no task and no queue each."""

    __slots__ = ("_busy", "_gzipped", "_pending", "_rest", "_send", "version")

    def __init__(self, send: Send, *, gzipped: bool) -> None:
        self.version = NOT_YET
        self._send = send
        self._gzipped = gzipped
        self._busy = True
        self._pending: Event | None = None
        self._rest: asyncio.Task[None] | None = None

    def open(self, version: int) -> None:
        """Begin, the answer's head having been sent, with a browser that has ``version``."""
        self.version = version
        self._busy = False

    def write(self, event: Event) -> None:
        """Send an event, at once or as soon as the browser has read what came before."""
        if event.version is not None:
            if event.version <= self.version:
                return
            self.version = event.version
        if not self._busy:
            self._start(self._sending(event))
        elif event.version is not None:
            self._pending = event

    def finish(self) -> None:
        """End the answer; the browser will ask again. One that does not read is left alone."""
        if not self._busy:
            self._busy = True
            self._start(self._send(LAST))

    def drop(self) -> None:
        """Forget everything: the browser is gone."""
        self._busy = True
        self._pending = None
        if self._rest is not None:
            self._rest.cancel()

    def _sending(self, event: Event) -> Awaitable[None]:
        return self._send(event.gzipped if self._gzipped else event.plain)

    def _start(self, sending: Awaitable[None]) -> None:
        """Take the first step of sending here and now. It nearly always is the only one, and a
        task for it would cost more than the step."""
        steps = sending.__await__()
        try:
            waits_for = next(steps)
        except StopIteration:
            return
        except Exception:
            # Whoever writes goes on to thousands of other streams.
            log.exception("Sending to a browser")
            self.drop()
            return
        self._busy = True
        self._rest = asyncio.ensure_future(self._finish(steps, waits_for))

    async def _finish(self, steps: Generator[Any, None, None], waits_for: Any) -> None:
        """The further steps, and what has come to wait meanwhile."""
        await _go_on(steps, waits_for)
        while self._pending is not None:
            event, self._pending = self._pending, None
            await self._sending(event)
        self._busy = False
        self._rest = None


@types.coroutine
def _go_on(steps: Generator[Any, None, None], waits_for: Any) -> Coroutine[Any, Any, None]:
    yield waits_for
    yield from steps
