"""Taking a seat, handing out the links to seats, and moving a seat to another device.

A link's GET only shows what it is for: previews in messengers must not spend invitations.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import services
from games.contract import SeatSpec
from games.models import Game, Player, Seat
from games.quotas import SEATS_A_PLAYER, SEATS_AN_ADDRESS
from games.refusals import Refusal
from games.views.common import find_game, need_player, player_of, show, with_player

SEATS = (SEATS_A_PLAYER, SEATS_AN_ADDRESS)


@dataclass(frozen=True)
class Link:
    """A secret link to a seat, for the one who may hand it out."""

    spec: SeatSpec
    address: str
    code: str
    moves: bool
    empty: bool

    @property
    def wanted(self) -> bool:
        """Whether the game waits for it, or its holder asked for it: then it is shown first."""
        return self.empty or self.moves


def links(request: HttpRequest, game: Game) -> list[Link]:
    """The links this visitor may hand out: to empty seats and to teams as the game's creator, to
    the visitor's own seats when they are to move to another device."""
    player = player_of(request)
    if player is None or game.over:
        return []
    specs = {spec.key: spec for spec in game.specs}
    rows = game.seats.filter(token_hash__isnull=False).prefetch_related("holders")
    return [
        Link(
            specs[seat.key],
            _address(request, seat, "join"),
            _address(request, seat, "join_code"),
            moves=seat.moving_from_id == player.pk,
            empty=not seat.holders.all(),
        )
        for seat in rows
        if _may_hand_out(seat, game, player, specs[seat.key])
    ]


def _may_hand_out(seat: Seat, game: Game, player: Player, spec: SeatSpec) -> bool:
    if seat.moving_from_id is not None:
        return seat.moving_from_id == player.pk
    return game.created_by_id == player.pk and (spec.many or not seat.holders.all())


def _address(request: HttpRequest, seat: Seat, name: str) -> str:
    path = reverse(name, args=[services.invitation_token(seat)])
    return request.build_absolute_uri(path)


@require_safe
def code(request: HttpRequest, token: str) -> HttpResponse:
    """A link as a QR code: a picture of its own, which is loaded when somebody wants to see it."""
    if services.seat_of_token(token[:64]) is None:
        raise Http404
    address = request.build_absolute_uri(reverse("join", args=[token]))
    picture = BytesIO()
    segno.make_qr(address, error="m").save(picture, kind="svg", border=2, omitsize=True)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows which seat a link offers; POST takes it."""
    seat = services.seat_of_token(token[:64])
    if seat is None:
        return render(request, "games/join_spent.html", status=404)
    if request.method != "POST":
        return _offer(request, seat)

    def take(player: Player) -> str:
        return services.claim_seat(token=token, player=player).game.get_absolute_url()

    try:
        return with_player(request, take, request.POST.get("name"), SEATS)
    except Refusal as refused:
        return _offer(request, seat, refused)


def _offer(request: HttpRequest, seat: Seat, refused: Refusal | None = None) -> HttpResponse:
    spec = next(spec for spec in seat.game.specs if spec.key == seat.key)
    context = {"seat": seat, "spec": spec, "game": seat.game, "player": player_of(request)}
    context["refused"] = refused.text if refused else None
    return render(request, "games/join.html", context, status=refused.status if refused else 200)


@require_POST
def sit(request: HttpRequest, game_id: str) -> HttpResponse:
    """Take a seat that is open to everybody."""
    game = find_game(game_id)
    key = request.POST.get("seat", "")
    if not game.seats.filter(key=key).exists():
        raise Http404

    def take(player: Player) -> str:
        services.take_listed_seat(game=game, seat_key=key, player=player)
        return game.get_absolute_url()

    try:
        return with_player(request, take, request.POST.get("name"), SEATS)
    except Refusal as refused:
        return show(request, find_game(game_id), refused=refused)


@require_POST
def move_device(request: HttpRequest, game_id: str) -> HttpResponse:
    """Give the visitor a link that moves their seat to another device."""
    game = find_game(game_id)
    key = request.POST.get("seat", "")
    if not game.seats.filter(key=key).exists():
        raise Http404
    try:
        services.offer_move(game=game, seat_key=key, player=need_player(request))
    except Refusal as refused:
        return show(request, find_game(game_id), refused=refused)
    return redirect(f"{game.get_absolute_url()}#links")
