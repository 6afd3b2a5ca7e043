"""Hints during a game, and the look back at it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import services
from games.contract import text
from games.models import Game, Player
from games.move_list import parse_ply
from games.presentation import game_page as tables_module
from games.presentation.analysis import (
    HEIGHT,
    WIDTH,
    evaluation_at,
    looked_back,
    may_analyse,
    never_valued,
    report,
    waiting,
    why_not_evaluable,
)
from games.presentation.analysis import hint as hint_of
from games.rate_limits import ANALYSES_PER_ADDRESS, HINTS_PER_PLAYER, RateLimited
from games.refusals import NotYourSeat, Refusal
from games.views.common import (
    find_game,
    holder_of,
    never_store,
    page_for,
    require_player,
    retry_after_undo,
    status_of,
)
from games.web.client_address import client_address

NO_HINTS = text("Hints were not allowed in this game.")
TOO_EARLY = text("A game is analysed when it is over.")


@require_http_methods(["GET", "HEAD", "POST"])
def hint(request: HttpRequest, game_id: str) -> HttpResponse:
    """POST asks for a hint at the present ply; GET tells whether it is there."""
    game = find_game(game_id)
    refused: Refusal | None = None
    try:
        player = _check_hint(request, game)
        if request.method == "POST":
            HINTS_PER_PLAYER.hit(str(player.pk))
            services.ask_evaluations(game=game, plies=[game.ply], hint=True)
    except Refusal as error:
        refused = error
    if request.method == "POST" and not refused and not request.htmx:
        return redirect(reverse("hint", args=[game.id]))
    return _hint_page(request, game, refused)


def _check_hint(request: HttpRequest, game: Game) -> Player:
    if not (game.hints and game.rules.analysis) or game.over:
        raise Refusal(NO_HINTS)
    player = require_player(request)
    if not tables_module.seats_of(game, player):
        raise NotYourSeat
    return player


def _hint_page(request: HttpRequest, game: Game, refused: Refusal | None) -> HttpResponse:
    evaluation = None if refused else evaluation_at(game, game.ply)
    done = evaluation is not None and evaluation.done
    waits = evaluation is not None and not done
    if request.htmx and request.method != "POST" and waits:
        # Who asks again and again has this already; the same words would be read out each time.
        return HttpResponse(status=204)
    context = {
        "game": game,
        "refused": refused and refused.text,
        "waiting": waits,
        "hint": hint_of(evaluation) if evaluation and done else None,
        "asked": evaluation is not None,
        "cannot": evaluation and why_not_evaluable(evaluation),
    }
    partial = request.htmx
    template = "games/_hint.html" if partial else "games/hint.html"
    return render(request, template, context, status=status_of(refused))


@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: HttpRequest, game_id: str) -> HttpResponse:
    """The analysis of a game for whoever may have it, see `may_analyse`; POST starts it."""
    game = find_game(game_id)
    if not game.rules.analysis:
        raise Http404
    allowed = may_analyse(game, tables_module.seats_of(game, holder_of(request)))
    why_not = retry_after_undo(game, never_valued) if allowed else TOO_EARLY
    refused = Refusal(why_not) if why_not else None
    if request.method == "POST" and not refused:
        try:
            return _ask(request, game)
        except RateLimited as error:
            refused = error
    if request.htmx and not refused and request.GET.get("waiting") == str(waiting(game)):
        # Who asks again and again has this already; the rest of the report takes much longer.
        return HttpResponse(status=204)
    template = "games/_analysis.html" if request.htmx else "games/analysis.html"
    if refused:
        told = {"game": game, "refused": refused.text}
        return render(request, template, told, status=refused.status)
    context = retry_after_undo(game, lambda game: _look(request, game))
    return never_store(render(request, template, context), context["table"])


def _ask(request: HttpRequest, game: Game) -> HttpResponse:
    """Ask for what the analysis of a game needs. Raises RateLimited."""
    ANALYSES_PER_ADDRESS.hit(client_address(request))
    if (player := holder_of(request)) is not None:
        HINTS_PER_PLAYER.hit(str(player.pk))
    services.ask_evaluations(game=game, plies=range(game.ply + 1))
    return redirect(reverse("analysis", args=[game.id]))


def _look(request: HttpRequest, game: Game) -> dict[str, Any]:
    """The report, and the move of ``?ply=`` that is looked at, with the board that it made."""
    found = report(game)
    ply = parse_ply(request.GET.get("ply", ""))
    asked = 0 <= ply <= game.ply
    if not asked:
        ply = found.worth_a_look
    return {
        "game": game,
        "report": found,
        "asked": asked,
        "table": page_for(request, game, ply=ply),
        "line": found.lines[ply - 1] if ply else None,
        "hint": looked_back(game, ply - 1) if ply else None,
        "here": ply * WIDTH / max(1, game.ply),
        "width": WIDTH,
        "height": HEIGHT,
    }
