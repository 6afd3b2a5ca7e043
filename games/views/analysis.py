"""Hints during a game, and its analysis."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import services
from games.contract import text
from games.evaluations import evaluation_at, read_evaluations, waiting
from games.models import Evaluation
from games.presentation.analysis import (
    HEIGHT,
    WIDTH,
    Hint,
    hint_of,
    may_analyse,
    never_evaluable,
    report,
    why_not_evaluable,
    with_ghost,
)
from games.presentation.replay import ply_links
from games.rate_limits import ANALYSES_PER_ADDRESS, HINTS_PER_PLAYER, RateLimited
from games.refusals import NotBegun, NotYourSeat, Refusal
from games.snapshot import GameSnapshot
from games.views.common import find_game, held_seats, require_player
from games.views.responses import game_page, never_store, status_of
from games.web.client_address import client_address
from games.web.forms import parse_ply
from games.web.request import HttpRequest

NO_HINTS = text("Hints are off in this game.")
TOO_EARLY = text("You can analyse this game once it’s over.")


@require_http_methods(["GET", "HEAD", "POST"])
def hint(request: HttpRequest, game_id: str) -> HttpResponse:
    """POST asks for a hint at the present ply; GET tells whether it is there."""
    snapshot = find_game(game_id)
    refused: Refusal | None = None
    try:
        _check_hint(request, snapshot)
        if request.method == "POST":
            HINTS_PER_PLAYER.hit(str(request.player_id))
            services.ask_evaluations(snapshot=snapshot, plies=[snapshot.game.ply], hint=True)
    except Refusal as error:
        refused = error
    if request.method == "POST" and not refused and not request.htmx:
        return redirect(reverse("hint", args=[game_id]))
    return _hint_response(request, snapshot, refused)


def _check_hint(request: HttpRequest, snapshot: GameSnapshot) -> None:
    game = snapshot.game
    if not game.begun:
        raise NotBegun
    if not (game.hints and snapshot.rules.analysis) or game.over:
        raise Refusal(NO_HINTS)
    require_player(request)
    if not held_seats(request, snapshot):
        raise NotYourSeat


def _hint_response(
    request: HttpRequest, snapshot: GameSnapshot, refused: Refusal | None
) -> HttpResponse:
    evaluation = None if refused else evaluation_at(snapshot, snapshot.game.ply)
    done = evaluation is not None and evaluation.done
    waits = evaluation is not None and not done
    if request.htmx and request.method != "POST" and waits:
        # The page has this already; the same words would be read out at every request.
        return HttpResponse(status=204)
    context = {
        "game": snapshot.game,
        "refused": refused and refused.text,
        "waiting": waits,
        "hint": hint_of(evaluation, snapshot.position) if evaluation and done else None,
        "asked": evaluation is not None,
        "cannot": evaluation and why_not_evaluable(evaluation),
    }
    template = "games/_hint.html" if request.htmx else "games/hint.html"
    return render(request, template, context, status=status_of(refused))


@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return the analysis of a game, for viewers that `may_analyse` allows; POST starts it."""
    snapshot = find_game(game_id)
    if not snapshot.rules.analysis:
        raise Http404
    allowed = snapshot.game.begun and may_analyse(snapshot, held_seats(request, snapshot))
    why_not = never_evaluable(snapshot) if allowed else TOO_EARLY
    refused = Refusal(why_not) if why_not else None
    if request.method == "POST" and not refused:
        try:
            return _start(request, snapshot)
        except RateLimited as error:
            refused = error
    if request.htmx and not refused and request.GET.get("waiting") == str(waiting(snapshot)):
        # The page has this already; the rest of the report takes much longer.
        return HttpResponse(status=204)
    template = "games/_analysis.html" if request.htmx else "games/analysis.html"
    if refused:
        told = {"game": snapshot.game, "refused": refused.text}
        return render(request, template, told, status=refused.status)
    context = _report_context(request, snapshot)
    return never_store(render(request, template, context), context["page"])


def _start(request: HttpRequest, snapshot: GameSnapshot) -> HttpResponse:
    """Ask for all evaluations that the analysis of a game needs. Raises RateLimited."""
    ANALYSES_PER_ADDRESS.hit(client_address(request))
    if request.player_id is not None:
        HINTS_PER_PLAYER.hit(str(request.player_id))
    services.ask_evaluations(snapshot=snapshot, plies=range(snapshot.game.ply + 1))
    return redirect(reverse("analysis", args=[snapshot.game.id]))


def _report_context(request: HttpRequest, snapshot: GameSnapshot) -> dict[str, Any]:
    """Return the report, and the move of ``?ply=`` that is looked at, with its board."""
    found = report(snapshot, read_evaluations(snapshot))
    services.mark_seen(snapshot=snapshot)
    game, ply = snapshot.game, parse_ply(request.GET.get("ply", ""))
    asked = 0 <= ply <= game.ply
    if not asked:
        ply = found.worth_a_look
    page = game_page(request, snapshot, ply=ply)
    line = found.lines[ply - 1] if ply else None
    hint = hint_at(snapshot, ply - 1) if ply else None
    better = hint.cells if line and line.better and hint else ()
    return {
        "game": game,
        "report": found,
        "asked": asked,
        "page": page,
        "board": with_ghost(page.board, better),
        "ply_links": ply_links(ply, snapshot.last_ply, lambda ply: f"?ply={ply}"),
        "ply_address": "?ply={}",
        "line": line,
        "hint": hint,
        "here": ply * WIDTH / max(1, game.ply),
        "width": WIDTH,
        "height": HEIGHT,
    }


def hint_at(snapshot: GameSnapshot, ply: int) -> Hint | None:
    """Return the values of the moves after ``ply``, once the game has been analysed."""
    found: Evaluation | None = None
    if snapshot.rules.analysis:
        found = evaluation_at(snapshot, ply)
    return hint_of(found, snapshot.at(ply)) if found else None
