"""An ASGI application that answers with a WSGI one: whole requests in, whole answers out.

A request takes a thread only once its body has arrived, and gives it back before its answer
leaves: neither a slow sender nor a slow reader nor a slow disk holds one of the few threads there
are. An answer leaves when what was done for it is on the disk.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any, NamedTuple

from boardsite.server.sync_batcher import SyncBatcher
from games.middleware import COMMIT_FAILURE
from games.storage.group_commit import PendingSync, deferred_sync
from games.web.headers import joined, refuse

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Environ = dict[str, Any]
WsgiApplication = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

PLAIN = {"CONTENT_TYPE", "CONTENT_LENGTH"}
"""Headers that have no ``HTTP_`` before their names in WSGI."""
BODY_SECONDS = 60.0
"""How long a client may take to send its body."""


class Answer(NamedTuple):
    """What the application answers, and what it owes the disk before that may leave."""

    status: int
    headers: list[tuple[bytes, bytes]]
    content: bytes
    debt: PendingSync


class WSGIBridge:
    """Runs ``application`` in ``threads`` threads. Of bodies longer than ``most`` bytes it hands
    on the length alone, for the application to refuse."""

    def __init__(self, application: WsgiApplication, *, threads: int, most: int) -> None:
        self._application = application
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="front")
        self._batcher = SyncBatcher()
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of ``scope["type"] == "http"``."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await self._body(receive)
        except TimeoutError:
            body = None
        if body is None:
            await refuse(send, 408, last=True)
            return
        answer = await self._kept_answer(scope, body)
        start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        await send(start)
        await send({"type": "http.response.body", "body": answer.content})

    async def _kept_answer(self, scope: Scope, body: bytes) -> Answer:
        """The answer, once what was done for it is kept; if that cannot be, one that says so."""
        loop, environ = asyncio.get_running_loop(), _environ(scope, body, self._most)
        answer = await loop.run_in_executor(self._threads, self._answer, environ)
        if answer.debt:
            try:
                await self._batcher.sync(answer.debt)
            except Exception as error:
                environ = _environ(scope, body, self._most) | {COMMIT_FAILURE: error}
                answer = await loop.run_in_executor(self._threads, self._answer, environ)
        return answer

    async def _body(self, receive: Receive) -> bytes | None:
        """The body, cut off where it is too long; None when the client is gone."""
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self._most or not message.get("more_body", False):
                return body

    def _answer(self, environ: Environ) -> Answer:
        with deferred_sync() as debt:
            return Answer(*self._run(environ), debt)

    def _run(self, environ: Environ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        started: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
            started[:] = [status, headers]

        chunks = self._application(environ, start_response)
        try:
            content = b"".join(chunks)
        finally:
            # Django ends the request here; its database connections stay with the thread.
            getattr(chunks, "close", lambda: None)()
        status, headers = started
        latin = [(name.lower().encode("latin1"), value.encode("latin1")) for name, value in headers]
        return int(status[:3]), latin, content


def _environ(scope: Scope, body: bytes, most: int) -> Environ:
    """The request as WSGI (PEP 3333) has it: text in it is bytes read as Latin-1."""
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
    for name, value in joined(scope["headers"]).items():
        # With an underscore it would pass for the header with a hyphen, which a proxy may have set.
        if b"_" not in name:
            environ[_key(name.decode("latin1"))] = value.decode("latin1")
    # Of a body without a stated length (chunked) the length is known now.
    if len(body) <= most or "CONTENT_LENGTH" not in environ:
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def _key(name: str) -> str:
    key = name.upper().replace("-", "_")
    return key if key in PLAIN else f"HTTP_{key}"
