"""Middleware of the site: checks of every request, headers of every response."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, IntegrityError
from django.http import HttpResponse
from django.utils.cache import patch_vary_headers

from games.core.rate_limits import PAGES_PER_ADDRESS, RateLimited, seconds_to_wait
from games.people.access import logger
from games.state.identity import clear_player_cache
from games.views.errors import (
    bad_request,
    collision,
    explain,
    not_allowed,
    not_found,
    refuse,
    too_large,
)
from games.web.client_address import check_host, client_address
from games.web.player_cookie import identify
from games.web.request import GetResponse, HttpRequest
from games.web.slot import WaitsForSlot

NOT_ALLOWED = 405
LATER = {429, 503}
REFUSED = {401, 403}
SQLITE_NAMES = ("FOREIGNKEY", "UNIQUE", "PRIMARYKEY", "ROWID")
RETRIED = {"40P01", "40001"}
"""PostgreSQL's error codes for a deadlock and for transactions that cannot both be done."""
VANISHED = {"23503", "23505", *(f"SQLITE_CONSTRAINT_{name}" for name in SQLITE_NAMES)}
"""The error codes of a row whose owner is gone, and of a row that is there already."""
COMMIT_FAILURE = "games.commit_failure"
"""The key in ``request.META`` of the error that may have lost the commits of a request."""

log = logging.getLogger(__name__)


def require_own_host(get_response: GetResponse) -> GetResponse:
    """Refuse hosts that are not the site's own, see `check_host`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        check_host(request)
        return get_response(request)

    return middleware


def limit_pages(get_response: GetResponse) -> GetResponse:
    """Refuse the pages of an address beyond its limit, say in ``Retry-After`` when any refused
    request may be sent again, and log requests for which the visitor lacks a right."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            if request.method in {"GET", "HEAD"}:
                PAGES_PER_ADDRESS.hit(client_address(request))
            response = get_response(request)
        except RateLimited as refused:
            response = refuse(request, refused)
        if response.status_code in REFUSED:
            player, match = getattr(request, "player_id", None), request.resolver_match
            view = match.view_name if match else ""
            logger.info("security: %s, %s, player %s", response.status_code, view, player)
        if response.status_code in LATER:
            response.headers.setdefault("Retry-After", str(seconds_to_wait()))
        return response

    return middleware


def limit_body(get_response: GetResponse) -> GetResponse:
    """Refuse bodies over the size limit before anything reads them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        is_upload = request.path_info == settings.UPLOAD_PATH
        most = settings.UPLOAD_MAX_SIZE if is_upload else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if not length.isdecimal() or int(length) > most:
            return too_large(request)
        return get_response(request)

    return middleware


def _fields(request: HttpRequest) -> bytes:
    """Return the fields of a body. A file beside them is left to its view, which stores none."""
    if request.content_type != "multipart/form-data":
        return request.body
    fields = [*request.FILES, *request.POST]
    fields += [value for values in request.POST.lists() for value in values[1]]
    return "\n".join(fields).encode()


def reject_nul_bytes(get_response: GetResponse) -> GetResponse:
    """Refuse the character NUL, at which PostgreSQL raises."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info:
            return not_found(request)
        sent = request.META.get("QUERY_STRING", "").encode() + _fields(request)
        # Cookies are checked after parsing, since a quoted one may hold NUL in octal.
        if b"%00" in sent or b"\0" in sent or "\0" in "".join(request.COOKIES.values()):
            return bad_request(request)
        return get_response(request)

    return middleware


def vary_on_htmx(get_response: GetResponse) -> GetResponse:
    """Send ``Vary: HX-Request``, so that the browser never restores a partial as a page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method in {"GET", "HEAD"}:
            if response.get("Content-Type", "").startswith("text/html"):
                patch_vary_headers(response, ["HX-Request"])
            if request.htmx:
                response["Cache-Control"] = "no-store"
        return response

    return middleware


def explain_not_allowed(get_response: GetResponse) -> GetResponse:
    """Add a page to the empty response 405. Without scripts a refused move is shown at the address
    of the POST, and opening that address again is a GET."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != NOT_ALLOWED or response.content:
            return response
        page = not_allowed(request)
        page["Allow"] = response["Allow"]
        return page

    return middleware


class ExplainErrors:
    """Explains the errors that views raise: a game that cannot be replayed, a game closed to the
    visitor, a refusal, and a change that collided with another one."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page for the error of a view; None leaves other errors to Django."""
        if isinstance(error, WaitsForSlot):
            # The server answers the request anew.
            return HttpResponse(status=202)
        return _call_again(request) if is_collision(error) else explain(request, error)


def is_collision(error: Exception) -> bool:
    """Return whether a view was refused a row that another request has changed in between: the
    visitor's player was merged or deleted, a pack deleted, or PostgreSQL ended a deadlock."""
    cause = error.__cause__
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", "")
    if isinstance(error, IntegrityError):
        return code in VANISHED
    # Another subclass of DatabaseError is a bug or an outage.
    return isinstance(error, ObjectDoesNotExist) or type(error) is DatabaseError or code in RETRIED


def _call_again(request: HttpRequest) -> HttpResponse:
    """Call the view once more, after a rollback, for the player of the browser by now."""
    clear_player_cache()
    identify(request)
    match = request.resolver_match
    assert match is not None  # noqa: S101  # a view has raised
    try:
        response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    except Exception as error:
        if is_collision(error):
            log.exception("A request collided twice")
            return collision(request)
        if explained := explain(request, error):
            return explained
        raise
    return response


def raise_commit_failure(get_response: GetResponse) -> GetResponse:
    """Raise the error of a processed request whose commits are not durable."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if error := request.META.get(COMMIT_FAILURE):
            raise error
        return get_response(request)

    return middleware
