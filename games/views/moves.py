"""What is done at a table: each a POST that answers with the board."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games import services
from games.contract import MoveError, normalize_move
from games.models import Game, Move, Player
from games.move_list import parse_ply
from games.presentation.game_page import seats_of
from games.rate_limits import GAMES_PER_ADDRESS, GAMES_PER_PLAYER
from games.refusals import Refusal
from games.replay import position_at
from games.views.common import (
    find_game,
    game_address,
    opened_secret,
    require_player,
    show,
    spend,
)

Act = Callable[[Player], Game | services.Played]
"""What somebody does at a table; it gives the game as it then is."""


@require_POST
def move(request: HttpRequest, game_id: str) -> HttpResponse:
    """Play the move of the form; steps sent as several values are one move."""

    def act(player: Player) -> services.Played:
        seat = request.POST.get("seat", "")
        text = " ".join(request.POST.getlist("move"))
        ply, undone = _board_of(request)
        if "typed" in request.POST:
            text = _normalize_input(find_game(game_id), seat, text, ply)
        return services.play_move(
            game_id=game_id, seat=seat, text=text, ply=ply, undone=undone, player=player
        )

    return board_response(request, game_id, act)


@require_POST
def resign(request: HttpRequest, game_id: str) -> HttpResponse:
    """Give up the seat of the form."""

    def act(player: Player) -> services.Played:
        seat = request.POST.get("seat", "")
        ply, undone = _board_of(request)
        return services.resign(game_id=game_id, seat=seat, player=player, ply=ply, undone=undone)

    return board_response(request, game_id, act)


@require_POST
def undo(request: HttpRequest, game_id: str) -> HttpResponse:
    """Take the last move back, or ask for it."""

    def act(player: Player) -> Game:
        ply, undone = _board_of(request)
        return services.ask_undo(game_id=game_id, player=player, ply=ply, undone=undone)

    return board_response(request, game_id, act)


@require_POST
def answer_undo(request: HttpRequest, game_id: str) -> HttpResponse:
    """Agree that a move is taken back, or not."""

    def act(player: Player) -> Game:
        agree, asker = request.POST.get("agree") == "yes", request.POST.get("asker", "")
        ply, undone = _board_of(request)
        return services.answer_undo(
            game_id=game_id, player=player, agree=agree, asker=asker, ply=ply, undone=undone
        )

    return board_response(request, game_id, act)


@require_POST
def rematch(request: HttpRequest, game_id: str) -> HttpResponse:
    """Play the same again, and go there."""
    game = find_game(game_id)
    try:
        player = require_player(request)
        known = game.next_game if seats_of(game, player) else None
        again = known or _play_again(request, game, player)
    except Game.DoesNotExist as error:
        raise Http404 from error
    except Refusal as refused:
        return show(request, find_game(game_id), refused=refused)
    return redirect(again)


def _play_again(request: HttpRequest, game: Game, player: Player) -> Game:
    spend(request, (GAMES_PER_PLAYER, GAMES_PER_ADDRESS))
    return services.rematch(game=game, player=player)


def _normalize_input(game: Game, seat: str, typed: str, ply: int) -> str:
    """What was typed, as the rules write it: on the board it was typed for, so that the same form
    sent twice says the same. As it is, where that board is not to be had: then it is stale."""
    try:
        return normalize_move(position_at(game, ply), seat, typed)
    except Move.DoesNotExist:
        return typed


def _board_of(request: HttpRequest) -> tuple[int, int]:
    """Which board the form was on: how many moves it had, and how often some were taken back."""
    sent = request.POST
    return parse_ply(sent.get("ply", "")), parse_ply(sent.get("undone", "0"))


def board_response(request: HttpRequest, game_id: str, act: Act) -> HttpResponse:
    """Guard, act, answer: the board for htmx, the game's address for everybody else."""
    try:
        done = act(require_player(request))
    except Game.DoesNotExist as error:
        raise Http404 from error
    except MoveError as refused:
        # On the board that it was made for, so what was chosen of another move still stands.
        chosen = request.POST.get("chosen")
        return show(request, find_game(game_id), refused=refused, chosen=chosen)
    except Refusal as refused:
        return show(request, find_game(game_id), refused=refused)
    game, position = (
        (done.game, done.position) if isinstance(done, services.Played) else (done, None)
    )
    if request.htmx and not opened_secret(request, game):
        return show(request, game, position=position)
    # A whole new page, for the old one's address would open the secret again.
    address = game_address(request, game)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
