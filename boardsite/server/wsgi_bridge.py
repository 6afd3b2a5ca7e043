"""An ASGI application around a WSGI one: whole requests in, whole responses out.

A request has a thread from the end of its body to its response, which is sent once its commits are
durable. So no slow sender, reader or disk occupies one of the few threads."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import nullcontext
from io import BytesIO
from tempfile import SpooledTemporaryFile
from time import perf_counter
from typing import Any, BinaryIO, NamedTuple, cast

from boardsite.server.request_batcher import RequestBatcher, SyncFailed
from games.core import metrics
from games.views.middleware import COMMIT_FAILURE
from games.web.headers import join_headers, refuse
from games.web.slot import TICKET, Ticket, slot

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Environ = dict[str, Any]
WsgiApplication = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

PLAIN = {"CONTENT_TYPE", "CONTENT_LENGTH"}
"""Headers that have no prefix ``HTTP_`` in WSGI."""
IN_MEMORY = 2**20
"""Bytes of a streamed response that are kept in memory."""
PIECE = 2**18
"""Bytes of a streamed response that are sent at once."""
BODY_SECONDS = 60.0
"""The time in which a client must send the body of a request."""


class Response(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    content: bytes | BinaryIO


class WSGIBridge:
    """Runs ``application`` in ``threads`` threads, in ``batches`` or request by request. Bodies
    longer than ``max_body`` bytes are cut off; the application refuses them by their
    Content-Length. ``at_once`` limits the bodies in memory. ``name`` is its label in the
    metrics."""

    def __init__(
        self,
        application: WsgiApplication,
        *,
        name: str,
        threads: int,
        max_body: int,
        batches: bool = False,
        at_once: int = 0,
    ) -> None:
        self._application = application
        self._name = name
        self._batcher = RequestBatcher(self._respond, threads=threads, batches=batches)
        self._max_body = max_body
        self._room = asyncio.Semaphore(at_once) if at_once else nullcontext()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of ``scope["type"] == "http"``."""
        async with self._room:
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    body = await self._body(receive)
            except TimeoutError:
                body = None
            if body is None:
                await refuse(send, 408, close=True)
                return
            began = perf_counter()
            response = await self._whole_response(scope, body)
            del body
        status, headers = response.status, response.headers
        metrics.requests.labels(self._name, status).observe(perf_counter() - began)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if isinstance(response.content, bytes):
            await send({"type": "http.response.body", "body": response.content})
            return
        with response.content as file:
            while piece := file.read(PIECE):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def _whole_response(self, scope: Scope, body: bytes) -> Response:
        """Return the response, after the jobs of the slot for which the request asks."""
        ticket = Ticket()
        while True:
            response = await self._durable_response(scope, body, {TICKET: ticket})
            job, ticket.job = ticket.job, None
            if job is None:
                return response
            ticket.refused = not await slot.make(job)

    async def _durable_response(self, scope: Scope, body: bytes, added: Environ) -> Response:
        """Return the response once its commits are durable; an error response if they are not."""
        try:
            return await self._batcher.respond(_environ(scope, body, self._max_body) | added)
        except SyncFailed as error:
            failure = {COMMIT_FAILURE: error.__cause__}
            environ = _environ(scope, body, self._max_body) | failure
            return await self._batcher.respond(environ)

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the body, cut off if it is too long; None if the client is gone."""
        pieces, length = list[bytes](), 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            pieces.append(message.get("body", b""))
            length += len(pieces[-1])
            if length > self._max_body or not message.get("more_body", False):
                return b"".join(pieces)

    def _respond(self, environ: Environ) -> Response:
        started: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
            started[:] = [status, headers]

        chunks = self._application(environ, start_response)
        try:
            content = _spool(chunks) if getattr(chunks, "streaming", False) else b"".join(chunks)
        finally:
            # Django ends the request here; its database connections stay with the thread.
            getattr(chunks, "close", lambda: None)()
        status, headers = started
        latin = [(name.lower().encode("latin1"), value.encode("latin1")) for name, value in headers]
        return Response(int(status[:3]), latin, content)


def _spool(chunks: Iterable[bytes]) -> BinaryIO:
    """Return a streamed response as a file, on the disk if it is large."""
    file = cast(BinaryIO, SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115  # the sender closes it
    file.writelines(chunks)
    file.seek(0)
    return file


def _environ(scope: Scope, body: bytes, max_body: int) -> Environ:
    """Return the WSGI environment of a request, with strings as Latin-1 (PEP 3333)."""
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in join_headers(scope["headers"]).items():
        # WSGI turns both into underscores, so this name could forge a header that a proxy sets.
        if b"_" not in name:
            environ[_key(name.decode("latin1"))] = value.decode("latin1")
    # A chunked body has no Content-Length, but its length is known now.
    if len(body) <= max_body or "CONTENT_LENGTH" not in environ:
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def _key(name: str) -> str:
    key = name.upper().replace("-", "_")
    return key if key in PLAIN else f"HTTP_{key}"
