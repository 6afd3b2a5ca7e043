"""The endpoints of the API. They call the same services as the pages, and refuse alike."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import conditional_page
from ninja import Header, NinjaAPI, Status
from ninja.errors import AuthenticationError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.security import HttpBearer
from pydantic import AwareDatetime

from games.api import states
from games.api.documents import (
    AnswerDocument,
    AskDocument,
    FinishedDocument,
    GameState,
    HandOverDocument,
    InvitationDocument,
    JoinDocument,
    KindDocument,
    ListedGameDocument,
    NewGameDocument,
    OpenGameDocument,
    PlayedMoveDocument,
    ResignDocument,
    UndoDocument,
)
from games.api.problems import Problem, describe_problems, problem_of, problem_response
from games.api.streams import OVER, Program
from games.contract import BadSetup, MoveError, Rules, Text, text
from games.core.clocks import TimeControl
from games.core.rate_limits import (
    API_PER_TOKEN,
    COMPUTER_GAMES_PER_ADDRESS,
    GAMES_PER_ADDRESS,
    GAMES_PER_PLAYER,
    SEATS_PER_ADDRESS,
    SEATS_PER_PLAYER,
    RateLimit,
)
from games.core.refusals import NotBegun, NotYourSeat, Refusal, Suspended
from games.core.registry import all_rules
from games.models import ApiToken, Game
from games.people.bots import bots_of, find_token
from games.presentation.documents import GameDocument, document_of
from games.services import absence, play, questions, seat_requests, seats, setup
from games.services import rematch as rematches
from games.services.packs import dealing
from games.services.tokens import repeated_id
from games.state import lists
from games.state.questions import KINDS, SEAT, SEATS, UNDO
from games.state.replay import Unreadable
from games.state.seat_rights import ClosedToWatchers, check_watching
from games.state.snapshot import GameSnapshot, read_snapshot
from games.views.lists import format_cursor, parse_cursor
from games.web.client_address import client_address, origin_of

NO_TOKEN = text("This needs a token: send “Authorization: Bearer <token>”.")
NOT_VALID = text(
    "This token is not valid any longer. Tokens for one seat have ended: hand the seat to a bot of "
    "yours, and make a token for the bot."
)
NOT_FOUND = text("There is no such game or kind of game.")
BAD_REQUEST = text("The request does not have the form that the documentation describes.")
CLOSED = text("This game is closed to watchers.")
NO_TIME = text("This game can’t be played with that clock.")
NO_QUESTION = text("There is no such question to the other players.")
UNKNOWN = text("This kind of game has no such option or seat.")


class Bearer(HttpBearer):
    """Finds the row of the token in the header Authorization."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """Return the token's row, None for an unknown one. Raises RateLimited."""
        found = find_token(token)
        if found:
            API_PER_TOKEN.hit(found.token_hash)
        return found


