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

from games.bus import Hint, bus
from games.live.events import GREETINGS, Message
from games.live.hub import Full, Hub
from games.live.source import Database
from games.live.stream import Send, Stream
from games.presentation.visibility import Viewer
from games.rate_limits import (
    STREAMS_PER_ADDRESS,
    STREAMS_PER_PLAYER,
    ConcurrencyLimit,
    RateLimited,
)
from games.refusals import Refusal
from games.signals import game_changed
from games.translation import translate
from games.web import preferences
from games.web.client_address import address_key
from games.web.headers import STRICT, joined, refuse
from games.web.player_cookie import player_id

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

HEAD = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"vary", b"Accept-Encoding, Accept-Language, Cookie"),
    (b"x-accel-buffering", b"no"),
    *STRICT,
]
START = {"type": "http.response.start", "status": 200, "headers": HEAD}
START_GZIPPED = {**START, "headers": [*HEAD, (b"content-encoding", b"gzip")]}
WHOSE = (b"host", b"cookie", b"accept-language")
KEPT = 1_024
"""Bytes of these by which a viewer is kept, so that whoever sends more fills no memory."""

hub = Hub(Database(), bus)
"""The hub of this process."""


def _hear(*, game_id: str, version: int, **_: object) -> None:
    hub.notify(Hint(game_id, version))


game_changed.connect(_hear, weak=False, dispatch_uid="games.live")


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """What a request for a stream says; ``has`` is the version of the board it has, ``places``
    are what it takes of each quota."""

    viewer: Viewer
    places: tuple[tuple[ConcurrencyLimit, str], ...]
    has: int
    gzipped: bool


async def follow(game_id: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the boards of a game, beginning with the newest unless the browser has it."""
    try:
        visit = _visit(scope)
    except DisallowedHost:
        await refuse(send, 400)
        return
    stream = Stream(send, gzipped=visit.gzipped)
    try:
        _enter(game_id, visit, stream)
    except RateLimited as refused:
        await refuse(send, refused.status, _say(refused, visit.viewer.language))
        return
    except Full:
        await refuse(send, 503)
        return
    # The server keeps the request until it is answered, which is hours here.
    scope["headers"].clear()
    try:
        if await _begin(game_id, visit, stream, send):
            while (await receive())["type"] != "http.disconnect":
                pass
    finally:
        _leave(game_id, visit, stream)


def _enter(game_id: str, visit: StreamRequest, stream: Stream) -> None:
    """Let a stream in, or leave everything as it was. Raises RateLimited or Full."""
    for places, key in visit.places:
        places.look(key)
    hub.subscribe(game_id, visit.viewer, stream)
    for places, key in visit.places:
        places.take(key)


def _leave(game_id: str, visit: StreamRequest, stream: Stream) -> None:
    for places, key in visit.places:
        places.give_back(key)
    hub.unsubscribe(game_id, visit.viewer, stream)


async def _begin(game_id: str, visit: StreamRequest, stream: Stream, send: Send) -> bool:
    """Send the head of the answer; whether there is anything to follow."""
    try:
        newest = await hub.newest(game_id)
    except DatabaseError:
        await refuse(send, 503)
        return False
    if newest is None:
        await refuse(send, 404)
        return False
    greeting = random.choice(GREETINGS)
    await send(START_GZIPPED if visit.gzipped else START)
    await send(greeting.gzipped if visit.gzipped else greeting.plain)
    hub.open(game_id, stream, newest=newest, has=visit.has)
    return True


def _say(refused: Refusal, language: str) -> str:
    with translation.override(language):
        return translate(refused.text)


def _visit(scope: Scope) -> StreamRequest:
    """Read a request. Raises DisallowedHost."""
    headers = joined(scope["headers"])
    values = [headers.get(name, b"") for name in WHOSE]
    who = _cached_viewer if sum(map(len, values)) <= KEPT else _viewer
    asked = dict(parse_qsl(scope["query_string"].decode("latin1")[:200]))
    has = headers.get(b"last-event-id", b"").decode("latin1") or asked.get("has", "")
    viewer = who(asked.get("seat"), *values)
    return StreamRequest(
        viewer,
        _places(scope, viewer),
        int(has) if has.isascii() and has.isdecimal() and len(has) < 10 else 0,
        b"gzip" in headers.get(b"accept-encoding", b""),
    )


def _places(scope: Scope, viewer: Viewer) -> tuple[tuple[ConcurrencyLimit, str], ...]:
    address = (STREAMS_PER_ADDRESS, address_key((scope.get("client") or ("", 0))[0]))
    if viewer.player_id is None:
        return (address,)
    return address, (STREAMS_PER_PLAYER, str(viewer.player_id))


def _viewer(asked: str | None, *values: bytes) -> Viewer:
    """Who asks, by the same rules as for a page."""
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
    return Viewer(
        player_id=player_id(request),
        asked=asked,
        confirm=preferences.of_request(request).confirm,
        language=translation.get_language_from_request(request),
    )


_cached_viewer = lru_cache(maxsize=10_000)(_viewer)
"""Who asks, kept by what was sent: all tabs of a browser, and most browsers without a player, send
the same, and thousands may come back at once."""
