"""Seats that change hands during a game: forms that lead back to the game."""

from __future__ import annotations

from games.core.rate_limits import SEATS_PER_ADDRESS, SEATS_PER_PLAYER
from games.models import Player
from games.services import giving_up
from games.services.absences import freeing
from games.state.snapshot import GameSnapshot
from games.views.common import count_request
from games.views.play.actions import board_of, player_action, with_page
from games.web.request import HttpRequest


@player_action(with_page)
def give_up(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Free the visitor's seat for others (``free``), or give it to a computer (``computer``)."""
    count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
    computer = request.POST.get("computer", "")
    return giving_up.give_up_seat(
        game_id=game_id,
        seat_key=computer or request.POST.get("free", ""),
        player=player,
        computer=bool(computer),
    )


@player_action(with_page)
def absent(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Remind an absent player, claim the win, or replace the player."""
    count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
    do, (ply, undone) = request.POST.get("do", ""), board_of(request)
    if do == "claim":
        return giving_up.claim_win(game_id=game_id, player=player, ply=ply, undone=undone)
    if do == "remind":
        return giving_up.remind_absent(game_id=game_id, player=player, ply=ply, undone=undone)
    return giving_up.replace_absent(
        game_id=game_id, player=player, ply=ply, undone=undone, computer=do == "computer"
    )


@player_action(with_page)
def ask_to_free(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Ask the others to free the seat ``away``, whose player is not there."""
    count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
    return freeing.ask_to_free(
        game_id=game_id, seat_key=request.POST.get("away", ""), player=player
    )


@player_action(with_page)
def answer_freeing(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Agree that a seat is freed, or decline or cancel the request."""
    agree = request.POST.get("agree") == "yes"
    return freeing.answer_freeing(game_id=game_id, player=player, agree=agree)
