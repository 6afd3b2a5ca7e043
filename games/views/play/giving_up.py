"""Seats that change hands during a game: forms that lead back to the game."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.core.rate_limits import SEATS_PER_ADDRESS, SEATS_PER_PLAYER
from games.core.refusals import Refusal
from games.models import Game, Player
from games.services import giving_up
from games.state.snapshot import GameSnapshot
from games.views.common import count_request, find_game, require_player
from games.views.responses import game_response
from games.web.forms import parse_ply
from games.web.request import HttpRequest


@require_POST
def give_up(request: HttpRequest, game_id: str) -> HttpResponse:
    """Free the visitor's seat for others (``free``), or give it to a computer (``computer``)."""
    computer = request.POST.get("computer", "")

    def act(player: Player) -> GameSnapshot:
        return giving_up.give_up_seat(
            game_id=game_id,
            seat_key=computer or request.POST.get("free", ""),
            player=player,
            computer=bool(computer),
        )

    return _answer(request, game_id, act)


@require_POST
def absent(request: HttpRequest, game_id: str) -> HttpResponse:
    """Remind an absent player, claim the win, or replace the player."""
    ply = parse_ply(request.POST.get("ply", ""))
    undone = parse_ply(request.POST.get("undone", "0"))
    do = request.POST.get("do", "")

    def act(player: Player) -> GameSnapshot:
        if do == "claim":
            return giving_up.claim_win(game_id=game_id, player=player, ply=ply, undone=undone)
        if do == "remind":
            return giving_up.remind_absent(game_id=game_id, player=player, ply=ply, undone=undone)
        return giving_up.replace_absent(
            game_id=game_id, player=player, ply=ply, undone=undone, computer=do == "computer"
        )

    return _answer(request, game_id, act)


def _answer(
    request: HttpRequest, game_id: str, act: Callable[[Player], GameSnapshot]
) -> HttpResponse:
    """Do ``act`` and redirect to the game, whose page then has other links."""
    try:
        count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
        address = act(require_player(request)).game.get_absolute_url()
    except Game.DoesNotExist as error:
        raise Http404 from error
    except Refusal as refused:
        return game_response(request, find_game(request, game_id), refused=refused)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
