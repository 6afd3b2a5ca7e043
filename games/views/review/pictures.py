"""The picture of a position on the page of an analysis."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from games.core.rate_limits import PICTURES_PER_ADDRESS, RateLimited
from games.presentation.board import build_board
from games.presentation.pictures import render_png, render_svg
from games.state.snapshot import Standing
from games.state.variations import position_of
from games.views.common import find_game
from games.views.review.analysis import looked_at, why_not
from games.web.client_address import client_address
from games.web.headers import for_anywhere
from games.web.request import HttpRequest


@require_safe
def picture(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return a PNG of the position after moves tried out, as spectators see it, for link previews.
    Only viewers of the analysis get it."""
    snapshot = find_game(request, game_id)
    if why_not(request, snapshot):
        raise Http404
    variation = looked_at(request.GET, snapshot)
    if variation.ply < 0:
        raise Http404
    try:
        PICTURES_PER_ADDRESS.hit(client_address(request))
    except RateLimited as refused:
        return HttpResponse(str(refused), status=refused.status, content_type="text/plain")
    standing = Standing.of(position_of(snapshot, variation))
    svg = render_svg(build_board(snapshot.rules, standing, viewpoint=None))
    response = for_anywhere(HttpResponse(render_png(svg), content_type="image/png"))
    response["Cache-Control"] = "private, max-age=300"
    return response