class API(NinjaAPI):
    """The API. In generated clients its operations have the names of their functions."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name under which the OpenAPI file has an operation."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **_options: Any) -> OpenAPISchema:
        """Return the OpenAPI file, in which refusals are problems; made once a language."""
        return self._schema(get_language())

    @lru_cache  # noqa: B019  # there is one API
    def _schema(self, _language: str | None) -> OpenAPISchema:
        schema = super().get_openapi_schema()
        describe_problems(schema)
        return schema


api = API(
    title="Boardsite",
    version="1",
    description="Read and play games. Make a token in the settings, and send it as bearer.",
    auth=Bearer(),
    docs_url=None,
    docs_decorator=conditional_page,
    urls_namespace="api",
)
EVENTS = {
    "description": "OK",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=200)]
PROBLEMS: dict[Any, Any] = dict.fromkeys((401, 403, 404, 409, 422, 429), Problem)


def _token(request: HttpRequest) -> ApiToken:
    token: ApiToken = request.auth  # type: ignore[attr-defined]
    return token


def _game(request: HttpRequest, game_id: str) -> GameSnapshot:
    """Return a game that the token may see. Raises Game.DoesNotExist, ClosedToWatchers."""
    snapshot = read_snapshot(game_id)
    check_watching(snapshot, _token(request).player_id)
    absence.note_visit(snapshot, _token(request).player_id)
    return snapshot


def _check_suspended(request: HttpRequest) -> None:
    player = _token(request).player
    if player.suspended:
        raise Suspended(player.suspended_for)


def _count(request: HttpRequest, per_player: RateLimit, per_address: RateLimit) -> None:
    """Count a request against the limits that pages have too. Raises RateLimited."""
    per_address.hit(client_address(request))
    per_player.hit(str(_token(request).player_id))


def _base(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def _state(request: HttpRequest, game_id: str, seat: str | None = None) -> GameState:
    snapshot = _game(request, game_id)
    address = _base(request) + snapshot.game.get_absolute_url()
    return states.state_of(_token(request), snapshot, address, seat)


@api.get("/kinds", response=list[KindDocument], auth=None)
def kinds(request: HttpRequest) -> list[KindDocument]:
    """List the kinds of game with their options and seats. It needs no token."""
    return [*states.kinds()]


@api.get("/games", response={200: list[ListedGameDocument], **PROBLEMS})
def own_games(request: HttpRequest) -> list[ListedGameDocument]:
    """List your games that are running."""
    token = _token(request)
    return [*states.listed(token, lists.running_games(token.player), _base(request))]


@api.get("/games/finished", response={200: FinishedDocument, **PROBLEMS})
def finished_games(
    request: HttpRequest, before: str = "", since: AwareDatetime | None = None
) -> FinishedDocument:
    """List your games that are finished, the last ended first: those of the page after ``before``,
    and that have ended at ``since`` or later."""
    token, now = _token(request), timezone.now()
    page = lists.finished_page(token.player, lambda _: True, parse_cursor(before), since=since)
    return FinishedDocument(
        games=[*states.listed(token, page.games, _base(request))],
        older=format_cursor(page.older) if page.older else None,
        now=now,
    )


@api.post("/games", response={201: GameState, **PROBLEMS})
def create(
    request: HttpRequest, response: HttpResponse, new: NewGameDocument, key: Key = ""
) -> Status[GameState]:
    """Create a game. Its address here is in the header Location. The same request with the same
    key makes one game, however often it is sent."""
    token = _token(request)
    _check_suspended(request)
    game_id = repeated_id(token.player_id, key and f"{key} {new.model_dump_json()}")
    if game_id and Game.objects.filter(pk=game_id).exists():
        return _created(request, response, game_id)
    rules = all_rules().get(new.kind)
    if rules is None:
        raise Http404
    _check_known(rules, new)
    _count(request, GAMES_PER_PLAYER, GAMES_PER_ADDRESS)
    wanted = setup.NewGame(
        rules=rules,
        options=new.options,
        seating=new.seating,
        hints=new.hints,
        transcript=new.moves,
        time=_time(rules, new.time),
        closed=new.closed,
        setup=new.setup,
    )
    with dealing(rules, rules.clean(new.options)):
        plan = setup.plan_game(wanted, packs=token.player.packs.all())
        if plan.only_computers:
            COMPUTER_GAMES_PER_ADDRESS.hit(client_address(request))
        game = setup.start_game(
            player=token.player, plan=plan, origin=origin_of(request), game_id=game_id
        )
    return _created(request, response, game.id)


def _created(request: HttpRequest, response: HttpResponse, game_id: str) -> Status[GameState]:
    response["Location"] = request.build_absolute_uri(f"/api/1/games/{game_id}")
    return Status(201, _state(request, game_id))


def _time(rules: Rules, written: str) -> TimeControl | None:
    """Return the time control of a new game. Raises BadSetup."""
    time = TimeControl.parse(written)
    if written and (time is None or (time.turn and time.turn not in rules.turn_times)):
        raise BadSetup("time", NO_TIME)
    return time


def _check_known(rules: Rules, new: NewGameDocument) -> None:
    """Raise BadSetup for an option or a seat that the kind of game does not have."""
    known = {f"options.{option.name}" for option in rules.options}
    known |= {f"seating.{spec.key}" for spec in rules.seats(rules.clean(new.options))}
    given = [f"options.{name}" for name in new.options]
    given += [f"seating.{seat}" for seat in new.seating]
    for field in given:
        if field not in known:
            raise BadSetup(field[:100], UNKNOWN)


@api.post("/join", response={200: GameState, **PROBLEMS})
def join(request: HttpRequest, invitation: JoinDocument) -> GameState:
    """Take the seat of an invitation."""
    _check_suspended(request)
    _count(request, SEATS_PER_PLAYER, SEATS_PER_ADDRESS)
    seat = seats.claim_seat(token=invitation.token, player=_token(request).player)
    return _state(request, seat.game_id)


@api.get("/games/{game_id}", response={200: GameState, **PROBLEMS})
def game(request: HttpRequest, game_id: str, seat: str | None = None) -> GameState:
    """Return a game as you see it, from one of your seats if you name it."""
    return _state(request, game_id, seat)


@api.get("/games/{game_id}/export", response={200: GameDocument, **PROBLEMS})
def export(request: HttpRequest, game_id: str) -> GameDocument:
    """Return a game as a file has it, to be kept and imported."""
    snapshot, address = _game(request, game_id), f"{_base(request)}/g/{game_id}/"
    if not snapshot.game.begun:
        raise NotBegun
    return document_of(snapshot, states.perspective_of(_token(request), snapshot), address)


@api.get(
    "/games/{game_id}/events",
    response={**PROBLEMS},
    openapi_extra={"responses": {200: EVENTS}},
)
def events(request: HttpRequest, game_id: str, seat: str | None = None) -> HttpResponse:
    """Follow a game: server-sent events. The first one, “state”, is the game as above, and so is
    each “change” after it. “over” comes last when the game has ended, and “shut” if it is closed to
    you. With the header Last-Event-ID of its last state a game that is over answers 204. Ignore
    events of other names."""
    # Served by `games.api.streams`; here only where nothing streams, as under runserver. A client
    # of events comes again after the time in ``retry``.
    snapshot, token = _game(request, game_id), _token(request)
    program = Program(
        player_id=token.player_id,
        asked=seat,
        language=get_language() or "en",
        token=token,
        base=_base(request),
    )
    body = b"retry: 2000\n\n" + program.event(snapshot).plain["body"]
    body += OVER if snapshot.game.over else b""
    return HttpResponse(body, content_type="text/event-stream")


@api.get("/games/{game_id}/invitations", response={200: list[InvitationDocument], **PROBLEMS})
def invitations(request: HttpRequest, game_id: str) -> list[InvitationDocument]:
    """List the invitations to the empty seats of a game that you host."""
    snapshot = _game(request, game_id)
    _check_suspended(request)
    token = _token(request)
    if snapshot.game.created_by_id != token.player_id:
        raise NotYourSeat
    rows = snapshot.game.seats.exclude(token_salt="").filter(holders__isnull=True)
    return [InvitationDocument(seat=seat.key, token=seats.invitation_token(seat)) for seat in rows]


@api.get("/open-seats", response={200: list[OpenGameDocument], **PROBLEMS})
def open_seats(request: HttpRequest) -> list[OpenGameDocument]:
    """List the games with seats that you may take: those open to everybody, or for a bot those
    open to bots, of the kinds that it plays."""
    _check_suspended(request)
    return [*states.open_games(_token(request).player, _base(request))]


@api.post("/games/{game_id}/seats/{seat}", response={200: GameState, **PROBLEMS})
def take_seat(request: HttpRequest, game_id: str, seat: str) -> GameState:
    """Take an open seat. A bot may take only those that are open to bots."""
    _check_suspended(request)
    if seat not in _game(request, game_id).seating.places:
        raise Http404
    _count(request, SEATS_PER_PLAYER, SEATS_PER_ADDRESS)
    seats.take_listed_seat(game_id=game_id, seat_key=seat, player=_token(request).player)
    return _state(request, game_id)


@api.post("/games/{game_id}/seats/{seat}/hand-over", response={200: GameState, **PROBLEMS})
def hand_over(request: HttpRequest, game_id: str, seat: str, body: HandOverDocument) -> GameState:
    """Let a bot of yours play on from your seat, or take the seat back from it."""
    _check_suspended(request)
    owner = _token(request).player
    own = bots_of(owner).filter(player__public_id=body.to).first()
    to = owner if body.to == "me" else own.player if own else None
    if to is None:
        raise NotYourSeat
    seats.hand_over(game_id=game_id, seat_key=seat, owner=owner, to=to)
    return _state(request, game_id)


def _at(
    request: HttpRequest,
    game_id: str,
    sent: PlayedMoveDocument | ResignDocument | UndoDocument,
) -> dict[str, Any]:
    """Return the arguments with which services act in a game as of the position that was seen."""
    player = _token(request).player
    return {"game_id": game_id, "ply": sent.ply, "undone": sent.undone, "player": player}


@api.post("/games/{game_id}/moves", response={200: GameState, **PROBLEMS})
def move(request: HttpRequest, game_id: str, played: PlayedMoveDocument) -> GameState:
    """Play a move, and return the game after it."""
    _check_suspended(request)
    play.play_move(seat=played.seat, text=played.move, **_at(request, game_id, played))
    return _state(request, game_id, played.seat)


@api.post("/games/{game_id}/resign", response={200: GameState, **PROBLEMS})
def resign(request: HttpRequest, game_id: str, resigned: ResignDocument) -> GameState:
    """Resign a seat."""
    _check_suspended(request)
    play.resign(seat=resigned.seat, **_at(request, game_id, resigned))
    return _state(request, game_id, resigned.seat)


@api.post("/games/{game_id}/undo", response={200: GameState, **PROBLEMS})
def take_back(request: HttpRequest, game_id: str, body: UndoDocument) -> GameState:
    """Take back your last move, or ask the others for it."""
    _check_suspended(request)
    questions.ask(UNDO, **_at(request, game_id, body))
    return _state(request, game_id)


@api.post("/games/{game_id}/questions", response={200: GameState, **PROBLEMS})
def ask(request: HttpRequest, game_id: str, body: AskDocument) -> GameState:
    """Ask the other players for an undo, a draw or a stand-in. It happens at once if nobody has to
    agree, or if you are asked for the same."""
    _check_suspended(request)
    if body.kind == SEAT:
        player = _token(request).player
        seat_requests.ask_for_stand_in(
            game_id=game_id, seat_key=body.seat, player=player, computer=body.computer
        )
    else:
        questions.ask(_about_moves(body.kind), **_at(request, game_id, body))
    return _state(request, game_id)


@api.post("/games/{game_id}/answers", response={200: GameState, **PROBLEMS})
def answer(request: HttpRequest, game_id: str, body: AnswerDocument) -> GameState:
    """Agree to a question or decline it, or end one of your own."""
    _check_suspended(request)
    if body.kind in SEATS:
        seat_requests.answer_request(
            game_id=game_id, player=_token(request).player, agree=body.agree, kind=body.kind
        )
    else:
        board, kind = _at(request, game_id, body), _about_moves(body.kind)
        questions.answer(kind, agree=body.agree, asker=body.asker, **board)
    return _state(request, game_id)


def _about_moves(kind: str) -> str:
    """Return the kind of a question that the players of a game ask. Raises BadSetup."""
    if kind not in KINDS or KINDS[kind].of is None:
        raise BadSetup("kind", NO_QUESTION)
    return kind


@api.post("/games/{game_id}/rematch", response={200: GameState, **PROBLEMS})
def rematch(request: HttpRequest, response: HttpResponse, game_id: str) -> GameState:
    """Offer a rematch or accept it, and return the next game."""
    _check_suspended(request)
    _count(request, GAMES_PER_PLAYER, GAMES_PER_ADDRESS)
    following = rematches.rematch(game_id=game_id, player=_token(request).player)
    response["Location"] = request.build_absolute_uri(f"/api/1/games/{following.id}")
    return _state(request, following.id)


# --- refusals ------------------------------------------------------------------------------


def _refuse(status: int, name: str, sentence: Text, field: str = "") -> HttpResponse:
    return problem_response(problem_of(status, name, sentence, field))


def _name(error: Exception) -> str:
    """Return the name of an error's class in small letters, as ``stale_ply``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()


