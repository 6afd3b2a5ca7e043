"""Responses with a game or its lobby, as partials and pages, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import segno
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.contract import Explained, SeatSpec, Text
from games.core.rate_limits import PICTURES_PER_ADDRESS
from games.core.refusals import NotYourSeat, Suspended
from games.models import Account, Game, Player, Seat
from games.presentation import jinja
from games.presentation.game_page import GamePage, build_page, render_answer, render_update
from games.presentation.lobby import LobbyPage, build_lobby
from games.presentation.player_bars import server_time
from games.presentation.sharing import frame_code, game_preview, invitation_preview
from games.presentation.visibility import perspective
from games.services import marks, seats
from games.services.rematch import newest_rematch
from games.services.tokens import is_token
from games.state.lists import is_first_of_kind
from games.state.questions import NEWCOMER, pending_request
from games.state.replay import Unreadable
from games.state.seat_claims import stands_in
from games.state.seat_rights import (
    FREED,
    REMATCH,
    check_watching,
    is_closed,
    seat_rights,
    seats_to_take,
)
from games.state.snapshot import GameSnapshot
from games.views.common import View, find_game, read_game, show_page, status_of, viewer_of
from games.web.client_address import client_address
from games.web.headers import for_anywhere
from games.web.request import HttpRequest


@dataclass(frozen=True)
class Link:
    """A secret link to a seat, for the host or the holder of the seat."""

    spec: SeatSpec
    address: str
    code: str
    moves: bool
    empty: bool

    @property
    def wanted(self) -> bool:
        """Whether it is shown first, because the game waits for it or the holder asked for it."""
        return self.empty or self.moves


@dataclass(frozen=True)
class GroupLink:
    """The link to the lobby of a running game, with which latecomers take seats. ``wanted`` says
    that a seat is empty; otherwise they can only join teams."""

    address: str
    code: str
    wanted: bool


def group_link(
    request: HttpRequest, snapshot: GameSnapshot, player: Player | None
) -> GroupLink | None:
    """Return the link for latecomers; None if no seat is free or there was no lobby."""
    game, token = snapshot.game, seats.lobby_token(snapshot.game)
    if player is None or game.over or not token:
        return None
    hosts = game.created_by_id == player.pk or snapshot.seats_of(player.pk)
    free = seats_to_take(snapshot)
    if not hosts or not free or stands_in(snapshot, player.pk):
        return None
    return GroupLink(
        request.build_absolute_uri(reverse("invite", args=[token])),
        reverse("invite_code", args=[token]),
        wanted=any(snapshot.seating.places[key].empty for key in free),
    )


def links(request: HttpRequest, snapshot: GameSnapshot, player: Player | None) -> list[Link]:
    """Return the links that a player may hand out: as the host, those to empty seats and to teams;
    for every player, those that move the player's own seats to another device."""
    game = snapshot.game
    if player is None or game.over:
        return []
    rows = game.seats.exclude(token_salt="").prefetch_related("holders")
    return [
        Link(
            snapshot.spec(seat.key),
            _address(request, seat, "join"),
            _address(request, seat, "join_code"),
            moves=seat.moving_from_id == player.pk,
            empty=not seat.holders.all(),
        )
        for seat in rows
        if _may_hand_out(seat, game, player, snapshot.spec(seat.key))
        and (seat.moving_from_id or not is_closed(snapshot, seat.key))
    ]


def _may_hand_out(seat: Seat, game: Game, player: Player, spec: SeatSpec) -> bool:
    if seat.moving_from_id is not None:
        return seat.moving_from_id == player.pk
    return game.created_by_id == player.pk and (spec.shared or not seat.holders.all())


def _address(request: HttpRequest, seat: Seat, name: str) -> str:
    path = reverse(name, args=[seats.invitation_token(seat)])
    return request.build_absolute_uri(path)


def page_context(
    request: HttpRequest, snapshot: GameSnapshot, player: Player | None
) -> dict[str, Any]:
    """Return the values of the page around a board for the visitor's player."""
    offered, game = links(request, snapshot, player), snapshot.game
    group = group_link(request, snapshot, player)
    if group:
        # One link serves everybody, apart from the link that offers a seat to another device.
        offered = [link for link in offered if link.moves]
    return {
        "links": offered,
        "group": group,
        "aim": _aim(snapshot, player),
        **_seat_context(snapshot, player),
        "quick_messages": marks.QUICK_MESSAGES,
        "held": len(snapshot.seats_of(player.pk if player else None)),
        "more_links": any(not link.wanted for link in offered) or (group and not group.wanted),
        "watch_address": request.build_absolute_uri(game.get_absolute_url()),
        "embed_code": frame_code(snapshot, request.build_absolute_uri("/")),
        "preview": game_preview(snapshot),
        "server_time": server_time(),
    }


