"""The page of a game, a position of it, the board alone, and the drawings on its cards."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.contract import text
from games.presentation.documents import transcript_of
from games.presentation.explored import Stepper, variation_address
from games.presentation.game_page import GamePage, build_page, render_answer
from games.presentation.pictures import Sprite, example_sprite, game_sprite, public_preview
from games.presentation.sharing import ply_preview
from games.presentation.visibility import Perspective, perspective
from games.services import plans
from games.state.seat_rights import check_watching, seat_rights
from games.state.snapshot import GameSnapshot
from games.state.variations import can_play_on, may_explore
from games.views.analysis import hint_at
from games.views.common import find_game, note_visit, read_game, viewer_of
from games.views.lobby.new import find_rules
from games.views.responses import (
    game_page,
    game_picture,
    game_response,
    lobby_address,
    never_store,
    page_context,
)
from games.web.headers import YEAR
from games.web.request import HttpRequest, parse_ply

NOT_SO_FAR = text("This game has fewer moves.")


@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return the page of a game. ``?chosen=`` holds the steps of a half-chosen move. Until the game
    begins, people with a right to a seat are redirected to its lobby."""
    snapshot = note_visit(request, read_game(game_id))
    if not snapshot.game.begun and seat_rights(snapshot, request.player_id).gathers:
        return redirect(lobby_address(snapshot))
    check_watching(snapshot, request.player_id)
    return game_response(request, snapshot, chosen=request.GET.get("chosen"))


@require_safe
def board(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return the board alone, an earlier one with ``?ply=``; 304 if the page has it. A page in a
    ``?hidden=`` tab is no visit."""
    snapshot = find_game(request, game_id)
    if "ply" in request.GET:
        return _earlier_board(request, snapshot, parse_ply(request.GET["ply"]))
    if "hidden" not in request.GET:
        snapshot = note_visit(request, snapshot)
    seen_by = perspective(snapshot, viewer_of(request, snapshot))
    tag = f'"{snapshot.game.version}-{seen_by.language}-{_digest(seen_by)}"'
    # A weak comparison, because a compressed answer was sent with a weak tag.
    response = get_conditional_response(request, etag=tag)
    if response is None:
        response = game_response(request, snapshot, chosen=request.GET.get("chosen"))
    response["ETag"] = tag
    response["Cache-Control"] = "no-store"
    return response


def _earlier_board(request: HttpRequest, snapshot: GameSnapshot, ply: int) -> HttpResponse:
    if not (snapshot.game.begun and 0 <= ply < snapshot.game.ply):
        raise Http404(NOT_SO_FAR, snapshot.game.get_absolute_url())
    # The present game decides which secrets the viewer may open.
    seen_by = perspective(snapshot, viewer_of(request, snapshot))
    response = HttpResponse(render_answer(build_page(snapshot.before(ply), seen_by)))
    response["Cache-Control"] = "no-store"
    return response


def _digest(seen_by: Perspective) -> str:
    whole = json.dumps(asdict(seen_by), default=sorted, sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


@cache_control(no_store=True)
@require_safe
def seats(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return the links to the empty seats, for a player with a right to hand them out.

    A page that was loaded when the visitor held more seats (``held``) is told so: a seat goes to
    another device, is freed, or goes to others while its holder is absent."""
    snapshot = find_game(request, game_id)
    around = page_context(request, snapshot, request.get_player())
    lost = parse_ply(request.GET.get("held", "0")) > around["held"]
    context = {"game": snapshot.game, "lost": lost, **around}
    return render(request, "lobby/_links_answer.html", context)


@require_safe
def at_ply(request: HttpRequest, game_id: str, ply: int) -> HttpResponse:
    """Return the position after ``ply`` moves, as a page or as its content for htmx."""
    snapshot = find_game(request, game_id)
    if ply > snapshot.game.ply:
        raise Http404(NOT_SO_FAR, snapshot.game.get_absolute_url())
    if not snapshot.game.begun:
        return redirect(snapshot.game)
    if ply > snapshot.last_ply:
        return redirect("at_ply", game_id, snapshot.last_ply)
    page = game_page(request, snapshot, ply=ply)
    address = snapshot.game.get_absolute_url()
    context = {
        "page": page,
        "stepper": Stepper(ply, snapshot.last_ply, address + "{}/"),
        "written": transcript_of(snapshot, ply),
        "preview": ply_preview(snapshot, ply),
        "hint": hint_at(snapshot, ply) if snapshot.game.over else None,
        "tries": _tries(page),
        "can_play_on": _can_play_on(page),
        "opponents": plans.opponents(snapshot.rules),
    }
    template = "review/_at_ply_answer.html" if request.htmx else "review/at_ply.html"
    return never_store(render(request, template, context), page)


def _tries(page: GamePage) -> str:
    """Return the address for trying out the move appended to it; '' if the visitor may not."""
    if not page.listed.analyse:
        return ""
    return reverse("analysis", args=[page.game.id]) + variation_address(page.ply, [""])


def _can_play_on(page: GamePage) -> bool:
    snapshot = page.snapshot
    allowed = may_explore(snapshot, page.perspective.seats)
    return allowed and can_play_on(snapshot, snapshot.at(page.ply))


@require_safe
def picture(request: HttpRequest, game_id: str, ply: int) -> HttpResponse:
    """Return a PNG of the position after ``ply`` moves, as spectators see it, for link previews."""

    def picture_of(snapshot: GameSnapshot) -> bytes | None:
        exists = ply <= snapshot.last_ply
        return public_preview(snapshot.rules, snapshot.standing_at(ply)) if exists else None

    return game_picture(request, game_id, picture_of)


@require_safe
def sprite(request: HttpRequest, game_id: str, digest: str) -> HttpResponse:
    game = find_game(request, game_id).game
    response = _response(game_sprite(game) if game.begun else None, digest)
    shared = {"private": True} if game.closed else {"public": True}
    patch_cache_control(response, **shared, max_age=YEAR, immutable=True)
    return response


@cache_control(public=True, max_age=YEAR, immutable=True)
@require_safe
def rules_sprite(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    return _response(example_sprite(find_rules(slug)), digest)


def _response(found: Sprite | None, digest: str) -> HttpResponse:
    if found is None or found.digest != digest:
        raise Http404
    return HttpResponse(found.svg, content_type="image/svg+xml")
