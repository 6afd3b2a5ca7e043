"""The drawings on the cards of a board, as one SVG file."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.presentation.sprites import Sprite, example_sprite, game_sprite
from games.views.common import find_game
from games.views.lobby.new import find_rules
from games.web.request import HttpRequest

YEAR = 365 * 24 * 3600


@require_safe
def sprite(request: HttpRequest, game_id: str, digest: str) -> HttpResponse:
    game = find_game(request, game_id).game
    response = _response(game_sprite(game) if game.begun else None, digest)
    shared = {"private": True} if game.closed else {"public": True}
    patch_cache_control(response, **shared, max_age=YEAR, immutable=True)
    return response


@cache_control(public=True, max_age=YEAR, immutable=True)
@require_safe
def rules_sprite(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    return _response(example_sprite(find_rules(slug)), digest)


def _response(found: Sprite | None, digest: str) -> HttpResponse:
    if found is None or found.digest != digest:
        raise Http404
    return HttpResponse(found.svg, content_type="image/svg+xml")
