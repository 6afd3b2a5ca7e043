"""The picture of a position on the page of an analysis."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from games.presentation.pictures import public_preview
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import position_of
from games.views.responses import game_picture
from games.views.review.analysis import looked_at, why_not
from games.web.request import HttpRequest


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
