"""The signed cookie that identifies a browser as a device of a player."""

from __future__ import annotations

from functools import cache, lru_cache
from uuid import UUID

from django import http
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import DEFAULT_DB_ALIAS
from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac

from games.models import Player
from games.state.identity import first_player, player_of
from games.web.headers import keep_cookie
from games.web.request import GetResponse, HttpRequest, form_key

LENGTH = 36 + 1 + 43
"""Characters of a cookie: an id, a colon and a signature."""


def _signer() -> Signer:
    return Signer(salt="games.player")


@lru_cache(10_000)
def _read(cookie: str, _secret_key: str) -> UUID | None:
    try:
        return UUID(_signer().unsign(cookie))
    except (BadSignature, ValueError):
        return None


def read_device_id(request: http.HttpRequest) -> UUID | None:
    cookie = request.COOKIES.get(settings.PLAYER_COOKIE, "")
    # Cached, since a browser sends the same cookie for a year.
    return _read(cookie, settings.SECRET_KEY) if len(cookie) == LENGTH else None


def read_player_id(request: http.HttpRequest) -> UUID | None:
    """Return the id of the browser's player, who may be deleted; None without one."""
    device_id = read_device_id(request)
    return player_of(device_id) if device_id else None


def unread_player(player_id: UUID) -> Player:
    """Return a player with only its id loaded; other fields are loaded on demand."""
    return Player.from_db(DEFAULT_DB_ALIAS, ["id"], [player_id])


def first_player_id(request: http.HttpRequest) -> UUID | None:
    """Return the id of the player whom the first form of a browser makes; None without a CSRF
    cookie or token.

    It is derived from both, so that a form sent twice makes one player, and the cookie alone, which
    an earlier user of the browser may know, signs nobody in. A device that was signed out begins
    anew."""
    secret, key = request.META.get("CSRF_COOKIE"), form_key(request)
    if not secret or not key:
        return None
    seed = f"{secret}:{read_device_id(request) or ''}:{key}"
    digest = salted_hmac("games.first_player", seed, algorithm="sha256").digest()
    return UUID(bytes=digest[:16], version=4)


def _find_player(player_id: UUID | None) -> Player | None:
    return Player.objects.filter(pk=player_id).first() if player_id else None


def identify(request: HttpRequest) -> None:
    """Set ``request.device_id``, ``request.player_id``, ``get_player`` and ``cookie_for``."""
    request.cookie_for = None
    request.device_id = device_id = read_device_id(request)
    request.player_id = player_id = player_of(device_id) if device_id else None
    request.get_player = cache(lambda: _find_player(player_id))


def identify_player(get_response: GetResponse) -> GetResponse:
    """Identify the player of each request, and mark responses that are not public as private.

    A view that creates a player, or signs one in, calls `remember`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        identify(request)
        if request.player_id is None and request.method == "POST":
            _recognize_first_player(request)
        response = get_response(request)
        if request.cookie_for:
            set_player_cookie(response, *request.cookie_for)
        if request.method in {"GET", "HEAD"} and "public" not in response.get("Cache-Control", ""):
            patch_vary_headers(response, ["Cookie"])
            response.setdefault("Cache-Control", "private")
        return response

    return middleware


def _recognize_first_player(request: HttpRequest) -> None:
    """Set the player of an earlier form, whose answer with the cookie the browser has dropped."""
    first_id = first_player_id(request)
    if first_id and (player := first_player(first_id)):
        request.device_id = request.player_id = player.pk
        request.get_player = lambda: player
        request.cookie_for = player, None


def remember(request: HttpRequest, player: Player, device_id: UUID | None = None) -> None:
    """Let the response set the cookie of a player, for a certain device or that of the request."""
    known = request.device_id if player.pk == request.player_id else None
    request.cookie_for = player, device_id or known


def set_player_cookie(
    response: HttpResponse, player: Player, device_id: UUID | None = None
) -> HttpResponse:
    """Set a device's cookie, by default the player's first, and return the response."""
    keep_cookie(response, settings.PLAYER_COOKIE, _signer().sign(str(device_id or player.pk)))
    return response
