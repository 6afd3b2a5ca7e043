"""A game on a sheet of paper: its players, a position, its moves and its result."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.core.translation import translate
from games.presentation.move_list import display_move
from games.presentation.pictures import public_picture
from games.presentation.sharing import seat_names
from games.state.snapshot import GameSnapshot
from games.views.common import find_game
from games.web.request import HttpRequest, parse_ply

FEW, MANY = 90, 240
"""Moves up to which a list fits beside the others on one sheet in large, and in smaller letters."""


@cache_control(no_store=True)
@require_safe
def sheet(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return a page for the printer, with the position after ``?ply=`` moves, by default the
    newest, as spectators see it."""
    snapshot = find_game(request, game_id)
    if not snapshot.game.begun:
        return redirect(snapshot.game)
    requested = parse_ply(request.GET.get("ply", ""))
    ply = requested if 0 <= requested <= snapshot.last_ply else snapshot.last_ply
    count = len(snapshot.moves)
    context = {
        "game": snapshot.game,
        "ply": ply,
        "is_last": ply == snapshot.last_ply,
        "picture": public_picture(snapshot.rules, snapshot.standing_at(ply)),
        "players": seat_names(snapshot),
        "moves": _moves(snapshot),
        "size": "few" if count <= FEW else "many" if count <= MANY else "most",
        "result": snapshot.standing.result,
        "address": request.build_absolute_uri(snapshot.game.get_absolute_url()),
    }
    return render(request, "exchange/print.html", context)


def _moves(snapshot: GameSnapshot) -> list[tuple[str, str]]:
    """Return the seat and the move of each ply, in words."""
    names = {spec.key: translate(spec.name) for spec in snapshot.specs}
    texts = (display_move(move.text, snapshot.rules) for move in snapshot.moves)
    return [(names[move.seat], text) for move, text in zip(snapshot.moves, texts, strict=True)]