@api.exception_handler(Refusal)
@api.exception_handler(MoveError)
@api.exception_handler(BadSetup)
@api.exception_handler(Unreadable)
def _refused(
    request: HttpRequest, error: Refusal | MoveError | BadSetup | Unreadable
) -> HttpResponse:
    """Answer with the sentence of an error, and with the latest position if that was missed."""
    status = error.status if isinstance(error, Refusal) else 422
    field = error.option if isinstance(error, BadSetup) else ""
    status, state = 409 if isinstance(error, Unreadable) else status, None
    game_id = request.resolver_match and request.resolver_match.kwargs.get("game_id")
    if status == 409 and game_id:
        with suppress(Unreadable, ClosedToWatchers):
            state = _state(request, game_id)
    return problem_response(problem_of(status, _name(error), error.text, field, state))


@api.exception_handler(ClosedToWatchers)
def _closed(request: HttpRequest, error: ClosedToWatchers) -> HttpResponse:
    return _refuse(403, _name(error), CLOSED)


@api.exception_handler(AuthenticationError)
def _no_token(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    sent = "Authorization" in request.headers
    response = _refuse(401, "no_token", NOT_VALID if sent else NO_TOKEN)
    response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    place = error.errors[0]["loc"] if error.errors else ()
    field = ".".join(str(part) for part in place[2:] or place)
    return _refuse(422, "bad_request", BAD_REQUEST, field[:100])


@api.exception_handler(Game.DoesNotExist)
@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Exception) -> HttpResponse:
    return _refuse(404, "not_found", NOT_FOUND)
