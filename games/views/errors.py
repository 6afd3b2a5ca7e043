"""Error pages, which always have an explanation and a link."""

from __future__ import annotations

import sys
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget

from games.contract import Text
from games.core.rate_limits import RateLimited
from games.core.refusals import Suspended
from games.core.translation import translate
from games.state.replay import Unreadable
from games.state.watching import ClosedToWatchers

SECRET_FIELDS = {"password", "new", "code"}
"""Fields that no page repeats."""
READ_ONLY = "25006"
"""PostgreSQL's error code for a write in a read-only transaction."""


def page(
    request: HttpRequest, status: int, title: str, sentence: str, game: str = ""
) -> HttpResponse:
    """Return an error page of the site, with a link to the address ``game`` if there is one."""
    context = {"title": title, "sentence": sentence, "status_code": status, "game": game}
    return render(request, "page/error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 400 to a malformed request."""
    return page(request, 400, _("Bad request"), _("This site couldn’t read the request."))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 403."""
    return page(request, 403, _("No access"), _("You’re not allowed to do that."))


def refused(request: HttpRequest, status: int, sentence: str, game: str) -> HttpResponse:
    """Answer to a form about a game that is refused for the moment."""
    return page(request, status, _("Please try again"), sentence, game)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form without a valid CSRF token.

    A new browser that opens two tabs at once keeps the cookie of one of them. The form of the
    other is shown again, with a valid token, if it certainly came from a page of this site."""
    if request.headers.get("HX-Request"):
        expired = _("This page has expired. Reload it and try again.")
        return _above_the_board(expired if request.COOKIES else _unknown())
    if request.COOKIES and _is_own_form(request) and not SECRET_FIELDS & set(request.POST):
        return _form_again(request)
    expired = _("This form has expired. Go back, reload the page and try again.")
    return page(request, 403, _("Please try again"), expired if request.COOKIES else _unknown())


def _is_own_form(request: HttpRequest) -> bool:
    """Return whether a browser says that a form came from a page of this site. No page of another
    site can forge these headers."""
    own = f"{request.scheme}://{request.get_host()}"
    headers = request.headers
    return headers.get("Sec-Fetch-Site") == "same-origin" or headers.get("Origin") == own


def _form_again(request: HttpRequest) -> HttpResponse:
    """Answer 403 with the fields of a form, to be sent again by a click."""
    fields = [(name, value) for name, values in request.POST.lists() for value in values]
    context = {
        "title": _("Please try again"),
        "sentence": _("This form was open in two tabs, so nothing has been done yet."),
        "fields": [field for field in fields if field[0] != "csrfmiddlewaretoken"],
        "action": request.get_full_path(),
    }
    response = render(request, "page/form_again.html", context, status=403)
    response["Cache-Control"] = "no-store"
    return response


def _unknown() -> str:
    """Answer 403 to a browser that sends no cookies, for which trying again is useless."""
    return _(
        "Your browser didn’t send this site’s cookies. If it blocks them, allow them. If you "
        "deleted them, you have lost your seats."
    )


def rate_limited(request: HttpRequest, error: RateLimited) -> HttpResponse:
    """Answer 429 to a page beyond the limit of its address."""
    sentence = translate(error.text)
    if request.headers.get("HX-Request"):
        return _above_the_board(sentence, error.status)
    return page(request, error.status, _("Please try again"), sentence)


def _above_the_board(sentence: str, status: int = 403) -> HttpResponse:
    """Answer a form of htmx, which shows the sentence above the board and leaves the board
    alone."""
    response = render(None, "page/_error_banner.html", {"sentence": sentence}, status=status)
    return reswap(retarget(response, "#trouble"), "innerHTML")


def suspended(request: HttpRequest, error: Suspended) -> HttpResponse:
    """Answer 403 to a suspended player."""
    return page(request, error.status, _("No access"), translate(error.text))


def closed(request: HttpRequest, error: ClosedToWatchers) -> HttpResponse:
    """Answer 403 to a visitor without a seat in a closed game; htmx replaces the whole page by this
    one."""
    match = request.resolver_match
    if request.headers.get("HX-Request") and match:
        game = reverse("game", args=[match.kwargs["game_id"]])
        response: HttpResponse = HttpResponseClientRedirect(game)
        response.status_code = 403
    else:
        sentence = _("This game is private. Only its players can see it.")
        response = page(request, 403, translate(error.rules.name), sentence)
    response["Cache-Control"] = "no-store"
    return response


def unreadable(request: HttpRequest, error: Unreadable) -> HttpResponse:
    """Answer 409 to an action on a game whose stored moves cannot be replayed."""
    sentence = translate(error.text)
    if request.headers.get("HX-Request"):
        return _above_the_board(sentence)
    match = request.resolver_match
    game = reverse("game", args=[match.kwargs["game_id"]]) if match else ""
    return page(request, 409, _("This game can’t go on"), sentence, game)


def collision(request: HttpRequest) -> HttpResponse:
    """Answer 409 to a request that collided with another change twice."""
    sentence = _("Something else changed at the same moment. Nothing was saved; please try again.")
    if request.headers.get("HX-Request"):
        return _above_the_board(sentence, status=409)
    return page(request, 409, _("Please try again"), sentence)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 404. The Http404 may contain a Text as its sentence, and the address of a game."""
    sentence = _("There’s nothing at this address. The link may be incomplete.")
    reason, *game = exception.args if exception and exception.args else [None]
    if isinstance(reason, Text):
        sentence = translate(reason)
    return page(request, 404, _("Page not found"), sentence, *game)


def gone(request: HttpRequest, sentence: str) -> HttpResponse:
    """Answer 410 to a secret link that is used up or withdrawn."""
    return page(request, 410, _("This link no longer works"), sentence)


def not_allowed(request: HttpRequest) -> HttpResponse:
    """Answer 405, with a link to the game if the address belongs to one."""
    match = request.resolver_match
    game_id = match.kwargs.get("game_id") if match else None
    game = reverse("game", args=[game_id]) if game_id else ""
    sentence = _("This address can’t be opened as a page.")
    return page(request, 405, _("Nothing to see here"), sentence, game)


def too_large(request: HttpRequest) -> HttpResponse:
    """Answer 413 to a request with too long a body."""
    sentence = _("That’s more than this site accepts at once: at most %(most)s KB.")
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024
    return page(request, 413, _("Too large"), sentence % {"most": most})


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 if the cause is a database that does not answer or cannot be written."""
    if _is_away(sys.exc_info()[1]):
        return _unavailable(request)
    sentence = _("Sorry, that’s our fault. Your game is safe: every accepted move is saved.")
    return _told(request, 500, _("Something went wrong"), sentence)


def _is_away(error: BaseException | None) -> bool:
    """Return whether the database is away, full, locked for too long, or read-only."""
    read_only = getattr(error.__cause__, "sqlstate", "") == READ_ONLY if error else False
    return read_only or isinstance(error, OperationalError | InterfaceError)


def _unavailable(request: HttpRequest) -> HttpResponse:
    """Answer 503. The transaction was rolled back, so nothing is half done."""
    if request.method in {"GET", "HEAD"}:
        sentence = _("The site can’t read its games. Try again in a moment. Every move is safe.")
    else:
        sentence = _(
            "The site couldn’t save your last action. Try again in a moment. Everything before it "
            "is safe."
        )
    response = _told(request, 503, _("Please try again"), sentence)
    response["Retry-After"] = "5"
    return response


def _told(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    """Answer with a sentence, above the board for htmx and as an error page otherwise. No context
    processors run, because one of them may have caused the error.
    """
    context: dict[str, Any] = {"title": title, "sentence": sentence, "status_code": status}
    template = "page/_error_banner.html" if "HX-Request" in request.headers else "page/error.html"
    return render(None, template, context, status=status)
