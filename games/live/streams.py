"""The ASGI application of one address: the events of a game, for as long as the browser stays."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.utils import translation

from games import preferences
from games.changes import game_changed
from games.live.bus import Hint, bus
from games.live.database import Database
from games.live.events import GREETINGS, Message
from games.live.hub import Full, Hub
from games.live.stream import Send, Stream
from games.live.watchers import Watcher
from games.middleware import player_id

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Headers = dict[bytes, bytes]

HEAD = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"vary", b"Accept-Encoding, Accept-Language, Cookie"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-accel-buffering", b"no"),
]
START = {"type": "http.response.start", "status": 200, "headers": HEAD}
START_PACKED = {**START, "headers": [*HEAD, (b"content-encoding", b"gzip")]}
WHOSE = (b"host", b"cookie", b"accept-language")

hub = Hub(Database(), bus)
"""The hub of this process."""


def _hear(*, game_id: str, version: int, **_: object) -> None:
    hub.hear(Hint(game_id, version))


game_changed.connect(_hear, weak=False, dispatch_uid="games.live")


@dataclass(frozen=True, slots=True)
class Visit:
    """What a request for a stream says; ``has`` is the version of the board it has."""

    watcher: Watcher
    has: int
    packed: bool


async def follow(game_id: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the boards of a game, beginning with the newest unless the browser has it."""
    try:
        visit = _visit(scope)
    except DisallowedHost:
        await _refuse(send, 400)
        return
    stream = Stream(send, packed=visit.packed)
    try:
        hub.enter(game_id, visit.watcher, stream)
    except Full:
        await _refuse(send, 503)
        return
    # The server keeps the request until it is answered, which is hours here.
    scope["headers"].clear()
    try:
        if await _begin(game_id, visit, stream, send):
            while (await receive())["type"] != "http.disconnect":
                pass
    finally:
        hub.leave(game_id, visit.watcher, stream)


async def _begin(game_id: str, visit: Visit, stream: Stream, send: Send) -> bool:
    """Send the head of the answer; whether there is anything to follow."""
    try:
        newest = await hub.newest(game_id)
    except DatabaseError:
        await _refuse(send, 503)
        return False
    if newest is None:
        await _refuse(send, 404)
        return False
    greeting = random.choice(GREETINGS)
    await send(START_PACKED if visit.packed else START)
    await send(greeting.packed if visit.packed else greeting.plain)
    hub.open(game_id, stream, newest=newest, has=visit.has)
    return True


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-length", b"0"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _visit(scope: Scope) -> Visit:
    """Read a request. Raises DisallowedHost."""
    headers: Headers = dict(scope["headers"])
    asked = dict(parse_qsl(scope["query_string"].decode("latin1")[:200]))
    has = headers.get(b"last-event-id", b"").decode("latin1") or asked.get("has", "")
    return Visit(
        _watcher(asked.get("seat"), *(headers.get(name, b"") for name in WHOSE)),
        int(has) if has.isascii() and has.isdecimal() and len(has) < 10 else 0,
        b"gzip" in headers.get(b"accept-encoding", b""),
    )


@lru_cache(maxsize=10_000)
def _watcher(asked: str | None, *values: bytes) -> Watcher:
    """Who asks, by the same rules as for a page. Kept: all tabs of a browser, and most browsers
    without a player, send the same, and thousands may come back at once."""
    request = ASGIRequest(
        {
            "type": "http",
            "method": "GET",
            "path": "/",
            "query_string": b"",
            "headers": [pair for pair in zip(WHOSE, values, strict=True) if pair[1]],
        },
        body_file=None,
    )
    request.get_host()
    return Watcher(
        player=player_id(request),
        asked=asked,
        confirm=preferences.of_request(request).confirm,
        language=translation.get_language_from_request(request),
    )
