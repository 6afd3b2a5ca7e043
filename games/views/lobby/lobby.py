"""The lobby of a game, to which one link invites a group, and where people take and change seats.

A GET changes nothing: previews in messengers must not take seats."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games.core.rate_limits import SEATS_PER_ADDRESS, SEATS_PER_PLAYER
from games.core.refusals import Begun, Refusal
from games.models import Game, Player
from games.services import lobby
from games.state.snapshot import GameSnapshot
from games.views.common import (
    check_suspended,
    count_request,
    find_game,
    held_seats,
    note_visit,
    read_game,
    require_player,
    with_player,
)
from games.views.lobby_page import (
    invitation_spent,
    lobby_address,
    lobby_response,
    newest_invitation,
)
from games.views.responses import qr_code
from games.web.request import HttpRequest

SEATS = (SEATS_PER_PLAYER, SEATS_PER_ADDRESS)


@cache_control(no_store=True)
@require_safe
def code(request: HttpRequest, token: str) -> HttpResponse:
    if lobby.game_of_lobby(token[:64]) is None:
        raise Http404
    return qr_code(request.build_absolute_uri(reverse("invite", args=[token])))


@cache_control(no_store=True)
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, token: str) -> HttpResponse:
    """Show the lobby (GET), and take the ``seat`` of the form, or only change the ``name`` (POST).

    Once the game has begun, its players are redirected to the board, and so is everybody if no seat
    is free; once it has a rematch, everybody is invited to that."""
    found = lobby.game_of_lobby(token[:64])
    if found is None:
        return invitation_spent(request, token[:64])
    snapshot = read_game(found.pk)
    if request.method == "POST":
        return _sit(request, snapshot)
    if newest := newest_invitation(snapshot.game):
        return redirect(newest)
    snapshot = note_visit(request, snapshot)
    if snapshot.game.begun and _only_watches(request, snapshot):
        return redirect(snapshot.game)
    return lobby_response(request, snapshot, invited=True)


def _only_watches(request: HttpRequest, snapshot: GameSnapshot) -> bool:
    free = any(lobby.is_free(snapshot, spec.key) for spec in snapshot.specs)
    return bool(held_seats(request, snapshot)) or not free or snapshot.game.over


def _sit(request: HttpRequest, snapshot: GameSnapshot) -> HttpResponse:
    key, is_new = request.POST.get("seat", ""), request.get_player() is None
    if key and key not in snapshot.seating.places:
        raise Http404

    def take(player: Player) -> str:
        if key:
            lobby.sit_down(game_id=snapshot.game.id, seat_key=key, player=player)
        return lobby_address(read_game(snapshot.game.id))

    try:
        count_request(request, SEATS)
        address = with_player(request, take, request.POST.get("name", ""))
    except Refusal as refused:
        return lobby_response(request, read_game(snapshot.game.id), invited=True, refused=refused)
    # A page that was loaded without a player is loaded again: its stream stays that of a guest, and
    # for a closed game it has none.
    return _answer(request, snapshot.game.id, address, reload=is_new or snapshot.game.closed)


@require_POST
def begin(request: HttpRequest, game_id: str) -> HttpResponse:
    """Start the game, as its host, or as a player while the host is away."""
    return _act(request, game_id, lobby.begin)


@require_POST
def shuffle(request: HttpRequest, game_id: str) -> HttpResponse:
    """Give everybody a random seat, as the host."""
    return _act(request, game_id, lobby.shuffle)


@require_POST
def stand_up(request: HttpRequest, game_id: str) -> HttpResponse:
    return _act(request, game_id, lobby.stand_up)


@require_POST
def hand_over_host(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make the person on the seat named by the field ``host`` the host of the lobby."""
    key = request.POST.get("host", "")
    if key not in find_game(request, game_id).seating.places:
        raise Http404
    return _act(request, game_id, partial(lobby.hand_over_host, seat_key=key))


@require_POST
def free_seat(request: HttpRequest, game_id: str) -> HttpResponse:
    """Free the seat of the ``person`` of the form, as the host."""
    person = request.POST.get("person", "")
    return _act(request, game_id, partial(lobby.free_seat, person=person))


def _act(request: HttpRequest, game_id: str, service: Callable[..., Any]) -> HttpResponse:
    try:
        count_request(request, SEATS)
        check_suspended(request)
        service(game_id=find_game(request, game_id).game.id, player=require_player(request))
    except Game.DoesNotExist as error:
        raise Http404 from error
    except Begun:
        # Another request was faster.
        pass
    except Refusal as refused:
        return lobby_response(request, find_game(request, game_id), refused=refused)
    return _answer(request, game_id, lobby_address(read_game(game_id)), reload=False)


def _answer(request: HttpRequest, game_id: str, address: str, *, reload: bool) -> HttpResponse:
    """Return the lobby for htmx, and otherwise redirect to its page. If the game has begun, the
    page is loaded anew in either case."""
    snapshot = read_game(game_id)
    if not request.htmx:
        return redirect(address)
    if reload or snapshot.game.begun:
        return HttpResponseClientRedirect(address)
    return lobby_response(request, snapshot, invited=True)
