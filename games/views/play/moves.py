"""Actions at a board. Each is a POST that answers with the board."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.contract import MoveError, normalize_move
from games.core.rate_limits import (
    GAMES_PER_ADDRESS,
    GAMES_PER_PLAYER,
    MARKS_PER_PLAYER,
    MESSAGES_PER_PLAYER,
)
from games.core.refusals import Refusal
from games.models import Game, Player
from games.services import draws, levels, marks, play, quick_messages
from games.services import rematch as rematch_services
from games.services import undo as undo_services
from games.services.undo import ask_undo
from games.state.snapshot import GameSnapshot
from games.views.common import (
    count_request,
    find_game,
    game_address,
    opened_secret,
    require_player,
)
from games.views.responses import game_response
from games.web.forms import parse_ply
from games.web.last_choices import LastChoices, store_choices
from games.web.request import HttpRequest

Action = Callable[[Player], GameSnapshot]
"""An action of a player at a board, which returns the next snapshot."""


@require_POST
def move(request: HttpRequest, game_id: str) -> HttpResponse:
    """Play the move of the form. Several values are the steps of one move."""

    def act(player: Player) -> GameSnapshot:
        seat = request.POST.get("seat", "")
        text = " ".join(request.POST.getlist("move"))
        ply, undone = _board_of(request)
        if "typed" in request.POST:
            text = _normalize_input(find_game(request, game_id), seat, text, ply)
        return play.play_move(
            game_id=game_id, seat=seat, text=text, ply=ply, undone=undone, player=player
        )

    return _answer(request, game_id, act)


@require_POST
def mark(request: HttpRequest, game_id: str) -> HttpResponse:
    """Mark the move of the form for everybody at the board, or remove the player's mark."""

    def act(player: Player) -> GameSnapshot:
        MARKS_PER_PLAYER.hit(str(player.pk))
        seat, marked = request.POST.get("seat", ""), request.POST.get("mark", "")
        ply, undone = _board_of(request)
        return marks.mark_move(
            game_id=game_id, seat=seat, move=marked, player=player, ply=ply, undone=undone
        )

    return _answer(request, game_id, act)


@require_POST
def level(request: HttpRequest, game_id: str) -> HttpResponse:
    """Set the level of the computers, and remember it for the visitor's next game."""
    chosen = parse_ply(request.POST.get("level", ""))

    def act(player: Player) -> GameSnapshot:
        return levels.change_level(game_id=game_id, player=player, level=chosen)

    response = _answer(request, game_id, act)
    if response.status_code < 400:
        rules = find_game(request, game_id).rules
        store_choices(request, response, rules, LastChoices(level=chosen))
    return response


@require_POST
def resign(request: HttpRequest, game_id: str) -> HttpResponse:
    """Resign the seat of the form."""

    def act(player: Player) -> GameSnapshot:
        seat = request.POST.get("seat", "")
        ply, undone = _board_of(request)
        return play.resign(game_id=game_id, seat=seat, player=player, ply=ply, undone=undone)

    return _answer(request, game_id, act)


@require_POST
def say(request: HttpRequest, game_id: str) -> HttpResponse:
    """Send the message of the form to the other players."""

    def act(player: Player) -> GameSnapshot:
        MESSAGES_PER_PLAYER.hit(str(player.pk))
        seat, word = request.POST.get("seat", ""), request.POST.get("word", "")
        return quick_messages.say(game_id=game_id, seat_key=seat, word=word, player=player)

    return _answer(request, game_id, act)


@require_POST
def offer_draw(request: HttpRequest, game_id: str) -> HttpResponse:
    """Offer a draw to the other side."""

    def act(player: Player) -> GameSnapshot:
        MESSAGES_PER_PLAYER.hit(str(player.pk))
        ply, undone = _board_of(request)
        return draws.offer_draw(game_id=game_id, player=player, ply=ply, undone=undone)

    return _answer(request, game_id, act)


@require_POST
def answer_draw(request: HttpRequest, game_id: str) -> HttpResponse:
    """Accept or decline a draw, or withdraw the offer."""

    def act(player: Player) -> GameSnapshot:
        agree = request.POST.get("agree") == "yes"
        ply, undone = _board_of(request)
        return draws.answer_draw(
            game_id=game_id, player=player, agree=agree, ply=ply, undone=undone
        )

    return _answer(request, game_id, act)


@require_POST
def flag(request: HttpRequest, game_id: str) -> HttpResponse:
    """Check for a fallen flag, when a player's page shows that one has fallen."""

    def act(_player: Player) -> GameSnapshot:
        return play.fall_flag(game_id=find_game(request, game_id).game.id)

    return _answer(request, game_id, act)


@require_POST
def undo(request: HttpRequest, game_id: str) -> HttpResponse:
    """Undo the player's last move, or ask the others to agree."""

    def act(player: Player) -> GameSnapshot:
        ply, undone = _board_of(request)
        return ask_undo(game_id=game_id, player=player, ply=ply, undone=undone)

    return _answer(request, game_id, act)


@require_POST
def answer_undo(request: HttpRequest, game_id: str) -> HttpResponse:
    """Accept or decline an undo request, or cancel one's own."""

    def act(player: Player) -> GameSnapshot:
        agree, asker = request.POST.get("agree") == "yes", request.POST.get("asker", "")
        ply, undone = _board_of(request)
        return undo_services.answer_undo(
            game_id=game_id, player=player, agree=agree, asker=asker, ply=ply, undone=undone
        )

    return _answer(request, game_id, act)


@require_POST
def rematch(request: HttpRequest, game_id: str) -> HttpResponse:
    """Offer a rematch to the same people, or accept it, and redirect to the new game."""
    snapshot = find_game(request, game_id)
    try:
        player = require_player(request)
        if snapshot.rematch is None:
            count_request(request, (GAMES_PER_PLAYER, GAMES_PER_ADDRESS))
        return redirect(rematch_services.rematch(game_id=game_id, player=player))
    except Game.DoesNotExist as error:
        raise Http404 from error
    except Refusal as refused:
        return game_response(request, find_game(request, game_id), refused=refused)


def _normalize_input(snapshot: GameSnapshot, seat: str, typed: str, ply: int) -> str:
    """Return a typed move in the notation of the rules. It is read on the board of the form's ply,
    so that the same form sent twice has the same meaning. If the game has no such ply, the move
    stays as typed, and is refused as stale."""
    if not 0 <= ply <= snapshot.game.ply:
        return typed
    return normalize_move(snapshot.at(ply), seat, typed)


def _board_of(request: HttpRequest) -> tuple[int, int]:
    """Return the ply of the form's board, and the number of undos before it."""
    sent = request.POST
    return parse_ply(sent.get("ply", "")), parse_ply(sent.get("undone", "0"))


def _answer(request: HttpRequest, game_id: str, act: Action) -> HttpResponse:
    """Do ``act``, and answer with the board for htmx or a redirect to the game for others."""
    try:
        snapshot = act(require_player(request))
    except Game.DoesNotExist as error:
        raise Http404 from error
    except MoveError as refused:
        # The board has not changed since the form was made, so a half-chosen move is still valid.
        chosen = request.POST.get("chosen")
        return game_response(request, find_game(request, game_id), refused=refused, chosen=chosen)
    except Refusal as refused:
        return game_response(request, find_game(request, game_id), refused=refused)
    if request.htmx and not opened_secret(request, snapshot):
        return game_response(request, snapshot)
    # Load a new page, because the address of the old one would show the secrets again.
    address = game_address(request, snapshot)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
