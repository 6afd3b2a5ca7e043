"""Uvicorn's HTTP protocol with a timeout and a size limit for the headers of a request, which
uvicorn awaits for ever."""

from __future__ import annotations

import asyncio
from asyncio.events import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 20.0
"""The time in which a client must send all headers of a request, its first or its next one."""
MAX_UNPARSED = 64 * 1024
"""Bytes that may arrive before all headers, or a part of a body, are complete. Headers between
`games.web.headers.MAX_HEADERS` and this size are refused in a sentence; above it the connection is
closed."""
MAX_PIPELINED = 16
"""Requests that may wait behind another one of their connection. No browser pipelines; a quarter of
a megabyte, read at once, can hold 14,000 requests."""


class HTTPProtocol(HttpToolsProtocol):
    """One connection: three slots more and, until the headers are complete, a timer."""

    __slots__ = ("_in_headers", "_timeout", "_unparsed")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_headers = False
        self._unparsed = 0
        self._timeout: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request."""
        super().connection_made(transport)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timeout()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse more bytes; close the connection when they are too many for one request."""
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > MAX_UNPARSED:
            self.transport.close()
        elif self._in_headers or self.cycle is None or self.cycle.response_complete:
            self._start_timeout()
        else:
            self._cancel_timeout()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_headers = True

    def on_headers_complete(self) -> None:
        """Answer the request, unless too many others wait on the connection."""
        self._in_headers, self._unparsed = False, 0
        if len(self.pipeline) < MAX_PIPELINED:
            super().on_headers_complete()
        else:
            self.transport.close()

    def on_body(self, body: bytes) -> None:
        self._unparsed = 0
        # The body of a refused request would be added to the request before it.
        if not self.transport.is_closing():
            super().on_body(body)

    def _start_timeout(self) -> None:
        if self._timeout is None and not self.transport.is_closing():
            self._timeout = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None
