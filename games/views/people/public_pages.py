"""The public page of a player, with the games that anybody may watch, and turning it on and off."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.core.rate_limits import SEATS
from games.core.registry import all_rules
from games.models import Player
from games.people import own_games
from games.presentation.lists import Entry, build_public_entry
from games.presentation.sharing import player_preview
from games.state import lists
from games.state.lists import Filters
from games.views.common import check_suspended, count_request
from games.views.lists import pictured
from games.web.request import HttpRequest


@require_safe
def player_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the public games of a player: the running ones, and a page of finished ones."""
    player = own_games.player_of_page(public_id)
    if player is None:
        raise Http404
    filters, older = Filters.parse(request.GET), request.GET.get("before", "")
    page = lists.finished_page(player, replace(filters, name=""), older=older, public=True)
    running = [] if older else pictured(_running(player))
    finished = pictured([build_public_entry(*listed, player.pk) for listed in page.games])
    context = {
        "player": player,
        "filters": filters,
        "kinds": all_rules().values(),
        "running": running,
        "finished": finished,
        "preview": player_preview(player, [item.entry.game for item in [*running, *finished]]),
        "older": page.older,
        "is_first": not older,
    }
    return render(request, "people/player_page.html", context)


def _running(player: Player) -> list[Entry]:
    found = [listed for listed in lists.running_games(player) if listed.game.begun]
    open_games = [listed for listed in found if not listed.game.closed]
    open_games.sort(key=lambda listed: listed.game.updated, reverse=True)
    return [build_public_entry(*listed, player.pk) for listed in open_games]


@require_POST
def publish(request: HttpRequest) -> HttpResponse:
    """Give the visitor a public page, or with ``public=no`` remove it."""
    player = request.get_player()
    public = request.POST.get("public") != "no"
    if player is not None:
        check_suspended(request)
        count_request(request, SEATS)
        own_games.publish_player(player=player, public=public)
    return redirect(f"{reverse('account')}?done={'public' if public else 'no-public'}#public")
