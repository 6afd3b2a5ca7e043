"""Responses with a game: the board partial for htmx, the page for everybody else, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import segno
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from games.contract import MoveError
from games.core.rate_limits import PICTURES_PER_ADDRESS
from games.core.refusals import NotYourSeat, Refusal, Suspended
from games.presentation.game_page import GamePage, build_page, render_answer, render_update
from games.presentation.visibility import perspective
from games.state.replay import Unreadable
from games.state.seat_rights import check_watching
from games.state.snapshot import GameSnapshot
from games.views.common import find_game, viewer_of
from games.views.links import page_context
from games.views.lobby_page import lobby_response
from games.web.client_address import client_address
from games.web.headers import for_anywhere
from games.web.request import HttpRequest

Refused = MoveError | Refusal


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
    refused: Refused | None = None,
    chosen: str | None = None,
) -> HttpResponse:
    """Answer with a game: the partial for htmx or else the page, with a refusal on top if there is
    one.

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
        "refused": refused.text if refused else None,
        "mistyped": refused is not None and _is_mistyped(request, page),
        # The prompt of a move that continues after a refusal has been read out already.
        "stepping": stepping and "kept" not in request.GET,
    }
    status = status_of(refused)
    if request.htmx:
        return HttpResponse(render_answer(page, **context), status=status)
    around = page_context(request, snapshot, request.get_player())
    response = render(request, "page/game.html", {"page": page, **context, **around}, status=status)
    return never_store(response, page)


def board_response(request: HttpRequest, snapshot: GameSnapshot) -> HttpResponse:
    """Answer htmx with the board or the lobby as all viewers with the visitor's perspective get
    it. Raises ClosedToWatchers, or the fault of a game that does not replay."""
    check_watching(snapshot, request.player_id)
    viewer = viewer_of(request, snapshot)
    return HttpResponse(render_update(snapshot, perspective(snapshot, viewer)))


def _explain(request: HttpRequest, refused: Refused | None) -> Refused | None:
    """Return the refusal to show the visitor: for a suspended player the suspension, of which
    having no seat is only a consequence."""
    player = request.get_player() if isinstance(refused, NotYourSeat) else None
    return Suspended(player.suspended_for) if player and player.suspended else refused


def _last_readable(request: HttpRequest, snapshot: GameSnapshot, fault: Unreadable) -> HttpResponse:
    """Redirect to the last sound position of a game that does not replay. Raises its fault for
    htmx, whose board cannot become a page."""
    if request.htmx:
        raise fault
    return redirect("at_ply", snapshot.game.id, fault.plies)


def never_store(response: HttpResponse, page: GamePage) -> HttpResponse:
    """Keep browsers from storing a page with secrets, which Back would show to the next person at
    the device, or after the seat has moved to another device."""
    if page.shows_secrets:
        response["Cache-Control"] = "no-store"
    return response


def status_of(refused: Refused | None) -> int:
    """Return the HTTP status of a refusal: its own, or 422 for an illegal move."""
    if refused is None:
        return 200
    return refused.status if isinstance(refused, Refusal) else 422


def _is_mistyped(request: HttpRequest, page: GamePage) -> bool:
    """Return whether a typed move was refused and its field is still shown, so that the refusal
    belongs beside it."""
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


def qr_code(address: str) -> HttpResponse:
    """Return an address as the image of a QR code, which pages load on demand."""
    picture = BytesIO()
    segno.make_qr(address, error="m").save(picture, kind="svg", border=2, omitsize=True)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")
