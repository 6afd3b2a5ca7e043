"""The API itself: its tokens, its refusals, and the helpers of its endpoints."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import conditional_page
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.security import HttpBearer

from games.api import states
from games.api.documents import GameState
from games.api.problems import describe_problems, problem_of, problem_response
from games.contract import Explained, Text, text
from games.core.rate_limits import API_PER_TOKEN, Limits
from games.core.refusals import Suspended
from games.models import ApiToken, Game
from games.people.bots import find_token
from games.services import absence
from games.state.replay import Unreadable
from games.state.seat_rights import ClosedToWatchers, check_watching
from games.state.snapshot import GameSnapshot, read_snapshot
from games.web.client_address import client_address

NO_TOKEN = text("This needs a token: send “Authorization: Bearer <token>”.")
NOT_VALID = text(
    "This token is not valid any longer. Tokens for one seat have ended: hand the seat to a bot of "
    "yours, and make a token for the bot."
)
NOT_FOUND = text("There is no such game or kind of game.")
BAD_REQUEST = text("The request does not have the form that the documentation describes.")


class Bearer(HttpBearer):
    """Finds the row of the token in the header Authorization."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """Return the token's row, None for an unknown one. Raises RateLimited or Suspended."""
        found = find_token(token)
        if found:
            API_PER_TOKEN.hit(found.token_hash)
            if request.method == "POST":
                check_suspended(found)
        return found


class API(NinjaAPI):
    """The API. In generated clients its operations have the names of their functions."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name under which the OpenAPI file has an operation."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **_options: Any) -> OpenAPISchema:
        """Return the OpenAPI file, in which refusals are problems; made once a language."""
        return self._schema(get_language())

    @lru_cache  # noqa: B019  # there is one API
    def _schema(self, _language: str | None) -> OpenAPISchema:
        schema = super().get_openapi_schema()
        describe_problems(schema)
        parts, views = schema["components"]["schemas"], states.view_schemas()
        parts.update(views)
        kinds = [{"$ref": f"#/components/schemas/{name}"} for name in views]
        # The board of a lobby is not shown: {}.
        about = parts["GameState"]["properties"]["view"]["description"]
        view = {"description": about, "anyOf": [*kinds, {"type": "object"}]}
        parts["GameState"]["properties"]["view"] = view
        return schema


api = API(
    title="Boardsite",
    version="1.1",
    description="Read and play games. Make a token in the settings, and send it as bearer.",
    auth=Bearer(),
    docs_url=None,
    docs_decorator=conditional_page,
    urls_namespace="api",
)


def token_of(request: HttpRequest) -> ApiToken:
    token: ApiToken = request.auth  # type: ignore[attr-defined]
    return token


def game_of(request: HttpRequest, game_id: str) -> GameSnapshot:
    """Return a game that the token may see. Raises Game.DoesNotExist, ClosedToWatchers."""
    snapshot = read_snapshot(game_id)
    check_watching(snapshot, token_of(request).player_id)
    absence.note_visit(snapshot, token_of(request).player_id)
    return snapshot


def check_suspended(token: ApiToken) -> None:
    if token.player.suspended:
        raise Suspended(token.player.suspended_for)


def count_request(request: HttpRequest, limits: Limits) -> None:
    """Count a request against the limits that pages have too. Raises RateLimited."""
    per_player, per_address = limits
    per_address.hit(client_address(request))
    per_player.hit(str(token_of(request).player_id))


def site_of(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def state_for(request: HttpRequest, game_id: str, seat: str | None = None) -> GameState:
    snapshot = game_of(request, game_id)
    address = site_of(request) + snapshot.game.get_absolute_url()
    return states.state_of(token_of(request), snapshot, address, seat)


def _refuse(status: int, name: str, sentence: Text, field: str = "") -> HttpResponse:
    return problem_response(problem_of(status, name, sentence, field))


@api.exception_handler(Explained)
def _refused(request: HttpRequest, error: Explained) -> HttpResponse:
    """Answer with the sentence of an error, and with the latest position if that was missed."""
    status = 409 if isinstance(error, Unreadable) else getattr(error, "status", 422)
    field, state = getattr(error, "option", ""), None
    game_id = request.resolver_match and request.resolver_match.kwargs.get("game_id")
    if status == 409 and game_id:
        with suppress(Unreadable, ClosedToWatchers):
            state = state_for(request, game_id)
    # StalePly is stale_ply.
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()
    return problem_response(problem_of(status, name, error.text, field, state))


@api.exception_handler(AuthenticationError)
def _no_token(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    sent = "Authorization" in request.headers
    response = _refuse(401, "no_token", NOT_VALID if sent else NO_TOKEN)
    response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    place = error.errors[0]["loc"] if error.errors else ()
    field = ".".join(str(part) for part in place[2:] or place)
    return _refuse(422, "bad_request", BAD_REQUEST, field[:100])


@api.exception_handler(Game.DoesNotExist)
@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Exception) -> HttpResponse:
    return _refuse(404, "not_found", NOT_FOUND)
