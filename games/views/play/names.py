"""The names of the people on a shared device."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.core.rate_limits import NAMES_PER_PLAYER
from games.core.refusals import Refusal
from games.models import Game
from games.services import players
from games.views.common import find_game, game_address, held_seats, require_player
from games.views.responses import game_response
from games.web.request import HttpRequest


@require_POST
def name_seats(request: HttpRequest, game_id: str) -> HttpResponse:
    """Name the people on the visitor's seats, by the fields ``name-<seat>``."""
    snapshot = find_game(request, game_id)
    sent = {key: request.POST.get(f"name-{key}") for key in held_seats(request, snapshot)}
    names = {key: name for key, name in sent.items() if name is not None}
    try:
        player = require_player(request)
        NAMES_PER_PLAYER.hit(str(player.pk))
        snapshot = players.name_seats(game_id=game_id, player=player, names=names)
    except Game.DoesNotExist as error:
        raise Http404 from error
    except Refusal as refused:
        return game_response(request, snapshot, refused=refused)
    return redirect(game_address(request, snapshot))
