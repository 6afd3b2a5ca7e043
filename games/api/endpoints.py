"""The endpoints of the API. They call the same services as the pages, and refuse alike."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from ninja import Header, Status
from pydantic import AwareDatetime

from games.api import states
from games.api.base import api as api
from games.api.base import check_suspended, count_request, game_of, site_of, state_for, token_of
from games.api.documents import (
    AbsentDocument,
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
from games.api.streams import OVER, Program
from games.contract import BadSetup, Rules, text
from games.core.clocks import TimeControl
from games.core.rate_limits import COMPUTER_GAMES_PER_ADDRESS, GAMES, SEATS
from games.core.refusals import NotBegun, NotYourSeat
from games.core.registry import all_rules
from games.models import Game
from games.people.bots import bots_of
from games.presentation.documents import GameDocument, document_of
from games.services import absence, play, questions, seat_changes, seats, setup
from games.services import rematch as rematches
from games.services.packs import dealing
from games.services.tokens import repeated_id
from games.state import lists
from games.state.questions import MOVES, NEWCOMER, SEAT, UNDO
from games.state.replay import Unreadable
from games.state.seat_rights import seat_rights
from games.state.snapshot import read_snapshot
from games.web.client_address import client_address, lister_of, origin_of

NO_TIME = text("This game can’t be played with that clock.")
NO_QUESTION = text("There is no such question to the other players.")
UNKNOWN = text("This kind of game has no such option or seat.")

EVENTS = {"description": "OK", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=200)]


@api.get("/kinds", response=list[KindDocument], auth=None)
def kinds(request: HttpRequest) -> list[KindDocument]:
    """List the kinds of game with their options and seats. It needs no token."""
    return [*states.kinds()]


@api.get("/games", response=list[ListedGameDocument])
def own_games(request: HttpRequest) -> list[ListedGameDocument]:
    """List your games that are running."""
    token = token_of(request)
    return [*states.listed(token, lists.running_games(token.player), site_of(request))]


@api.get("/games/finished", response=FinishedDocument)
def finished_games(
    request: HttpRequest, before: str = "", since: AwareDatetime | None = None
) -> FinishedDocument:
    """List your games that are finished, the last ended first: those after “before”, the end of the
    page before, that have ended at “since” or later."""
    token, now = token_of(request), timezone.now()
    page = lists.finished_page(token.player, older=before, since=since)
    return FinishedDocument(
        games=[*states.listed(token, page.games, site_of(request))],
        older=page.older or None,
        now=now,
    )


@api.post("/games", response={201: GameState})
def create(
    request: HttpRequest, response: HttpResponse, new: NewGameDocument, key: Key = ""
) -> Status[GameState]:
    """Create a game. Its address here is in the header Location. The same request with the same
    header Idempotency-Key makes one game, however often it is sent."""
    token = token_of(request)
    game_id = repeated_id(token.player_id, key and f"{key} {new.model_dump_json()}")
    if game_id and Game.objects.filter(pk=game_id).exists():
        return _created(request, response, game_id)
    rules = all_rules().get(new.kind)
    if rules is None:
        raise Http404
    _check_known(rules, new)
    count_request(request, GAMES)
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
        here = {"origin": origin_of(request), "lister": lister_of(request)}
        game = setup.start_game(player=token.player, plan=plan, **here, game_id=game_id)
    return _created(request, response, game.id)


def _created(request: HttpRequest, response: HttpResponse, game_id: str) -> Status[GameState]:
    response["Location"] = request.build_absolute_uri(f"/api/1/games/{game_id}")
    return Status(201, state_for(request, game_id))


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


@api.post("/join", response=GameState)
def join(request: HttpRequest, invitation: JoinDocument) -> GameState:
    """Take the seat of an invitation."""
    count_request(request, SEATS)
    seat = seats.claim_seat(token=invitation.token, player=token_of(request).player)
    return state_for(request, seat.game_id)


@api.get("/games/{game_id}", response=GameState)
def game(request: HttpRequest, game_id: str, seat: str | None = None) -> GameState:
    """Return a game as you see it, from one of your seats if you name it."""
    return state_for(request, game_id, seat)


@api.get("/games/{game_id}/export", response=GameDocument)
def export(request: HttpRequest, game_id: str) -> GameDocument:
    """Return a game as a file has it, to be kept and imported."""
    snapshot, address = game_of(request, game_id), f"{site_of(request)}/g/{game_id}/"
    if not snapshot.game.begun:
        raise NotBegun
    return document_of(snapshot, states.perspective_of(token_of(request), snapshot), address)


@api.get("/games/{game_id}/events", openapi_extra={"responses": {200: EVENTS}})
def events(request: HttpRequest, game_id: str, seat: str | None = None) -> HttpResponse:
    """Follow a game: server-sent events. The first one, “state”, is the game as above, and so is
    each “change” after it. “over” comes last when the game has ended, and “shut” if it is closed to
    you. With the header Last-Event-ID of its last state a game that is over answers 204. Ignore
    events of other names."""
    # Served by `games.api.streams`; here only where nothing streams, as under runserver. A client
    # of events comes again after the time in ``retry``.
    snapshot = game_of(request, game_id)
    body = b"retry: 2000\n\n" + _program(request, seat).event(snapshot).plain["body"]
    body += OVER if snapshot.game.over else b""
    return HttpResponse(body, content_type="text/event-stream")


@api.get("/events", openapi_extra={"responses": {200: EVENTS}})
def all_events(request: HttpRequest) -> HttpResponse:
    """Follow all that happens to you: server-sent events “state”, each a game as above, of your
    running games and those that begin, up to their end and their rematch. Come again when the
    stream ends; games that ended meanwhile are listed by “since”."""
    # As above, where nothing streams.
    token, body = token_of(request), b"retry: 2000\n\n"
    for game_id in lists.running_versions(token.player_id):
        with suppress(Unreadable, Game.DoesNotExist):
            body += _program(request, None).event(read_snapshot(game_id)).plain["body"]
    return HttpResponse(body, content_type="text/event-stream")


def _program(request: HttpRequest, seat: str | None) -> Program:
    token, language = token_of(request), get_language() or "en"
    return Program(token.player_id, seat, language=language, token=token, base=site_of(request))


@api.get("/games/{game_id}/invitations", response=list[InvitationDocument])
def invitations(request: HttpRequest, game_id: str) -> list[InvitationDocument]:
    """List the invitations to the empty seats of a game that you host."""
    snapshot = game_of(request, game_id)
    check_suspended(token_of(request))
    token = token_of(request)
    if snapshot.game.created_by_id != token.player_id:
        raise NotYourSeat
    rows = snapshot.game.seats.exclude(token_salt="").filter(holders__isnull=True)
    return [InvitationDocument(seat=seat.key, token=seats.invitation_token(seat)) for seat in rows]


@api.get("/open-seats", response=list[OpenGameDocument])
def open_seats(request: HttpRequest) -> list[OpenGameDocument]:
    """List the games with seats that you may take: those open to everybody, or for a bot those
    open to bots, of the kinds that it plays."""
    check_suspended(token_of(request))
    return [*states.open_games(token_of(request).player, site_of(request), lister_of(request))]


@api.post("/games/{game_id}/seats/{seat}", response=GameState)
def take_seat(request: HttpRequest, game_id: str, seat: str) -> GameState:
    """Take one of the “free_seats”: a seat that is open, your own that others gave to a stand-in,
    or one of a rematch. A bot may take only those open seats that are open to bots."""
    snapshot, player = game_of(request, game_id), token_of(request).player
    if seat not in snapshot.seating.places:
        raise Http404
    count_request(request, SEATS)
    if seat in [claim.seat for claim in seat_rights(snapshot, player.pk).returns]:
        seat_changes.take_back(game_id=game_id, player=player)
    else:
        seats.take_free_seat(game_id=game_id, seat_key=seat, player=player)
    return state_for(request, game_id)


@api.post("/games/{game_id}/seats/{seat}/hand-over", response=GameState)
def hand_over(request: HttpRequest, game_id: str, seat: str, body: HandOverDocument) -> GameState:
    """Let a bot of yours play on from your seat, or take the seat back from it."""
    owner = token_of(request).player
    own = bots_of(owner).filter(player__public_id=body.to).first()
    to = owner if body.to == "me" else own.player if own else None
    if to is None:
        raise NotYourSeat
    seats.hand_over(game_id=game_id, seat_key=seat, owner=owner, to=to)
    return state_for(request, game_id)


def _at(
    request: HttpRequest, game_id: str, sent: PlayedMoveDocument | ResignDocument | UndoDocument
) -> dict[str, Any]:
    """Return the arguments with which services act in a game as of the position that was seen."""
    player = token_of(request).player
    return {"game_id": game_id, "ply": sent.ply, "undone": sent.undone, "player": player}


@api.post("/games/{game_id}/moves", response=GameState)
def move(request: HttpRequest, game_id: str, played: PlayedMoveDocument) -> GameState:
    """Play a move, and return the game after it."""
    play.play_move(seat=played.seat, text=played.move, **_at(request, game_id, played))
    return state_for(request, game_id, played.seat)


@api.post("/games/{game_id}/resign", response=GameState)
def resign(request: HttpRequest, game_id: str, resigned: ResignDocument) -> GameState:
    """Resign a seat."""
    play.resign(seat=resigned.seat, **_at(request, game_id, resigned))
    return state_for(request, game_id, resigned.seat)


@api.post("/games/{game_id}/undo", response=GameState)
def take_back(request: HttpRequest, game_id: str, body: UndoDocument) -> GameState:
    """Take back your last move, or ask the others for it."""
    questions.ask(UNDO, **_at(request, game_id, body))
    return state_for(request, game_id)


@api.post("/games/{game_id}/questions", response=GameState)
def ask(request: HttpRequest, game_id: str, body: AskDocument) -> GameState:
    """Ask the other players for an undo, a draw or a stand-in, or to call the game off, so that it
    counts for nobody. It happens at once if nobody has to agree, or if you are asked for the
    same."""
    if body.kind == SEAT:
        player = token_of(request).player
        seat_changes.ask_for_stand_in(
            game_id=game_id, seat_key=body.seat, player=player, computer=body.computer
        )
    else:
        questions.ask(_about_moves(body.kind), **_at(request, game_id, body))
    return state_for(request, game_id)


@api.post("/games/{game_id}/answers", response=GameState)
def answer(request: HttpRequest, game_id: str, body: AnswerDocument) -> GameState:
    """Agree to a question or decline it, or end one of your own."""
    if body.kind in {SEAT, NEWCOMER}:
        seat_changes.answer_request(
            game_id=game_id, player=token_of(request).player, agree=body.agree, kind=body.kind
        )
    else:
        board, kind = _at(request, game_id, body), _about_moves(body.kind)
        questions.answer(kind, agree=body.agree, asker=body.asker, **board)
    return state_for(request, game_id)


def _about_moves(kind: str) -> str:
    """Return the kind of a question that the players of a game ask. Raises BadSetup."""
    if kind not in MOVES:
        raise BadSetup("kind", NO_QUESTION)
    return kind


@api.post("/games/{game_id}/absent", response=GameState)
def absent(request: HttpRequest, game_id: str, body: AbsentDocument) -> GameState:
    """Remind the players of the seats in “absent”, claim the win, free their seats, or let a
    computer play for them."""
    count_request(request, SEATS)
    absence.ACTS[body.do](**_at(request, game_id, body))
    return state_for(request, game_id)


@api.post("/games/{game_id}/rematch", response=GameState)
def rematch(request: HttpRequest, response: HttpResponse, game_id: str) -> GameState:
    """Offer a rematch or accept it, and return the next game."""
    count_request(request, GAMES)
    following = rematches.rematch(game_id=game_id, player=token_of(request).player)
    response["Location"] = request.build_absolute_uri(f"/api/1/games/{following.id}")
    return state_for(request, following.id)
