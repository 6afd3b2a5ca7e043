"""The pages about the API: its documentation, and a player's tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.api.endpoints import api
from games.core.rate_limits import GAMES_PER_ADDRESS, TESTS_PER_PLAYER
from games.core.refusals import Refusal
from games.models import Bot, Player
from games.people.bots import bots_of, make_token, tokens_of, withdraw_token
from games.views.common import count_request, form_action, require_player, with_player
from games.web.request import HttpRequest, parse_ply

LIMITS = (TESTS_PER_PLAYER, GAMES_PER_ADDRESS)


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


def show_tokens(
    request: HttpRequest,
    player: Player | None,
    made: str = "",
    made_for: Bot | None = None,
    refused: Refusal | None = None,
) -> HttpResponse:
    """Show the tokens of a player, one that was ``made`` just now, and the player's bots."""
    context = {
        "title": _("Tokens for programs"),
        "tokens": tokens_of(player) if player else [],
        "bots": bots_of(player) if player else [],
        "player": player,
        "made": made,
        "made_for": made_for,
        "refused": refused.text if refused else None,
    }
    return render(request, "api/tokens.html", context, status=refused.status if refused else 200)


def _tokens_page(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    return show_tokens(request, request.get_player(), refused=refused)


@form_action(_tokens_page, asks=_tokens_page)
def tokens(request: HttpRequest) -> str | HttpResponse:
    """List the tokens of the visitor and of the visitor's bots (GET); make one, which is shown
    once, or withdraw one (POST). A visitor who has not played yet becomes a player by it."""
    if "withdraw" in request.POST:
        token_id = parse_ply(request.POST["withdraw"])
        withdraw_token(player=require_player(request), token_id=token_id)
        return "api_tokens"

    def make(player: Player) -> tuple[Player, Bot | None, str]:
        bot = bots_of(player).filter(pk=parse_ply(request.POST.get("bot", ""))).first()
        return player, bot, make_token(player=player, name=request.POST.get("name", ""), bot=bot)

    count_request(request, LIMITS)
    player, bot, token = with_player(request, make)
    # A redirect would lose the token, which is stored nowhere.
    return show_tokens(request, player, made=token, made_for=bot)
