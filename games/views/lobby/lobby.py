"""Taking a seat: in the lobby, to which one link invites a group and where people change seats; by
the link of a seat; or by moving one's own to another device.

A GET changes nothing: previews in messengers must not take seats, nor use invitations up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django_htmx.http import HttpResponseClientRedirect

from games.core.rate_limits import SEATS
from games.core.refusals import Begun, GameEnded, Refusal, SeatTaken
from games.models import Player, Seat
from games.presentation.sharing import invitation_preview
from games.services import lobby, seat_changes, seats
from games.services.seeking import withdraw
from games.state.seat_rights import LOST, OWN, SeatRights, seat_rights
from games.state.snapshot import GameSnapshot
from games.views.common import (
    asked_seat,
    check_suspended,
    find_game,
    form_action,
    held_seats,
    note_visit,
    read_game,
    require_player,
    show_page,
    with_player,
)
from games.views.responses import (
    game_response,
    invitation_spent,
    lobby_address,
    lobby_response,
    newest_invitation,
    qr_code,
)
from games.web.client_address import origin_of
from games.web.request import HttpRequest

code = qr_code("invite", lobby.game_of_lobby)
seat_code = qr_code("join", seats.seat_of_token)


def _lobby(request: HttpRequest, token: str) -> HttpResponse:
    found = lobby.game_of_lobby(token[:64])
    if found is None:
        return invitation_spent(request, token[:64])
    snapshot = read_game(found.pk)
    if newest := newest_invitation(snapshot.game):
        return redirect(newest)
    snapshot = note_visit(request, snapshot)
    if _is_at_board(snapshot, seat_rights(snapshot, request.player_id, invited=True)):
        return redirect(snapshot.game)
    return lobby_response(request, snapshot, invited=True)


def _is_at_board(snapshot: GameSnapshot, latecomer: SeatRights | None) -> bool:
    """Return whether the place of a visitor is the board: not that of a lobby, nor that of an
    invited latecomer who can take a seat."""
    takes = latecomer is not None and latecomer.offer.way not in {"", OWN, LOST}
    return snapshot.game.begun and not takes


def _refused_in_lobby(
    request: HttpRequest, refused: Refusal, token: str = "", game_id: str = ""
) -> HttpResponse:
    found = lobby.game_of_lobby(token[:64]) if token else None
    snapshot = read_game(found.pk) if found else find_game(request, game_id)
    if isinstance(refused, Begun):
        # Another request was faster.
        return _answer(request, game_id)
    return lobby_response(request, snapshot, invited=bool(token), refused=refused)


@form_action(_refused_in_lobby, limits=SEATS, asks=_lobby)
def invite(request: HttpRequest, token: str) -> HttpResponse:
    """Show the lobby (GET), and take the ``seat`` of the form, or only change the ``name`` (POST).

    Once the game has begun, its players are redirected to the board, and so is everybody if no seat
    is free; once it has a rematch, everybody is invited to that."""
    found = lobby.game_of_lobby(token[:64])
    if found is None:
        return invitation_spent(request, token[:64])
    snapshot = read_game(found.pk)
    key, is_new = request.POST.get("seat", ""), request.get_player() is None
    if key and key not in snapshot.seating.places:
        raise Http404

    def take(player: Player) -> UUID:
        if key:
            lobby.sit_down(game_id=found.pk, seat_key=key, player=player)
        return player.pk

    invited = with_player(request, take, request.POST.get("name", ""))
    # A page that was loaded without a player is loaded again: its stream stays that of a guest, and
    # for a closed game it has none.
    return _answer(request, found.pk, reload=is_new or snapshot.game.closed, invited=invited)


lobby_action = form_action(_refused_in_lobby, limits=SEATS)


@lobby_action
def begin(request: HttpRequest, game_id: str) -> HttpResponse:
    """Start the game, as its host, or as a player while the host is away."""
    return _act(request, game_id, lobby.begin)


@lobby_action
def shuffle(request: HttpRequest, game_id: str) -> HttpResponse:
    """Give everybody a random seat, as the host."""
    return _act(request, game_id, lobby.shuffle)


@lobby_action
def stand_up(request: HttpRequest, game_id: str) -> HttpResponse:
    """Leave the visitor's seat; the host of a game that seeks an opponent stops looking."""
    game = find_game(request, game_id).game
    if not game.seeks or game.begun or game.created_by_id != request.player_id:
        return _act(request, game_id, lobby.stand_up)
    withdraw(game_id=game_id, player=require_player(request))
    return HttpResponseClientRedirect("/") if request.htmx else redirect("home")


