"""Seats that change hands during a game: forms that lead back to the game."""

from __future__ import annotations

from games.core.rate_limits import SEATS_PER_ADDRESS, SEATS_PER_PLAYER
from games.models import Player
from games.services import seat_changes, seat_requests
from games.state.questions import NEWCOMER, SEAT
from games.state.snapshot import GameSnapshot
from games.views.common import count_request
from games.views.play.moves import board_of, player_action, with_page
from games.web.request import HttpRequest


@player_action(with_page)
def give_up(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Free the visitor's seat for others (``free``), or give it to a computer (``computer``)."""
    count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
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
    count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
    do, (ply, undone) = request.POST.get("do", ""), board_of(request)
    if do == "claim":
        return seat_changes.claim_win(game_id=game_id, player=player, ply=ply, undone=undone)
    if do == "remind":
        return seat_changes.remind_absent(game_id=game_id, player=player, ply=ply, undone=undone)
    return seat_changes.replace_absent(
        game_id=game_id, player=player, ply=ply, undone=undone, computer=do == "computer"
    )


@player_action(with_page)
def ask_to_free(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Ask the others to free the seat ``away``, whose player is not there, or to let a computer
    play."""
    count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
    return seat_requests.ask_for_stand_in(
        game_id=game_id,
        seat_key=request.POST.get("away", ""),
        player=player,
        computer=request.GET.get("for") == "computer",
    )


@player_action(with_page)
def answer_freeing(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Agree to the request for a seat, or decline or cancel it: to that of a newcomer or to that of
    a player."""
    return seat_requests.answer_request(
        game_id=game_id,
        player=player,
        agree=request.POST.get("agree") == "yes",
        kind=NEWCOMER if request.GET.get("of") == NEWCOMER else SEAT,
    )


@player_action(with_page)
def take_back(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Return to the seats on which stand-ins sit; with ``both`` beside oneself in another
    browser."""
    return seat_changes.take_back(game_id=game_id, player=player, both="both" in request.POST)
