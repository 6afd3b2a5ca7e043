"""What is asked of every request, and told with every answer."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from games.views.errors import bad_request, not_allowed, not_found, too_large

Handler = Callable[[HttpRequest], HttpResponse]
NOT_ALLOWED = 405
COMMIT_FAILURE = "games.not_kept"
"""Where a request holds the error because of which what it did may be lost."""


def limit_body(get_response: Handler) -> Handler:
    """Refuses bodies over the limit before anything reads them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return too_large(request)
        return get_response(request)

    return middleware


def reject_nul_bytes(get_response: Handler) -> Handler:
    """Refuses the character NUL wherever a client can put one: no text of ours has any use for
    it, and PostgreSQL fails on it in whatever is looked for."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info:
            return not_found(request)
        sent = request.META.get("QUERY_STRING", "").encode() + request.body
        # A cookie may spell it in octal; it is read by now.
        if b"%00" in sent or b"\0" in sent or any("\0" in v for v in request.COOKIES.values()):
            return bad_request(request)
        return get_response(request)

    return middleware


def vary_on_htmx(get_response: Handler) -> Handler:
    """Says that an address may answer htmx with a part of its page: of the two the browser keeps
    the page, and Back never shows a part alone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method in {"GET", "HEAD"}:
            if response.get("Content-Type", "").startswith("text/html"):
                patch_vary_headers(response, ["HX-Request"])
            if request.htmx:
                response["Cache-Control"] = "no-store"
        return response

    return middleware


def say_not_allowed(get_response: Handler) -> Handler:
    """Puts a page into the empty answer to a method that an address does not have: without scripts
    a refused move is shown where moves are sent to, and loading that again gets here."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != NOT_ALLOWED or response.content:
            return response
        page = not_allowed(request)
        page["Allow"] = response["Allow"]
        return page

    return middleware


def raise_commit_failure(get_response: Handler) -> Handler:
    """Answers a request that was carried out, but could not be kept, as the error it was."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if error := request.META.get(COMMIT_FAILURE):
            raise error
        return get_response(request)

    return middleware