def _seat_context(snapshot: GameSnapshot, player: Player | None) -> dict[str, Any]:
    """Return the seats that the visitor may take, take back or ask for, each of these with an
    absent guest's name, None if empty; and whether the visitor had a seat before."""
    visitor, places = player.pk if player else None, snapshot.seating.places
    rights, request = seat_rights(snapshot, visitor), pending_request(snapshot, NEWCOMER)
    asks, way = rights.open_to_newcomers, rights.offer.way
    people = {person for key in asks for person in snapshot.seating.people_on(key)}
    owners = set(Account.objects.filter(player__in=people).values_list("player", flat=True))
    return {
        "returning": [
            (snapshot.spec(key), next(iter(places[key].players.values()), None))
            for key in asks
            if owners.isdisjoint(places[key].players)
        ],
        "claims": rights.returns,
        "offered": [*map(snapshot.spec, rights.offer.seats)] if way in {REMATCH, FREED} else [],
        "offered_by": way,
        "is_former": not way and not snapshot.game.over and rights.is_former,
        "asked_back": bool(player and request and request.newcomer == visitor),
        "player_name": player.name if player else "",
    }


def _aim(snapshot: GameSnapshot, player: Player | None) -> Text | None:
    """Return the aim of a game for a new player of its kind, until the first move."""
    held = snapshot.seats_of(player.pk) if player else frozenset()
    if player is None or not held or any(move.seat in held for move in snapshot.moves):
        return None
    return snapshot.rules.tagline if is_first_of_kind(snapshot.game, player) else None


def game_page(
    request: HttpRequest, snapshot: GameSnapshot, *, ply: int | None = None, chosen: str = ""
) -> GamePage:
    return build_page(
        snapshot,
        perspective(snapshot, viewer_of(request, snapshot, past=ply is not None)),
        ply=ply,
        chosen=tuple(chosen[:80].split()),
        all_moves="moves" in request.GET,
    )


def game_response(
    request: HttpRequest,
    snapshot: GameSnapshot,
    *,
    refused: Explained | None = None,
    chosen: str | None = None,
) -> HttpResponse:
    """Answer with a game: the partial for htmx or else the page, below a refusal if there is one.
    ``chosen`` are the steps of a half-chosen move; '' goes back to the first step."""
    check_watching(snapshot, request.player_id)
    if snapshot.fault:
        return _last_readable(request, snapshot, snapshot.fault)
    refused = _explain(request, refused)
    stepping = chosen is not None
    if request.htmx and not (refused or stepping or "moves" in request.GET):
        return board_response(request, snapshot)
    if not snapshot.game.begun:
        return lobby_response(request, snapshot, refused=refused)
    page = game_page(request, snapshot, chosen=chosen or "")
    context: dict[str, Any] = {
        "mistyped": refused is not None and _is_mistyped(request, page),
        # The prompt of a move that continues after a refusal has been read out already.
        "stepping": stepping and "kept" not in request.GET,
    }
    if request.htmx:
        answer = render_answer(page, **context, refused=refused.text if refused else None)
        return HttpResponse(answer, status=status_of(refused))
    context |= {"page": page, **page_context(request, snapshot, request.get_player())}
    return never_store(show_page(request, "page/game.html", context, refused), page)


def board_response(request: HttpRequest, snapshot: GameSnapshot) -> HttpResponse:
    """Answer htmx with the board or the lobby as all viewers with the visitor's perspective get
    it. Raises ClosedToWatchers, or the fault of a game that does not replay."""
    check_watching(snapshot, request.player_id)
    viewer = viewer_of(request, snapshot)
    return HttpResponse(render_update(snapshot, perspective(snapshot, viewer)))


def _explain(request: HttpRequest, refused: Explained | None) -> Explained | None:
    """Return the refusal to show, for a suspended player the suspension behind it."""
    player = request.get_player() if isinstance(refused, NotYourSeat) else None
    return Suspended(player.suspended_for) if player and player.suspended else refused


def _last_readable(request: HttpRequest, snapshot: GameSnapshot, fault: Unreadable) -> HttpResponse:
    """Redirect to the last sound position of a faulty game. Raises its fault for htmx."""
    if request.htmx:
        raise fault
    return redirect("at_ply", snapshot.game.id, fault.plies)


