"""The front door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, set_response_etag
from django.views.decorators.http import require_safe

from games import game_lists, services
from games.game_lists import ListedGame
from games.models import Player
from games.presentation.levels import level_name
from games.presentation.lists import Entry, Kind, build_entry
from games.web.last_choices import read_choices
from games.web.request import HttpRequest


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the kinds of game, the visitor's games, and the games that look for players.

    htmx gets the lists alone, unless it has them already."""
    context = _lists(request.get_player())
    if not request.htmx:
        return render(request, "games/home.html", {"kinds": _kinds(request), **context})
    response = render(request, "games/_lists.html", context)
    set_response_etag(response)
    etag = response["ETag"]
    return get_conditional_response(request, etag=etag, response=response) or response


def _kinds(request: HttpRequest) -> list[Kind]:
    """Return the kinds of game, each with the strength of the computer that the visitor had."""
    kinds = []
    for rules in game_lists.kinds_by_plays():
        level = read_choices(request, rules).level or services.default_level(rules)
        name = level_name(level, rules.levels) if level else None
        kinds.append(Kind(rules, services.opponents(rules), name))
    return kinds


def _lists(player: Player | None) -> dict[str, Any]:
    running = _entries(game_lists.running_games, player)
    my_turn = sum(entry.my_turn for entry in running)
    shown = max(game_lists.SHOWN, my_turn)
    return {
        "my_turn": my_turn,
        "running": running[:shown],
        "more_running": running[shown:],
        "finished": _entries(game_lists.finished_games, player),
        "offers": game_lists.open_games(player),
    }


def _entries(read: Callable[[Player], Sequence[ListedGame]], player: Player | None) -> list[Entry]:
    found = read(player) if player else []
    return [build_entry(game, seating, player.pk) for game, seating in found] if player else []
