"""A connection as uvicorn reads it, but that ends when nothing whole comes of it.

The site waits a minute for a body, and uvicorn some seconds for the next request where all was
answered. For headers nobody waits in uvicorn: they may be begun and never end.
"""

from __future__ import annotations

import asyncio
from asyncio.events import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 20.0
"""How long a client may take to send the headers of a request, its first or its next one."""
LONGEST_HEAD = 64 * 1024
"""Bytes that may come between one whole thing and the next: all headers, or a part of a body. What
is longer than `games.web.headers.LONGEST`, yet not as long as this, is still told so."""

MOST_AHEAD = 16
"""Requests that may wait for the answer to another one of their connection. No browser sends any
ahead; a quarter of a megabyte, read in one go, can hold 14,000."""


class HTTPProtocol(HttpToolsProtocol):
    """One connection. Thousands of them carry streams: what it adds are three slots and, until its
    headers are there, a timer."""

    __slots__ = ("_begun", "_late", "_unread")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Whether headers have begun and not ended.
        self._begun = False
        self._unread = 0
        self._late: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; give up on what is too long, and wait for the rest of what has begun."""
        self._unread += len(data)
        super().data_received(data)
        if self._unread > LONGEST_HEAD:
            self.transport.close()
        elif self._begun or self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._wait_no_more()

    def on_message_begin(self) -> None:
        """A request has begun."""
        super().on_message_begin()
        self._begun = True

    def on_headers_complete(self) -> None:
        """All its headers are there."""
        self._begun, self._unread = False, 0
        if len(self.pipeline) < MOST_AHEAD:
            super().on_headers_complete()
        else:
            self.transport.close()

    def on_body(self, body: bytes) -> None:
        """A part of its body is there."""
        self._unread = 0
        # That of a request which is not taken on any more would go to the one before.
        if not self.transport.is_closing():
            super().on_body(body)

    def _wait(self) -> None:
        if self._late is None and not self.transport.is_closing():
            self._late = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