def never_store(response: HttpResponse, page: GamePage) -> HttpResponse:
    """Keep browsers from storing a page with secrets, which Back would show to the next person at
    the device, or after the seat has moved to another device."""
    if page.shows_secrets:
        response["Cache-Control"] = "no-store"
    return response


def _is_mistyped(request: HttpRequest, page: GamePage) -> bool:
    """Return whether a refused move was typed, and its field is still there."""
    return "typed" in request.POST and bool(page.perspective.seats) and not page.over


def game_picture(
    request: HttpRequest,
    game_id: str,
    picture_of: Callable[[GameSnapshot], str | bytes | None],
    media_type: str = "image/png",
) -> HttpResponse:
    """Return a picture of a begun game, as spectators see it. Raises Http404 without one."""
    snapshot = find_game(request, game_id)
    PICTURES_PER_ADDRESS.hit(client_address(request))
    picture = picture_of(snapshot) if snapshot.game.begun else None
    if picture is None:
        raise Http404
    response = picture_response(picture, media_type)
    shared = "private" if snapshot.game.closed else "public"
    response["Cache-Control"] = f"{shared}, max-age=300"
    return response


def picture_response(picture: str | bytes, media_type: str = "image/png") -> HttpResponse:
    """Return a picture, which pages of other sites may show."""
    return for_anywhere(HttpResponse(picture, content_type=media_type))


def qr_code(name: str, find: Callable[[str], object]) -> View:
    """Make a view of a link's QR code, loaded on demand, for tokens that ``find`` knows."""

    @cache_control(no_store=True)
    @require_safe
    def view(request: HttpRequest, token: str) -> HttpResponse:
        if find(token[:64]) is None:
            raise Http404
        picture, address = BytesIO(), request.build_absolute_uri(reverse(name, args=[token]))
        segno.make_qr(address, error="m").save(picture, kind="svg", border=2, omitsize=True)
        return HttpResponse(picture.getvalue(), content_type="image/svg+xml")

    return view


def invitation_spent(
    request: HttpRequest, token: str, snapshot: GameSnapshot | None = None
) -> HttpResponse:
    """Return the page for an invitation that is used or withdrawn, with a link to its game if that
    is known and anybody may watch it. A link that was cut off is 404 instead."""
    whole = is_token(token)
    watched = snapshot and snapshot.game.begun and not snapshot.game.closed
    context = {"whole": whole, "game": snapshot.game if snapshot and watched else None}
    return render(request, "lobby/join_spent.html", context, status=410 if whole else 404)


def lobby_address(snapshot: GameSnapshot) -> str:
    return reverse("invite", args=[seats.lobby_token(snapshot.game)])


def newest_invitation(game: Game) -> str | None:
    """Return where the bearer of an old invitation joins the newest rematch, None without."""
    newest = newest_rematch(game)
    if newest is None:
        return None
    following = read_game(newest)
    token = seats.lobby_token(following.game)
    return reverse("invite", args=[token]) if token else following.game.get_absolute_url()


def lobby_response(
    request: HttpRequest,
    snapshot: GameSnapshot,
    *,
    invited: bool = False,
    refused: Explained | None = None,
) -> HttpResponse:
    """Answer with a lobby, below a refusal if there is one. Visitors who were ``invited`` by its
    link, and those who see it anyway, may take seats."""
    invited = invited or seat_rights(snapshot, request.player_id).gathers
    viewer = replace(viewer_of(request, snapshot), lobby="guest" if invited else "watch")
    lobby = build_lobby(snapshot, perspective(snapshot, viewer))
    if request.htmx:
        told = refused.text if refused else None
        partial = jinja.render("lobby/_lobby_answer.jinja", lobby=lobby, refused=told)
        return HttpResponse(partial, status=status_of(refused))
    response = show_page(request, "lobby/lobby.html", _context(request, lobby), refused)
    response["Cache-Control"] = "no-store"
    return response


def _context(request: HttpRequest, lobby: LobbyPage) -> dict[str, Any]:
    game, player = lobby.game, request.get_player()
    token = seats.lobby_token(game) if lobby.perspective.lobby != "watch" else ""
    invite = reverse("invite", args=[token]) if token else ""
    return {
        "lobby": lobby,
        "name": player.name if player else "",
        "address": invite,
        "invite_address": request.build_absolute_uri(invite) if invite else "",
        "code_address": reverse("invite_code", args=[token]) if token else "",
        "links": links(request, lobby.snapshot, player) if token else [],
        "preview": invitation_preview(lobby.snapshot),
    }
