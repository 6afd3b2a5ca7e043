"""The front door."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import queries
from games.registry import all_rules
from games.views.common import player_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The kinds of game, the visitor's games, and the games that look for players."""
    player = player_of(request)
    running = queries.running_games(player) if player else []
    shown = max(queries.SHOWN, sum(entry.my_turn for entry in running))
    context = {
        "kinds": all_rules().values(),
        "running": running[:shown],
        "more_running": running[shown:],
        "finished": queries.finished_games(player) if player else [],
        "offers": queries.offers(player),
    }
    return render(request, "games/home.html", context)