@lobby_action
def hand_over_host(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make the person on the seat named by the field ``host`` the host of the lobby."""
    key = request.POST.get("host", "")
    if key not in find_game(request, game_id).seating.places:
        raise Http404
    return _act(request, game_id, partial(lobby.hand_over_host, seat_key=key))


@lobby_action
def free_seat(request: HttpRequest, game_id: str) -> HttpResponse:
    """Free the seat of the ``person`` of the form, as the host."""
    person = request.POST.get("person", "")
    return _act(request, game_id, partial(lobby.free_seat, person=person))


def _act(request: HttpRequest, game_id: str, service: Callable[..., Any]) -> HttpResponse:
    check_suspended(request)
    service(game_id=find_game(request, game_id).game.id, player=require_player(request))
    return _answer(request, game_id)


def _answer(
    request: HttpRequest, game_id: str, *, reload: bool = False, invited: UUID | None = None
) -> HttpResponse:
    """Return the lobby for htmx, else lead to its page, or anew to the board of the begun game, if
    that is the place of the player ``invited`` too."""
    snapshot = read_game(game_id)
    latecomer = seat_rights(snapshot, invited, invited=True) if invited else None
    at_board = _is_at_board(snapshot, latecomer)
    address = snapshot.game.get_absolute_url() if at_board else lobby_address(snapshot)
    if not request.htmx:
        return redirect(address)
    if reload or at_board:
        return HttpResponseClientRedirect(address)
    return lobby_response(request, snapshot, invited=True)


def _invitation(request: HttpRequest, token: str) -> HttpResponse:
    if newest := _next_game(token[:64]):
        return redirect(newest)
    seat = seats.seat_of_token(token[:64])
    if seat is None:
        return _spent(request, token[:64])
    snapshot = read_game(seat.game_id)
    stays = seat.moving_from_id is None and seat.key in held_seats(request, snapshot)
    return redirect(seat.game) if stays else _offer(request, snapshot, seat)


def _refused_invitation(request: HttpRequest, token: str, refused: Refusal) -> HttpResponse:
    seat = seats.seat_of_token(token[:64])
    if seat is None:
        return _gone(request, token[:64])
    return _offer(request, read_game(seat.game_id), seat, refused)


@form_action(_refused_invitation, limits=SEATS, asks=_invitation)
def join(request: HttpRequest, token: str) -> str:
    """Show the seat of a link (GET), and take it (POST). The holder of the seat is led to the game,
    and everybody to its rematch. A form sent twice has used the link with its first half."""
    token = token[:64]
    claim = partial(seats.claim_seat, token=token)
    name = _called(request, seats.seat_of_token(token))
    taken = with_player(request, lambda player: claim(player=player), name)
    return taken.game.get_absolute_url()


def _next_game(token: str) -> str | None:
    """Return the address of the newest rematch, to which the link of a finished game invites."""
    game = seats.game_of_token(token)
    return newest_invitation(game) if game else None


def _spent(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect the seat's player to the game, since double clicks, Back and the message with the
    link lead here again. Everybody else sees only that the link is used up."""
    if request.player_id is not None:
        player = require_player(request)
        seat = seats.seat_taken_with(token=token, player=player)
        if seat is not None:
            return redirect(seat.game)
    return _gone(request, token)


def _gone(request: HttpRequest, token: str) -> HttpResponse:
    """Lead a visitor with the right to another seat to the game, others to the spent link."""
    game = seats.game_of_token(token)
    snapshot = read_game(game.pk) if game else None
    if snapshot and seat_rights(snapshot, request.player_id).offer.way:
        return redirect(snapshot.game)
    return invitation_spent(request, token, snapshot)


def _called(request: HttpRequest, seat: Seat | None) -> str:
    """Return the visitor's new name, by default that of a seat that moves here."""
    name: str = request.POST.get("name", "")
    player = request.get_player()
    if name.strip() or seat is None or seat.moving_from is None or (player and player.name):
        return name
    return seat.moving_from.name


def _offer(
    request: HttpRequest, snapshot: GameSnapshot, seat: Seat, refused: Refusal | None = None
) -> HttpResponse:
    spec = snapshot.spec(seat.key)
    context: dict[str, Any] = {"seat": seat, "spec": spec, "game": snapshot.game}
    context["mover"] = seat.moving_from
    names = [player.name for player in (request.get_player(), seat.moving_from) if player]
    context["name"] = next(filter(None, names), "")
    context["preview"] = invitation_preview(snapshot, moves=seat.moving_from is not None)
    return show_page(request, "lobby/join.html", context, refused)


def _open_seat(request: HttpRequest, game_id: str) -> HttpResponse:
    snapshot = find_game(request, game_id)
    seat = _asked(request, snapshot)
    if seat.key in held_seats(request, snapshot):
        # A double click sends a form twice, and Back leads here again.
        return redirect(snapshot.game)
    seats.check_offered(snapshot, seat.key, request.get_player())
    return _offer(request, snapshot, seat)


def _asked(request: HttpRequest, snapshot: GameSnapshot) -> Seat:
    seat = snapshot.game.seats.filter(key=asked_seat(request)).first()
    if seat is None:
        raise Http404
    return seat


def _refused_seat(request: HttpRequest, game_id: str, refused: Refusal) -> HttpResponse:
    snapshot = find_game(request, game_id)
    if isinstance(refused, SeatTaken | GameEnded):
        return game_response(request, snapshot, refused=refused)
    return _offer(request, snapshot, _asked(request, snapshot), refused)


@form_action(_refused_seat, limits=SEATS, asks=_open_seat)
def sit(request: HttpRequest, game_id: str) -> str:
    """Show an open seat (GET), and take it (POST); lead its holder to the game."""
    snapshot = find_game(request, game_id)
    seat = _asked(request, snapshot)
    if seat.key not in held_seats(request, snapshot):
        take = partial(seats.take_free_seat, game_id=game_id, seat_key=seat.key)
        with_player(request, lambda player: take(player=player), request.POST.get("name"))
    return snapshot.game.get_absolute_url()


def _refused_in_game(request: HttpRequest, game_id: str, refused: Refusal) -> HttpResponse:
    return game_response(request, find_game(request, game_id), refused=refused)


@form_action(_refused_in_game, limits=SEATS)
def come_back(request: HttpRequest, game_id: str) -> str:
    """Ask the players of a game for the seat ``back``, whose people are away: perhaps the visitor,
    in another browser. Nobody gets a seat by this alone."""
    key = request.POST.get("back", "")
    if key not in find_game(request, game_id).seating.places:
        raise Http404
    ask = partial(seat_changes.ask_to_sit, game_id=game_id, seat_key=key, origin=origin_of(request))
    done = with_player(request, lambda player: ask(player=player), request.POST.get("name"))
    return done.game.get_absolute_url()


@form_action(_refused_in_game)
def move_device(request: HttpRequest, game_id: str) -> str:
    """Give the visitor a link to a ``seat`` for another device, or withdraw it (``stay``)."""
    snapshot = find_game(request, game_id)
    stays = "stay" in request.POST
    key = request.POST.get("stay" if stays else "seat", "")
    if key not in snapshot.seating.places:
        raise Http404
    act = seats.withdraw_seat if stays else seats.offer_seat
    act(game_id=game_id, seat_key=key, player=require_player(request))
    # Without a fragment: the link is at the top of the page, where a sticky header would cover it.
    return snapshot.game.get_absolute_url()
