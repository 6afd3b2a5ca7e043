"""Ways on from an analysis: the picture of a position for previews, and a new game from it."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from games.core.rate_limits import GAMES_PER_ADDRESS, GAMES_PER_PLAYER
from games.models import Game, Player
from games.presentation.pictures import public_preview
from games.services import plans, setup
from games.services.plans import plan_continuation
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import can_play_on, may_explore, position_of, read_variation
from games.views.common import count_request, find_game, held_seats, new_game_id, with_player
from games.views.responses import game_picture
from games.views.review.analysis import looked_at, why_not
from games.web.client_address import origin_of
from games.web.last_choices import read_choices
from games.web.request import HttpRequest, parse_ply


@require_POST
def play_on(request: HttpRequest, game_id: str) -> HttpResponse:
    """Create a game against the opponent ``with`` that begins after ``ply`` moves of another game
    and the tried moves ``line``, and redirect to it."""
    snapshot, opponent = find_game(request, game_id), request.POST.get("with", "")
    rules, ply = snapshot.rules, parse_ply(request.POST.get("ply", ""))
    if opponent not in plans.opponents(rules) or not 0 <= ply <= snapshot.last_ply:
        raise BadRequest
    variation = read_variation(snapshot, ply, request.POST.get("line", ""))
    allowed = snapshot.game.begun and may_explore(snapshot, held_seats(request, snapshot))
    if not allowed or not can_play_on(snapshot, position_of(snapshot, variation)):
        raise Http404
    plan = plan_continuation(
        snapshot=snapshot,
        variation=variation,
        opponent=opponent,
        level=read_choices(request, rules).level,
    )

    count_request(request, (GAMES_PER_PLAYER, GAMES_PER_ADDRESS))

    def start(player: Player) -> Game:
        game_id, origin = new_game_id(request, player), origin_of(request)
        return setup.start_game(player=player, plan=plan, origin=origin, game_id=game_id)

    return redirect(with_player(request, start))


@require_safe
def picture(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return a PNG of the position after moves tried out, as spectators see it, for link previews.
    Only viewers of the analysis get it."""

    def picture_of(snapshot: GameSnapshot) -> bytes | None:
        variation = looked_at(request.GET, snapshot)
        if why_not(request, snapshot) or variation.ply < 0:
            return None
        return public_preview(snapshot.rules, Standing.of(position_of(snapshot, variation)))

    response = game_picture(request, game_id, picture_of)
    response["Cache-Control"] = "private, max-age=300"
    return response
