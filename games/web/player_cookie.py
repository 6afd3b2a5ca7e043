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


def player_id(request: HttpRequest) -> str | None:
    """The id that the browser's signed cookie holds; that player may be gone."""
    try:
        return _signer().unsign(request.COOKIES.get(settings.PLAYER_COOKIE, ""))
    except BadSignature:
        return None


def _find_player(request: HttpRequest) -> Player | None:
    known = player_id(request)
    return Player.objects.filter(pk=known).first() if known else None


def _unread(player_id: str) -> Player:
    """A player of whom only the id is known; the rest is read when it is asked for."""
    found: Player = Player.from_db(DEFAULT_DB_ALIAS, ["id"], [UUID(player_id)])
    return found


def player(get_response: Handler) -> Handler:
    """Gives ``request.player``, the browser's player, falsy while it has none; and
    ``request.holder``, the same unread, None while there is none: enough to ask which seats it
    holds, for a player that is gone holds none. Tells with whatever is not for the public that it
    is for this browser alone.

    A view that makes a player calls `set_player_cookie` on its answer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.player = SimpleLazyObject(lambda: _find_player(request))
        known = player_id(request)
        request.holder = _unread(known) if known else None
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
