"""Whose browser it is: the player that its signed cookie names."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import DEFAULT_DB_ALIAS
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from games.models import Player

Handler = Callable[[HttpRequest], HttpResponse]
YEAR = 365 * 24 * 3600


def _signer() -> Signer:
    return Signer(salt="games.player")


def player_id(request: HttpRequest) -> UUID | None:
    """Return the id in the browser's signed cookie; that player may have been deleted."""
    try:
        return UUID(_signer().unsign(request.COOKIES.get(settings.PLAYER_COOKIE, "")))
    except (BadSignature, ValueError):
        return None


def _find_player(player_id: UUID | None) -> Player | None:
    return Player.objects.filter(pk=player_id).first() if player_id else None


def unread_player(player_id: UUID) -> Player:
    """Return a player of whom only the id is known; other fields are read on demand."""
    found: Player = Player.from_db(DEFAULT_DB_ALIAS, ["id"], [player_id])
    return found


def player(get_response: Handler) -> Handler:
    """Set ``request.player_id``, None for a browser without a player, and ``request.player``, which
    is read on demand and falsy while there is none. Mark answers that are not public as private.

    A view that makes a player calls `set_player_cookie` on its answer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.player_id = player_id(request)
        request.player = SimpleLazyObject(lambda: _find_player(request.player_id))
        response = get_response(request)
        if request.method in {"GET", "HEAD"} and "public" not in response.get("Cache-Control", ""):
            patch_vary_headers(response, ["Cookie"])
            response.setdefault("Cache-Control", "private")
        return response

    return middleware


def set_player_cookie(response: HttpResponse, player: Player) -> HttpResponse:
    """Let the browser keep who it is, for a year from now."""
    response.set_cookie(
        settings.PLAYER_COOKIE,
        _signer().sign(str(player.pk)),
        max_age=YEAR,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    return response
