"""Taking a seat, and moving a seat to another device.

A GET only shows which seat it is: previews in messengers must not spend invitations.
"""

from __future__ import annotations

from io import BytesIO

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import services
from games.models import Player, Seat
from games.presentation.game_page import seats_of
from games.rate_limits import SEATS_PER_ADDRESS, SEATS_PER_PLAYER
from games.refusals import Refusal
from games.views.common import (
    asked_seat,
    find_game,
    holder_of,
    player_of,
    require_player,
    show,
    spend,
    with_player,
)

SEATS = (SEATS_PER_PLAYER, SEATS_PER_ADDRESS)


@cache_control(no_store=True)
@require_safe
def code(request: HttpRequest, token: str) -> HttpResponse:
    """A link as a QR code: a picture of its own, which is loaded when somebody wants to see it."""
    if services.seat_of_token(token[:64]) is None:
        raise Http404
    address = request.build_absolute_uri(reverse("join", args=[token]))
    picture = BytesIO()
    segno.make_qr(address, error="m").save(picture, kind="svg", border=2, omitsize=True)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")


@cache_control(no_store=True)
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows which seat a link offers; POST takes it. Who has that seat comes to the game."""
    seat = services.seat_of_token(token[:64])
    if seat is None:
        return _spent(request, token[:64])
    if request.method != "POST":
        stays = seat.moving_from_id is None and _has(request, seat)
        return redirect(seat.game) if stays else _offer(request, seat)

    def take(player: Player) -> str:
        return services.claim_seat(token=token, player=player).game.get_absolute_url()

    try:
        spend(request, SEATS)
        return with_player(request, take, _called(request, seat))
    except Refusal as refused:
        return _offer(request, seat, refused)


def _spent(request: HttpRequest, token: str) -> HttpResponse:
    """Who took the seat with a link comes to the game again: a double click sends a form twice,
    Back leads to the link, and so does the message it came in. Nobody else learns what it was."""
    player = holder_of(request)
    if player is not None:
        seat = services.seat_taken_with(token=token, player=player)
        if seat is not None:
            return redirect(seat.game)
    return render(request, "games/join_spent.html", status=404)


def _has(request: HttpRequest, seat: Seat) -> bool:
    return seat.key in seats_of(seat.game, holder_of(request))


def _called(request: HttpRequest, seat: Seat) -> str:
    """What the visitor wants to be called; who moves here without saying so is called the same."""
    name: str = request.POST.get("name", "")
    player = player_of(request)
    if name.strip() or seat.moving_from is None or (player and player.name):
        return name
    return seat.moving_from.name


def _offer(request: HttpRequest, seat: Seat, refused: Refusal | None = None) -> HttpResponse:
    spec = next(spec for spec in seat.game.specs if spec.key == seat.key)
    context = {"seat": seat, "spec": spec, "game": seat.game, "mover": seat.moving_from}
    names = [player.name for player in (player_of(request), seat.moving_from) if player]
    context["name"] = next(filter(None, names), "")
    context["refused"] = refused.text if refused else None
    return render(request, "games/join.html", context, status=refused.status if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def sit(request: HttpRequest, game_id: str) -> HttpResponse:
    """GET shows a seat that is open to everybody; POST takes it. Who has it comes to the game."""
    game = find_game(game_id)
    seat = game.seats.filter(key=asked_seat(request)).first()
    if seat is None:
        raise Http404
    if _has(request, seat):
        # A double click sends a form twice, and Back leads here again.
        return redirect(game)
    try:
        services.check_listed_seat(seat)
    except Refusal as refused:
        return show(request, game, refused=refused)
    if request.method != "POST":
        return _offer(request, seat)

    def take(player: Player) -> str:
        services.take_listed_seat(game=game, seat_key=seat.key, player=player)
        return game.get_absolute_url()

    try:
        spend(request, SEATS)
        return with_player(request, take, request.POST.get("name"))
    except Refusal as refused:
        return _offer(request, seat, refused)


@require_POST
def move_device(request: HttpRequest, game_id: str) -> HttpResponse:
    """Give the visitor a link that moves their ``seat`` to another device, or let the seat ``stay``
    and take that link back."""
    game = find_game(game_id)
    stays = "stay" in request.POST
    key = request.POST.get("stay" if stays else "seat", "")
    if not game.seats.filter(key=key).exists():
        raise Http404
    act = services.withdraw_move if stays else services.offer_move
    try:
        act(game=game, seat_key=key, player=require_player(request))
    except Refusal as refused:
        return show(request, find_game(game_id), refused=refused)
    return redirect(game.get_absolute_url() + ("" if stays else "#links"))
