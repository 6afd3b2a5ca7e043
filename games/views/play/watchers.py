"""Closing a game to watchers, and opening it again, by its host."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.core.rate_limits import SEATS_PER_ADDRESS, SEATS_PER_PLAYER
from games.core.refusals import Refusal
from games.models import Game
from games.services.watchers import close_to_watchers
from games.views.common import count_request, find_game, game_address, require_player
from games.views.responses import game_response
from games.web.request import HttpRequest


@require_POST
def watchers(request: HttpRequest, game_id: str) -> HttpResponse:
    """Close a game to watchers, or with ``watchers=open`` open it again. Redirect to its page,
    which loses or gains the link for watchers."""
    closed = request.POST.get("watchers") != "open"
    snapshot = find_game(request, game_id)
    try:
        count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
        player = require_player(request)
        snapshot = close_to_watchers(game_id=game_id, player=player, closed=closed)
    except Game.DoesNotExist as error:
        raise Http404 from error
    except Refusal as refused:
        return game_response(request, snapshot, refused=refused)
    address = game_address(request, snapshot)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
