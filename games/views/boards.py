"""The game now, the game at a ply, and the board alone for those who follow it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.contract import RESIGN, text
from games.models import Game
from games.move_list import all_moves, parse_ply
from games.presentation.analysis import looked_back
from games.presentation.board import Board, build_board
from games.presentation.game_page import GamePage, ViewerContext
from games.presentation.pictures import render_png, render_svg
from games.rate_limits import PICTURES_PER_ADDRESS, RateLimited
from games.replay import position_at
from games.views.common import (
    find_game,
    never_store,
    page_for,
    player_of,
    retry_after_undo,
    seen,
    show,
)
from games.views.links import page_context, picture_address
from games.web.client_address import client_address

NOT_SO_FAR = text("This game has not so many moves.")


@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """The page of a game. ``?chosen=`` holds the steps of a half-chosen move."""
    return show(request, find_game(game_id), chosen=request.GET.get("chosen"))


@require_safe
def board(request: HttpRequest, game_id: str) -> HttpResponse:
    """The board alone; 304 to who has this version already."""
    game = find_game(game_id)
    tag = f'"{game.version}-{get_language()}-{_digest(seen(request, game))}"'
    # Compared weakly: who was sent it compressed got a weak tag.
    response = get_conditional_response(request, etag=tag)
    if response is None:
        response = show(request, game, chosen=request.GET.get("chosen"))
    response["ETag"] = tag
    response["Cache-Control"] = "no-store"
    return response


def _digest(look: ViewerContext) -> str:
    """Short for all of ``look``, and the same in every process."""
    whole = json.dumps(asdict(look), default=sorted, sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


@cache_control(no_store=True)
@require_safe
def seats(request: HttpRequest, game_id: str) -> HttpResponse:
    """The links that invite to the empty seats, for who may hand them out. A page that was loaded
    for more seats (``held``) than the visitor has now is told where they went."""
    game = find_game(game_id)
    around = page_context(request, game, player_of(request))
    moved = parse_ply(request.GET.get("held", "0")) > around["held"]
    return render(request, "games/_links_again.html", {"game": game, "moved": moved, **around})


@require_safe
def at_ply(request: HttpRequest, game_id: str, ply: int) -> HttpResponse:
    """The position after ``ply`` moves, as a page of its own."""
    return retry_after_undo(find_game(game_id), lambda game: _at_ply(request, game, ply))


def _at_ply(request: HttpRequest, game: Game, ply: int) -> HttpResponse:
    if ply > game.ply:
        raise Http404(NOT_SO_FAR, game.get_absolute_url())
    table = page_for(request, game, ply=ply)
    context = {
        "table": table,
        "written": _written(table),
        "picture_address": picture_address(request, game, ply),
        "hint": looked_back(game, ply) if game.over else None,
    }
    return never_store(render(request, "games/at_ply.html", context), table)


def _written(table: GamePage) -> str | None:
    """The moves so far as text; None where somebody resigned and the others played on, for a text
    does not say who."""
    record = table.game.rules.transcript
    moves = [move.text for move in all_moves(table.game)[: table.ply]]
    if record is None or RESIGN in (moves[:-1] if table.result else moves):
        return None
    return record.write(moves)


@require_safe
def picture(request: HttpRequest, game_id: str, ply: int) -> HttpResponse:
    """The position after ``ply`` moves as a PNG, as spectators see it: for previews of links."""
    game = find_game(game_id)
    try:
        PICTURES_PER_ADDRESS.hit(client_address(request))
    except RateLimited as refused:
        return HttpResponse(str(refused), status=refused.status, content_type="text/plain")
    board = retry_after_undo(game, lambda game: _seen_by_all(game, ply))
    response = HttpResponse(render_png(render_svg(board)), content_type="image/png")
    response["Cache-Control"] = "public, max-age=300"
    return response


def _seen_by_all(game: Game, ply: int) -> Board:
    if ply > game.ply:
        raise Http404
    return build_board(game.rules, position_at(game, ply), viewpoint=None)
