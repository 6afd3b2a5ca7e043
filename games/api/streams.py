"""Streams of events for programs, from the hub of the browsers' streams.

The state of a game comes first, whole, and then at each version the fields that have changed. A
program that reconnects gets the whole state again.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.utils import translation

from games.api import states
from games.api.documents import Problem
from games.api.tokens import bearer_token, find_token
from games.core.rate_limits import API_PER_TOKEN, RateLimited, seconds_to_wait
from games.core.refusals import Refusal
from games.core.translation import translate
from games.live import streams
from games.live.events import Event, data_event
from games.live.hub import HubFull
from games.live.readers import Reader
from games.live.source import check_connection
from games.live.stream import Send, Stream
from games.live.streams import Receive, Scope, StreamRequest
from games.models import ApiToken, Game
from games.state.snapshot import GameSnapshot, read_snapshot
from games.state.watching import ClosedToWatchers, check_watching
from games.web.headers import SECURITY_HEADERS, refuse, send_response
from games.web.hosts import check_host


@dataclass(frozen=True, slots=True)
class StateEvent(Event):
    """A version of a game as a program sees it. Its messages contain the whole state."""

    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program(Reader):
    """A program that reads a game with a token, at the site's address ``base``."""

    token: ApiToken
    base: str

    def event(self, snapshot: GameSnapshot) -> StateEvent:
        """Return the state of a game as the token may see it."""
        address = self.base + snapshot.game.get_absolute_url()
        with translation.override(self.language):
            found = states.state_of(self.token, snapshot, address, self.asked)
        state = found.model_dump(mode="json")
        event = _event("state", snapshot.game.version, state)
        return StateEvent(event.version, event.plain, event.gzipped, state)


def _event(name: str, version: int, data: Mapping[str, Any]) -> Event:
    return data_event(name, version, json.dumps(data, separators=(",", ":")).encode())


class StateStream(Stream):
    """The response to one program. It sends the whole state once, and only changes after it."""

    __slots__ = ("_state",)

    def __init__(self, send: Send) -> None:
        super().__init__(send, gzipped=False)
        self._state: Mapping[str, Any] | None = None

    def _send(self, event: Event) -> Awaitable[None]:
        # Here and not where versions are made: a slow program skips some of them.
        if not isinstance(event, StateEvent):
            return super()._send(event)
        before, self._state = self._state, event.state
        if before is None:
            return super()._send(event)
        changed = {name: value for name, value in event.state.items() if before[name] != value}
        return super()._send(_event("change", event.state["version"], changed))


async def serve_events(game_id: str, scope: Scope, receive: Receive, send: Send) -> bool:
    """Send the events of a game; return False if the endpoint has to answer, with a refusal."""
    try:
        program = await streams.hub.in_thread(_admit, game_id, scope)
    except DatabaseError:
        await refuse(send, 503)
        return True
    if program is None:
        return False
    request = StreamRequest(program, streams.limits_of(scope, program), has=0, gzipped=False)
    stream = StateStream(send)
    try:
        streams.subscribe(game_id, request, stream)
    except RateLimited as refusal:
        await _refuse(send, refusal, program.language)
        return True
    except HubFull:
        await refuse(send, 503, retry_after=seconds_to_wait())
        return True
    scope["headers"].clear()
    await streams.follow(game_id, request, stream, receive, send)
    return True


def _admit(game_id: str, scope: Scope) -> Program | None:
    """Return the program that sends a request, None if it gets no stream of the game."""
    check_connection()
    request = ASGIRequest({**scope, "headers": [*scope["headers"]]}, BytesIO())
    try:
        check_host(request)
        token = find_token(bearer_token(request))
        if token is None or not states.may_use(token, game_id):
            return None
        API_PER_TOKEN.hit(token.token_hash)
        check_watching(read_snapshot(game_id), token.player_id)
    except (DisallowedHost, Refusal, Game.DoesNotExist, ClosedToWatchers):
        return None
    return Program(
        player_id=token.player_id,
        asked=request.GET.get("seat"),
        language=translation.get_language_from_request(request),
        token=token,
        base=request.build_absolute_uri("/").rstrip("/"),
    )


async def _refuse(send: Send, refusal: Refusal, language: str) -> None:
    """Send a refusal as the endpoints do."""
    with translation.override(language):
        problem = Problem(error="rate_limited", message=translate(refusal.text), field="")
    retry = (b"retry-after", b"%d" % seconds_to_wait())
    body, kind = problem.model_dump_json().encode(), b"application/json; charset=utf-8"
    await send_response(send, refusal.status, body, retry, *SECURITY_HEADERS, content_type=kind)
