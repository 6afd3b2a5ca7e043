"""The game now, the game at a ply, and the board alone for those who follow it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.analysis import looked_back
from games.boards import build
from games.history import all_moves
from games.pictures import png_of, svg_of
from games.positions import position_at
from games.quotas import PICTURES_AN_ADDRESS, TooMany, address_key
from games.views.common import (
    find_game,
    lay_table,
    page_context,
    parse_ply,
    picture_address,
    seen,
    show,
)


@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """The page of a game. ``?chosen=`` holds the steps of a half-chosen move."""
    return show(request, find_game(game_id), chosen=request.GET.get("chosen", ""))


@require_safe
def board(request: HttpRequest, game_id: str) -> HttpResponse:
    """The board alone; 304 to who has this version already."""
    game = find_game(game_id)
    look = seen(request, game)
    seats = ".".join(sorted(look.viewer.seats))
    tag = f'"{game.version}-{get_language()}-{look.viewer.asked}-{seats}"'
    # Compared weakly: who was sent it compressed got a weak tag. Tags are told apart by commas.
    response = get_conditional_response(request, etag=tag)
    if response is None:
        response = show(request, game, chosen=request.GET.get("chosen", ""))
    response["ETag"] = tag
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def seats(request: HttpRequest, game_id: str) -> HttpResponse:
    """The links that invite to the empty seats, for who may hand them out. A page that was loaded
    for more seats (``held``) than the visitor has now is told where they went."""
    game = find_game(game_id)
    context = page_context(request, game)
    moved = parse_ply(request.GET.get("held", "0")) > context["held"]
    return render(request, "games/_links_again.html", {"game": game, "moved": moved, **context})


@require_safe
def at_ply(request: HttpRequest, game_id: str, ply: int) -> HttpResponse:
    """The position after ``ply`` moves, as a page of its own."""
    game = find_game(game_id)
    if ply > game.ply:
        raise Http404
    record = game.rules.record
    context = {
        "table": lay_table(request, game, ply=ply),
        "written": record and record.write(move.text for move in all_moves(game)[:ply]),
        "picture_address": picture_address(request, game, ply),
        "hint": looked_back(game, ply) if game.over else None,
    }
    return render(request, "games/at_ply.html", context)


@require_safe
def picture(request: HttpRequest, game_id: str, ply: int) -> HttpResponse:
    """The position after ``ply`` moves as a PNG, as spectators see it: for previews of links."""
    game = find_game(game_id)
    if ply > game.ply:
        raise Http404
    try:
        PICTURES_AN_ADDRESS.spend(address_key(request.META.get("REMOTE_ADDR", "")))
    except TooMany as refused:
        return HttpResponse(str(refused), status=refused.status, content_type="text/plain")
    board = build(game.rules, position_at(game, ply), viewpoint=None)
    response = HttpResponse(png_of(svg_of(board)), content_type="image/png")
    response["Cache-Control"] = "public, max-age=300"
    return response
