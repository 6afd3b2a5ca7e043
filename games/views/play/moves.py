"""Actions at a board, its names and watchers, and seats that change hands. Each is a POST that
answers with the board, which `games.presentation.game_page` renders, or leads to its page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.contract import MoveError, normalize_move
from games.core.rate_limits import (
    GAMES,
    MARKS_PER_PLAYER,
    MESSAGES_PER_PLAYER,
    NAMES_PER_PLAYER,
    SEATS,
)
from games.core.refusals import Refusal
from games.models import Game, Player
from games.services import absence, computers, marks, play, players, questions, seat_changes
from games.services import rematch as rematch_services
from games.services.lobby import close_to_watchers
from games.state.questions import DRAW, NEWCOMER, SEAT, UNDO, VOID
from games.state.snapshot import GameSnapshot
from games.views.common import (
    count_request,
    find_game,
    game_address,
    held_seats,
    opened_secret,
    require_player,
)
from games.views.responses import board_response, game_response
from games.web.preferences import LastChoices, store_choices
from games.web.request import HttpRequest, parse_ply

Changed = TypeVar("Changed")
Action = Callable[[HttpRequest, str, Player], Changed]
"""An action of a player in the game of an address, which returns the changed game."""
Answer = Callable[[HttpRequest, Changed], HttpResponse]
View = Callable[[HttpRequest, str], HttpResponse]


def player_action(answer: Answer[Changed]) -> Callable[[Action[Changed]], View]:
    """Make a view of an action: a POST that is answered by ``answer``, or by the board with the
    refusal. Raises Http404 if there is no such game."""

    def decorate(act: Action[Changed]) -> View:
        @require_POST
        @wraps(act)
        def view(request: HttpRequest, game_id: str) -> HttpResponse:
            try:
                changed = act(request, game_id, require_player(request))
            except Game.DoesNotExist as error:
                raise Http404 from error
            except (MoveError, Refusal) as refused:
                # After an illegal move the board is as before, and so is a half-chosen move.
                chosen = request.POST.get("chosen") if isinstance(refused, MoveError) else None
                snapshot = find_game(request, game_id)
                return game_response(request, snapshot, refused=refused, chosen=chosen)
            return answer(request, changed)

        return view

    return decorate


def with_board(request: HttpRequest, snapshot: GameSnapshot) -> HttpResponse:
    if request.htmx and not opened_secret(request, snapshot):
        return board_response(request, snapshot)
    # Load a new page, because the address of the old one would show the secrets again.
    return with_page(request, snapshot)


def with_page(request: HttpRequest, snapshot: GameSnapshot) -> HttpResponse:
    """Lead the browser to the game's page, which then has other links."""
    address = game_address(request, snapshot)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def board_of(request: HttpRequest, game_id: str, player: Player) -> dict[str, Any]:
    """Return the arguments with which services act for a player on the board of the form."""
    ply, undone = request.POST.get("ply", ""), request.POST.get("undone", "0")
    board = {"ply": parse_ply(ply), "undone": parse_ply(undone)}
    return {"game_id": game_id, "player": player, **board}


