"""The visitor's own games: waiting, running and finished ones."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.core.refusals import NotYourSeat, Refusal
from games.core.registry import all_rules
from games.models import Game, Player
from games.people import own_games
from games.presentation.lists import build_entry
from games.services.challenges import challenges_to
from games.state import lists
from games.state.lists import Filters
from games.views.common import pictured, require_player, show_page
from games.web.headers import unless_known
from games.web.request import HttpRequest, return_path


def turns(request: HttpRequest) -> dict[str, Any]:
    """Return a function for the header of pages that counts the games waiting for the visitor but
    for the page's own, in one query at most, and none in answers to moves."""

    def count() -> lists.Turns | None:
        player_id = getattr(request, "player_id", None)
        if player_id is None or request.method == "POST":
            return None
        return lists.turns_waiting(player_id, but_for=_shown(request))

    return {"turns": cache(count), "shown_game": _shown(request)}


def _shown(request: HttpRequest) -> str:
    """Return the id of the game on whose page the header is, '' for other pages."""
    match = request.resolver_match
    on_page = match.kwargs["game_id"] if match and match.url_name == "game" else ""
    return on_page or request.GET.get("shown", "")


@require_safe
def turns_again(request: HttpRequest) -> HttpResponse:
    """Return the link of the header again, unless the browser has it. Open pages poll it."""
    html = render_to_string("lists/_me_link.html", {}, request)
    return unless_known(request, HttpResponse(html))


@require_safe
def next_game(request: HttpRequest) -> HttpResponse:
    """Lead to the game with others that has waited longest for the visitor, or to all games."""
    player_id = getattr(request, "player_id", None)
    longest = lists.longest_waiting(player_id) if player_id else None
    return redirect("game", longest) if longest else redirect("my_games")


def my_games_page(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    player = request.get_player()
    context = _running(player) | _removed(request, player) if player else {}
    asks = challenges_to(player.pk) if player else []
    context |= {"player": player, "asks": asks}
    return show_page(request, "lists/my_games.html", context, refused)


@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """Show the visitor's running games, first those that have waited longest."""
    return my_games_page(request)


def _running(player: Player) -> dict[str, Any]:
    found = lists.running_games(player)
    entries = [(listed, build_entry(*listed, player.pk)) for listed in found]
    waiting = [(listed, entry) for listed, entry in entries if entry.my_turn and listed.game.begun]
    waiting.sort(key=lambda pair: pair[0].game.updated)
    return {
        "awaited": any(entry.awaited for _, entry in waiting),
        "waiting": pictured([entry for _, entry in waiting]),
        "running": [pair[1] for pair in entries if pair not in waiting],
    }


def _removed(request: HttpRequest, player: Player) -> dict[str, Any]:
    """Return the game that was just removed (``?removed=``), and the page of the list."""
    held = player.holders.filter(seat__game=request.GET.get("removed", ""), hidden=True)
    game = Game.objects.filter(pk__in=held.values("seat__game")).first()
    return {"removed": game if game and game.kind in all_rules() else None, "list": request.path}


@require_POST
def remove(request: HttpRequest, game_id: str) -> HttpResponse:
    """Remove a game from the visitor's lists, or put it ``back``, and return to ``next``."""
    back = "back" in request.POST
    try:
        player = require_player(request)
        own_games.remove_from_lists(game_id=game_id, player=player, removed=not back)
    except NotYourSeat as error:
        raise Http404 from error
    address = return_path(request) or reverse("my_games")
    return redirect(address if back else f"{address}?removed={game_id}")


@require_safe
def finished(request: HttpRequest) -> HttpResponse:
    """Show a page of the visitor's finished games, filtered by the query string."""
    player = request.get_player()
    filters = Filters.parse(request.GET)
    context: dict[str, Any] = {"player": player, "filters": filters, "kinds": all_rules().values()}
    if player:
        page = lists.finished_page(player, filters, older=request.GET.get("before", ""))
        context["finished"] = [build_entry(*listed, player.pk) for listed in page.games]
        context["older"] = page.older
        context["is_first"] = "before" not in request.GET
        context |= _removed(request, player)
    return render(request, "lists/finished_games.html", context)
