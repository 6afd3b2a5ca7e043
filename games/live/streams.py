"""The ASGI application that streams the boards of a game to a browser."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.utils import translation

from games.bus import Hint, bus, devices_changed, game_changed
from games.core import metrics
from games.core.rate_limits import (
    STREAMS_PER_ADDRESS,
    STREAMS_PER_PLAYER,
    ConcurrencyLimit,
    RateLimited,
    seconds_to_wait,
)
from games.core.refusals import Refusal
from games.core.translation import translate
from games.live.events import GREETINGS, Message
from games.live.hub import Hub, HubFull
from games.live.source import Database
from games.live.stream import Send, Stream
from games.presentation.visibility import Viewer, lobby_of
from games.state.identity import cached_player
from games.web import preferences
from games.web.client_address import address_key, check_host
from games.web.headers import SECURITY_HEADERS, join_headers, refuse
from games.web.player_cookie import read_device_id

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"vary", b"Accept-Encoding, Accept-Language, Cookie"),
    (b"x-accel-buffering", b"no"),
    # A frame without an origin of its own follows the game too, and sends no cookies.
    (b"access-control-allow-origin", b"*"),
    *SECURITY_HEADERS,
]
START = {"type": "http.response.start", "status": 200, "headers": HEADERS}
START_GZIPPED = {**START, "headers": [*HEADERS, (b"content-encoding", b"gzip")]}
VIEWER_HEADERS = (b"host", b"cookie", b"accept-language")
MAX_CACHED = 1_024
"""Bytes of the longest headers by which a viewer is cached: longer ones would fill the memory."""

database = Database()
hub = Hub(database, bus)
"""The hub of this process."""


def _notify(*, game_id: str, version: int, **_: object) -> None:
    hub.notify(Hint(game_id, version))


def _notify_devices(*, player_id: UUID, **_: object) -> None:
    hub.notify(Hint.of_player(player_id))


game_changed.connect(_notify, weak=False, dispatch_uid="games.live")
devices_changed.connect(_notify_devices, weak=False, dispatch_uid="games.live")


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """A parsed request for a stream.

    ``has`` is the version of the browser's board; ``limits`` are the rate limits with its keys;
    ``kind`` is that of which its page tells seekers of opponents, '' for none."""

    viewer: Viewer
    limits: tuple[tuple[ConcurrencyLimit, str], ...]
    has: int
    gzipped: bool
    kind: str = ""


async def serve_stream(game_id: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the boards of a game, starting with the newest unless the browser has it already."""
    try:
        request = await _identify(_parse(scope), scope)
    except DisallowedHost:
        await refuse(send, 400)
        return
    except DatabaseError:
        await refuse(send, 503)
        return
    stream = Stream(send, gzipped=request.gzipped)
    try:
        subscribe(game_id, request, stream)
    except RateLimited as refusal:
        sentence = _translate(refusal, request.viewer.language)
        await refuse(send, refusal.status, sentence, retry_after=seconds_to_wait())
        return
    except HubFull:
        await refuse(send, 503)
        return
    # The server keeps the scope until the response ends, hours later.
    scope["headers"].clear()
    await follow(game_id, request, stream, receive, send)


async def follow(
    game_id: str, request: StreamRequest, stream: Stream, receive: Receive, send: Send
) -> None:
    """Send a subscribed stream until the reader or the site ends it, and unsubscribe it."""
    try:
        if await _open(game_id, request, stream, send):
            while (await receive())["type"] != "http.disconnect":
                pass
    finally:
        _unsubscribe(game_id, request, stream)


async def _identify(request: StreamRequest, scope: Scope) -> StreamRequest:
    """Return a request with its viewer's player, and its limits. Raises DatabaseError."""
    viewer, device_id = request.viewer, request.viewer.player_id
    if device_id is not None:
        cached = cached_player(device_id)
        player_id = cached[0] if cached else await hub.in_thread(database.player, device_id)
        viewer = viewer if player_id == device_id else replace(viewer, player_id=player_id)
    return replace(request, viewer=viewer, limits=limits_of(scope, viewer))


def subscribe(game_id: str, request: StreamRequest, stream: Stream) -> None:
    """Subscribe a stream. Raises RateLimited or HubFull before anything has changed."""
    for limit, key in request.limits:
        limit.check(key)
    hub.subscribe(game_id, request.viewer, stream, request.kind)
    metrics.streams.inc()
    for limit, key in request.limits:
        limit.acquire(key)


def _unsubscribe(game_id: str, request: StreamRequest, stream: Stream) -> None:
    for limit, key in request.limits:
        limit.release(key)
    hub.unsubscribe(game_id, request.viewer, stream)
    metrics.streams.dec()


async def _open(game_id: str, request: StreamRequest, stream: Stream, send: Send) -> bool:
    """Send the head of the response and open the stream; return False if the stream is refused."""
    try:
        newest = await hub.newest(game_id)
    except DatabaseError:
        await refuse(send, 503)
        return False
    if newest is None:
        await refuse(send, 404)
        return False
    if database.is_closed(game_id):
        admits = await hub.in_thread(database.admits, game_id, request.viewer, newest)
        if not admits:
            await refuse(send, 403)
            return False
    greeting = random.choice(GREETINGS)
    await send(START_GZIPPED if request.gzipped else START)
    await send(greeting.gzipped if request.gzipped else greeting.plain)
    hub.open(game_id, stream, newest=newest, has=request.has)
    return True


def _translate(refusal: Refusal, language: str) -> str:
    with translation.override(language):
        return translate(refusal.text)


def _parse(scope: Scope) -> StreamRequest:
    headers = join_headers(scope["headers"])
    values = [headers.get(name, b"") for name in VIEWER_HEADERS]
    parse = _cached_viewer if sum(map(len, values)) <= MAX_CACHED else _viewer
    query = dict(parse_qsl(scope["query_string"].decode("latin1")[:200]))
    has = headers.get(b"last-event-id", b"").decode("latin1") or query.get("has", "")
    viewer = parse(query.get("seat"), lobby_of(query.get("lobby")), *values)
    return StreamRequest(
        viewer,
        (),
        int(has) if has.isascii() and has.isdecimal() and len(has) < 10 else 0,
        b"gzip" in headers.get(b"accept-encoding", b""),
        query.get("someone", ""),
    )


def limits_of(scope: Scope, viewer: Viewer) -> tuple[tuple[ConcurrencyLimit, str], ...]:
    """Return the limits of a viewer's streams, with its keys."""
    address = (STREAMS_PER_ADDRESS, address_key((scope.get("client") or ("", 0))[0]))
    if viewer.player_id is None:
        return (address,)
    return address, (STREAMS_PER_PLAYER, str(viewer.player_id))


def _viewer(asked: str | None, lobby: str, *values: bytes) -> Viewer:
    """Return the viewer of a request with these headers, by the same rules as for a page, but with
    the id of its device in place of its player."""
    headers = [pair for pair in zip(VIEWER_HEADERS, values, strict=True) if pair[1]]
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
    request = ASGIRequest(scope, body_file=BytesIO())
    check_host(request)
    return Viewer(
        player_id=read_device_id(request),
        asked=asked,
        confirm=preferences.read_preferences(request).confirm,
        language=translation.get_language_from_request(request),
        lobby=lobby,
        muted=preferences.read_preferences(request).muted,
    )


# Cached: all tabs of a browser, and most browsers without a player, send the same headers, and
# thousands of them may reconnect at once.
_cached_viewer = lru_cache(maxsize=10_000)(_viewer)
