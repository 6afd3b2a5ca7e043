"""Refusals to programs, all in one form (RFC 9457), and the headers of all answers to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from ninja import Field, Schema
from ninja.schema import NinjaGenerateJsonSchema

from games.api.documents import GameState
from games.contract import Text, text
from games.core.translation import translate
from games.views.errors import PAGES
from games.web.headers import for_anywhere

API = "/api/1/"
MEDIA_TYPE = "application/problem+json"
ONLY_HTTPS = text("Send your token by https: it has just been sent so that others can read it.")
WRONG = text("Something went wrong")
REFERENCE = "#/components/schemas/{model}"
STATUSES = [HTTPStatus(status) for status in (401, 403, 404, 409, 422, 429)]
ALLOWED = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
    "Access-Control-Max-Age": "86400",
}


class Problem(Schema):
    """A refusal."""

    error: str = Field(description="the name of the refusal, such as stale_ply")
    message: str = Field(description="a sentence in the language of the request")
    field: str = Field("", description="the faulty field, if there is one")
    title: str = Field("", description="the name of the status")
    status: int
    state: GameState | None = Field(None, description="the latest position, with 409")


def problem_of(
    status: int, name: str, sentence: Text, field: str = "", state: GameState | None = None
) -> Problem:
    """Return a refusal with its sentence in the active language."""
    return Problem(
        error=name,
        message=translate(sentence),
        field=field,
        title=HTTPStatus(status).phrase,
        status=status,
        state=state,
    )


def problem_body(problem: Problem) -> bytes:
    """Return a refusal as JSON, with a state only if it has one."""
    return problem.model_dump_json(exclude=None if problem.state else {"state"}).encode()


def problem_response(problem: Problem) -> HttpResponse:
    return HttpResponse(problem_body(problem), status=problem.status, content_type=MEDIA_TYPE)


def is_in_clear(request: HttpRequest) -> bool:
    """Return whether a token came by http to a site with https, where others could read it."""
    sent = "HTTP_AUTHORIZATION" in request.META
    return sent and bool(settings.SECURE_SSL_REDIRECT) and not request.is_secure()


def answer_program(
    request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponse]
) -> HttpResponse:
    """Answer a request to the API: pages of errors become problems, and programs in browsers may
    read the answers, to which no cookie leads."""
    if request.method == "OPTIONS":
        return for_anywhere(HttpResponse(status=204, headers=ALLOWED))
    if is_in_clear(request):
        with translation.override(translation.get_language_from_request(request)):
            response = problem_response(problem_of(403, "only_https", ONLY_HTTPS))
    else:
        response = get_response(request)
    status, kind = response.status_code, response.get("Content-Type", "")
    if status >= 400 and not kind.startswith(MEDIA_TYPE):
        kept = {name: response[name] for name in ("Allow", "Retry-After") if name in response}
        sentence = PAGES[status][1] if status in PAGES else WRONG
        name = re.sub(r"\W+", "_", HTTPStatus(status).phrase).lower()
        response = problem_response(problem_of(status, name, sentence))
        for header, value in kept.items():
            response[header] = value
    if "HTTP_AUTHORIZATION" in request.META:
        response["Cache-Control"] = "no-store"
    response["Access-Control-Expose-Headers"] = "Location, Retry-After"
    return for_anywhere(response)


def describe_problems(schema: dict[str, Any]) -> None:
    """Add the refusals to the operations of an OpenAPI file. Declared at each operation they were
    five of six of its models, and the file took four times as long."""
    answer = Problem.model_json_schema(True, REFERENCE, NinjaGenerateJsonSchema, "serialization")
    schema["components"]["schemas"] |= {**answer.pop("$defs"), "Problem": answer}
    content = {MEDIA_TYPE: {"schema": {"$ref": REFERENCE.format(model="Problem")}}}
    refused = {each.value: {"description": each.phrase, "content": content} for each in STATUSES}
    for methods in schema["paths"].values():
        for operation in methods.values():
            if "security" in operation:
                operation["responses"] |= refused
