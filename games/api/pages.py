"""The pages about the API: its documentation, and a player's tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from games.api.endpoints import api
from games.api.tokens import make_token, tokens_of, withdraw_token
from games.core.rate_limits import GAMES_PER_ADDRESS, TESTS_PER_PLAYER
from games.core.refusals import Refusal
from games.models import Game, Player
from games.views.common import count_request, require_player, with_player
from games.web.forms import parse_ply
from games.web.request import HttpRequest


@dataclass(frozen=True)
class Operation:
    """An operation of the OpenAPI file: its method, path and description, and the fields of its
    body."""

    method: str
    path: str
    about: str
    fields: list[tuple[str, str]]


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show how programs play here, made of the OpenAPI file."""
    described = api.get_openapi_schema()
    context = {
        "operations": [*_operations(described)],
        "site": request.build_absolute_uri("/").rstrip("/"),
        "base": request.build_absolute_uri("/api/1/"),
        "file": reverse("api:openapi-json"),
    }
    return render(request, "api/documentation.html", context)


def _operations(described: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            about = operation.get("description") or operation.get("summary", "")
            yield Operation(method.upper(), path, about, _fields(described, operation))


def _fields(described: dict[str, Any], operation: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the names and descriptions of the fields of a request's body."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
    properties = described["components"]["schemas"].get(name, {}).get("properties", {})
    return [(key, value.get("description", "")) for key, value in properties.items()]


@cache_control(no_store=True)
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List the visitor's tokens (GET); make one, which is shown once, or withdraw one (POST)."""
    if request.method != "POST":
        return _tokens(request)
    try:
        if "withdraw" in request.POST:
            return _withdraw(request)
        return _make(request)
    except Game.DoesNotExist as error:
        raise Http404 from error
    except Refusal as refused:
        return _tokens(request, refused=refused)


def _withdraw(request: HttpRequest) -> HttpResponse:
    token_id = parse_ply(request.POST["withdraw"])
    withdraw_token(player=require_player(request), token_id=token_id)
    return redirect("api_tokens")


def _make(request: HttpRequest) -> HttpResponse:
    """Make a token and show it. A visitor who has not played yet becomes a player by it."""
    found: list[tuple[Player, str]] = []

    def make(player: Player) -> str:
        asked = {key: request.POST.get(key, "") for key in ("name", "game", "seat")}
        made = make_token(
            player=player, name=asked["name"], game_id=asked["game"], seat=asked["seat"]
        )
        found.append((player, made))
        return reverse("api_tokens")

    count_request(request, (TESTS_PER_PLAYER, GAMES_PER_ADDRESS))
    redirected = with_player(request, make, None)
    # A redirect would lose the token, which is stored nowhere.
    page = _tokens(request, *found[0])
    page.cookies.update(redirected.cookies)
    return page


def _tokens(
    request: HttpRequest,
    player: Player | None = None,
    made: str = "",
    refused: Refusal | None = None,
) -> HttpResponse:
    player = player or request.get_player()
    context = {
        "tokens": tokens_of(player) if player else [],
        "made": made,
        "refused": refused.text if refused else None,
        "base": request.build_absolute_uri("/api/1/"),
    }
    return render(request, "api/tokens.html", context, status=refused.status if refused else 200)
