"""Streams of events for programs, from the hub of the browsers' streams.

The whole state of a game comes first and again at each version. The stream of a finished game ends,
and a program that has its state is told to stay away. That of a player has the states of all its
running games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from io import BytesIO

from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.utils import translation

from games.api import states
from games.api.problems import MEDIA_TYPE, is_in_clear, problem_body, problem_of
from games.core.rate_limits import API_PER_TOKEN, FOLLOWERS_PER_PLAYER, RateLimited, seconds_to_wait
from games.core.refusals import Refusal
from games.live import streams
from games.live.events import HEARTBEAT, LAST, SHUT, SHUT_OUT, Event, Reader, data_event
from games.live.hub import HubFull
from games.live.source import check_connection
from games.live.stream import Send, Stream
from games.live.streams import Receive, Scope, StreamRequest
from games.models import ApiToken, Game
from games.people.bots import find_token
from games.state.lists import running_versions
from games.state.seat_rights import ClosedToWatchers, check_watching
from games.state.snapshot import GameSnapshot, read_snapshot
from games.web.client_address import check_host
from games.web.headers import SECURITY_HEADERS, refuse, send_response

HEADERS = [*SECURITY_HEADERS, (b"access-control-allow-origin", b"*")]
OVER = b"event: over\ndata: \n\n"
"""The last event of a finished game."""
log = logging.getLogger(__name__)
NEW_GAMES_SECONDS = 2.0
"""Seconds between two looks for new games of a player, each with a heartbeat."""
FINISHED = 20
"""Finished games whose rematches a player's stream still tells."""


@dataclass(frozen=True, slots=True)
class StateEvent(Event):
    """A version of a game as a program sees it, and whether the game has ended with it."""

    over: bool


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
        event = data_event("state", snapshot.game.version, found.model_dump_json().encode())
        return StateEvent(event.version, event.plain, event.gzipped, found.over)


class Follower(Program):
    """A program that follows all games of its player, and is not present in any by that."""

    __slots__ = ()

    @property
    def is_there(self) -> bool:
        return False


class StateStream(Stream):
    """The response to one program. States after the first one have the name “change”."""

    __slots__ = ("_begun", "_over")

    def __init__(self, send: Send) -> None:
        super().__init__(send, gzipped=False)
        self._begun = self._over = False

    @property
    def _ended(self) -> bool:
        return self._over or super()._ended

    def _send(self, event: Event) -> Awaitable[None]:
        if not isinstance(event, StateEvent):
            return super()._send(event)
        body, self._over = event.plain["body"], event.over
        if self._begun:
            body = body.replace(b"event: state", b"event: change", 1)
        self._begun, body = True, body + (OVER if event.over else b"")
        return self._transport_send({**event.plain, "body": body, "more_body": not event.over})


class PartStream(Stream):
    """The part of a player's stream that one game is: whole states, without the people present.
    Where a stream of its own would end, the others go on."""

    __slots__ = ()

    @property
    def has_ended(self) -> bool:
        return self.version == SHUT_OUT

    def write(self, event: Event) -> None:
        if event is SHUT:
            self.finish()
        elif event.version is not None:
            super().write(event)

    def finish(self) -> None:
        self.version = SHUT_OUT
        self.drop()


async def _serve_player(program: Program, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the states of all games of a player, those that begin meanwhile included, until the
    token is gone, or no game has a part any more. Raises RateLimited."""
    limits, parts = [*streams.limits_of(scope, program)], dict[str, PartStream]()
    limits.append((FOLLOWERS_PER_PLAYER, str(program.player_id)))
    for limit, key in limits:
        limit.check(key)
    for limit, key in limits:
        limit.acquire(key)
    scope["headers"].clear()
    gone = asyncio.create_task(_disconnected(receive))
    try:
        await send(streams.START)
        while not gone.done() and not streams.hub.closed:
            known = await streams.hub.in_thread(_running_games, program)
            if known is None or (parts and all(part.has_ended for part in parts.values())):
                break
            _follow(program, known, parts, send)
            await send(HEARTBEAT.plain)
            await asyncio.wait({gone}, timeout=NEW_GAMES_SECONDS)
    except (DatabaseError, HubFull):
        log.warning("The stream of a player ended: it comes again")
    finally:
        gone.cancel()
        for game_id, part in parts.items():
            streams.hub.unsubscribe(game_id, program, part)
        for limit, key in limits:
            limit.release(key)
    await send(LAST)


def _follow(
    program: Program, known: dict[str, int], parts: dict[str, PartStream], send: Send
) -> None:
    """Add parts for new running games, and remove those of games ended long ago. Raises HubFull."""
    for game_id in known.keys() - parts.keys():
        part = PartStream(send, gzipped=False)
        streams.hub.subscribe(game_id, program, part)
        parts[game_id] = part
        streams.hub.open(game_id, part, newest=known[game_id], has=0)
    for game_id in [game_id for game_id in parts if game_id not in known][:-FINISHED]:
        streams.hub.unsubscribe(game_id, program, parts.pop(game_id))


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _running_games(program: Program) -> dict[str, int] | None:
    """Return the versions of the running games of a program's player; None without its token."""
    check_connection()
    token = program.token
    known = ApiToken.objects.filter(pk=token.pk).exists()
    return running_versions(token.player_id) if known else None


async def serve_events(game_id: str | None, scope: Scope, receive: Receive, send: Send) -> bool:
    """Send the events of a game, or of all games of the player; return False if the endpoint has to
    answer, with a refusal."""
    try:
        program, done = await streams.hub.in_thread(_admit, game_id, scope)
    except DatabaseError:
        await refuse(send, 503)
        return True
    if program is None:
        return False
    if done:
        await send({"type": "http.response.start", "status": 204, "headers": HEADERS})
        await send({"type": "http.response.body", "body": b""})
        return True
    if game_id is None:
        try:
            await _serve_player(program, scope, receive, send)
        except RateLimited as refusal:
            await _refuse(send, refusal, program.language)
        return True
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


def _admit(game_id: str | None, scope: Scope) -> tuple[Program | None, bool]:
    """Return the program that sends a request, None if it gets no stream, and whether it has the
    last state of a finished game already."""
    check_connection()
    request = ASGIRequest({**scope, "headers": [*scope["headers"]]}, BytesIO())
    try:
        check_host(request)
        token = find_token(_bearer_token(request))
        if token is None or is_in_clear(request):
            return None, False
        API_PER_TOKEN.hit(token.token_hash)
        snapshot = read_snapshot(game_id) if game_id else None
        if snapshot:
            check_watching(snapshot, token.player_id)
    except (DisallowedHost, Refusal, Game.DoesNotExist, ClosedToWatchers):
        return None, False
    over = snapshot is not None and snapshot.game.over
    version = str(snapshot.game.version) if snapshot else ""
    program = (Program if game_id else Follower)(
        player_id=token.player_id,
        asked=request.GET.get("seat"),
        language=translation.get_language_from_request(request),
        token=token,
        base=request.build_absolute_uri("/").rstrip("/"),
    )
    return program, over and request.headers.get("Last-Event-ID", "") == version


async def _refuse(send: Send, refusal: Refusal, language: str) -> None:
    with translation.override(language):
        problem = problem_of(refusal.status, "rate_limited", refusal.text)
    retry = (b"retry-after", b"%d" % seconds_to_wait())
    body, kind = problem_body(problem), MEDIA_TYPE.encode()
    await send_response(send, refusal.status, body, retry, *HEADERS, content_type=kind)


def _bearer_token(request: ASGIRequest) -> str:
    """Return the token in the header Authorization, '' without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else ""