@player_action(with_board)
def move(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Play the move of the form. Several values are the steps of one move."""
    seat, board = request.POST.get("seat", ""), board_of(request, game_id, player)
    text = " ".join(request.POST.getlist("move"))
    number: int | None = parse_ply(request.POST.get("mark", ""))
    if "typed" in request.POST:
        text = _normalize_input(find_game(request, game_id), seat, text, board["ply"])
        number = None
    return play.play_move(seat=seat, text=text, mark=number, **board)


@player_action(with_board)
def mark(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    MARKS_PER_PLAYER.hit(str(player.pk))
    seat, marked = request.POST.get("seat", ""), request.POST.get("mark", "")
    snapshot = marks.mark_move(seat=seat, move=marked, **board_of(request, game_id, player))
    absence.note_visit(snapshot, player.pk)
    return snapshot


@require_POST
def level(request: HttpRequest, game_id: str) -> HttpResponse:
    """Set the level of the computers, and remember it for the visitor's next game."""
    response = _change_level(request, game_id)
    if response.status_code < 400:
        rules, chosen = find_game(request, game_id).rules, _chosen_level(request)
        store_choices(request, response, rules, LastChoices(level=chosen))
    return response


@player_action(with_board)
def _change_level(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    return computers.change_level(game_id=game_id, player=player, level=_chosen_level(request))


def _chosen_level(request: HttpRequest) -> int:
    return parse_ply(request.POST.get("level", ""))


@player_action(with_board)
def resign(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    seat = request.POST.get("seat", "")
    return play.resign(seat=seat, **board_of(request, game_id, player))


@player_action(with_board)
def say(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Send the message of the form to the other players."""
    MESSAGES_PER_PLAYER.hit(str(player.pk))
    seat, word = request.POST.get("seat", ""), request.POST.get("word", "")
    return marks.say(game_id=game_id, seat_key=seat, word=word, player=player)


@player_action(with_board)
def offer_draw(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Offer a draw, or ask to call the game off."""
    MESSAGES_PER_PLAYER.hit(str(player.pk))
    return questions.ask(_draw_or_void(request), **board_of(request, game_id, player))


@player_action(with_board)
def answer_draw(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Accept or decline a draw or the end of the game, or withdraw the question."""
    agree, kind = request.POST.get("agree") == "yes", _draw_or_void(request)
    return questions.answer(kind, agree=agree, **board_of(request, game_id, player))


def _draw_or_void(request: HttpRequest) -> str:
    return VOID if request.GET.get("of") == VOID else DRAW


@player_action(with_board)
def flag(request: HttpRequest, game_id: str, _player: Player) -> GameSnapshot:
    """Check for a fallen flag, when a player's page shows that one has fallen."""
    return play.fall_flag(game_id=find_game(request, game_id).game.id)


@player_action(with_board)
def undo(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Undo the player's last move, or ask the others to agree."""
    return questions.ask(UNDO, **board_of(request, game_id, player))


@player_action(with_board)
def answer_undo(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Accept or decline an undo request, or cancel one's own."""
    agree, asker = request.POST.get("agree") == "yes", request.POST.get("asker", "")
    board = board_of(request, game_id, player)
    return questions.answer(UNDO, agree=agree, asker=asker, **board)


def _redirect(_request: HttpRequest, game: Game) -> HttpResponse:
    return redirect(game)


@player_action(_redirect)
def rematch(request: HttpRequest, game_id: str, player: Player) -> Game:
    """Offer a rematch or accept it, with a new ``level``, and lead to the game."""
    if find_game(request, game_id).rematch is None:
        count_request(request, GAMES)
    sent = request.POST.get("level")
    level = parse_ply(sent) if sent else None
    return rematch_services.rematch(game_id=game_id, player=player, level=level)


def _normalize_input(snapshot: GameSnapshot, seat: str, typed: str, ply: int) -> str:
    """Return a typed move in the notation of the rules. It is read on the board of the form's ply,
    so that the same form sent twice has the same meaning. If the game has no such ply, the move
    stays as typed, and is refused as stale."""
    if not 0 <= ply <= snapshot.game.ply:
        return typed
    return normalize_move(snapshot.at(ply), seat, typed)


@player_action(with_page)
def name_seats(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Name the people on the visitor's seats, by the fields ``name-<seat>``."""
    seats = held_seats(request, find_game(request, game_id))
    sent = {key: request.POST.get(f"name-{key}") for key in seats}
    names = {key: name for key, name in sent.items() if name is not None}
    NAMES_PER_PLAYER.hit(str(player.pk))
    return players.name_seats(game_id=game_id, player=player, names=names)


@player_action(with_page)
def watchers(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Close a game to watchers, or with ``watchers=open`` open it again. Redirect to its page,
    which loses or gains the link for watchers."""
    find_game(request, game_id)
    count_request(request, SEATS)
    closed = request.POST.get("watchers") != "open"
    return close_to_watchers(game_id=game_id, player=player, closed=closed)


@player_action(with_page)
def give_up(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Free the visitor's seat for others (``free``), or give it to a computer (``computer``)."""
    count_request(request, SEATS)
    computer = request.POST.get("computer", "")
    return seat_changes.give_up_seat(
        game_id=game_id,
        seat_key=computer or request.POST.get("free", ""),
        player=player,
        computer=bool(computer),
    )


@player_action(with_page)
def absent(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Remind an absent player, claim the win, or replace the player."""
    count_request(request, SEATS)
    act = absence.ACTS.get(request.POST.get("do", ""), absence.replace_absent)
    return act(**board_of(request, game_id, player))


@player_action(with_page)
def ask_to_free(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Ask the others to free the seat ``away`` of an absent player, or for a computer."""
    count_request(request, SEATS)
    return seat_changes.ask_for_stand_in(
        game_id=game_id,
        seat_key=request.POST.get("away", ""),
        player=player,
        computer=request.GET.get("for") == "computer",
    )


@player_action(with_page)
def answer_freeing(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Agree to the request of a newcomer or a player for a seat, or decline or cancel it."""
    return seat_changes.answer_request(
        game_id=game_id,
        player=player,
        agree=request.POST.get("agree") == "yes",
        kind=NEWCOMER if request.GET.get("of") == NEWCOMER else SEAT,
    )


@player_action(with_page)
def take_back(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Return to the seats of stand-ins; with ``both`` beside oneself in another browser."""
    return seat_changes.take_back(game_id=game_id, player=player, both="both" in request.POST)
