"""Error pages, which always have an explanation and a link."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget

from games.contract import Text, text
from games.core.refusals import Refusal
from games.core.translation import translate
from games.state.replay import Unreadable
from games.state.seat_rights import ClosedToWatchers

SECRET_FIELDS = {"password", "new", "code"}
"""Fields that no page repeats."""
READ_ONLY = "25006"
"""PostgreSQL's error code for a write in a read-only transaction."""
AGAIN, NO_ACCESS = text("Please try again"), text("No access")
TO_GAME = text("Go to the game")
PAGES = {
    400: (text("Bad request"), text("This site couldn’t read the request.")),
    403: (NO_ACCESS, text("You’re not allowed to do that.")),
    404: (
        text("Page not found"),
        text("There’s nothing at this address. The link may be incomplete."),
    ),
    405: (text("Nothing to see here"), text("This address can’t be opened as a page.")),
    413: (
        text("Too large"),
        text(
            "That’s more than this site accepts at once: at most %(most)s KB.",
            most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024,
        ),
    ),
}
"""Title and sentence of the page of a status."""
EXPIRED_PAGE = text("This page has expired. Reload it and try again.")
EXPIRED_FORM = text("This form has expired. Go back, reload the page and try again.")
UNKNOWN = text(
    "Your browser didn’t send this site’s cookies. If it blocks them, allow them. If you "
    "deleted them, you have lost your seats."
)
"""For a browser without cookies, for which trying again is useless."""
COLLISION = text("Something else changed at the same moment. Nothing was saved; please try again.")


def page(request: HttpRequest, status: int, title: Text, sentence: Text, *to: Any) -> HttpResponse:
    """Return an error page of the site, with a link: its address, and its label if not a game's."""
    context = _context(status, title, sentence, *to)
    return render(request, "page/error.html", context, status=status)


def _context(
    status: int, title: Text, sentence: Text, address: str = "", label: Text = TO_GAME
) -> dict[str, object]:
    told = {"title": translate(title), "sentence": translate(sentence), "label": translate(label)}
    return {**told, "status_code": status, "address": address}


def _page_of(
    request: HttpRequest, exception: Exception | None = None, *, status: int
) -> HttpResponse:
    return page(request, status, *PAGES[status], _game_of(request))


bad_request, forbidden = partial(_page_of, status=400), partial(_page_of, status=403)
not_allowed, too_large = partial(_page_of, status=405), partial(_page_of, status=413)


def _game_of(request: HttpRequest) -> str:
    match = request.resolver_match
    game_id = match.kwargs.get("game_id") if match else None
    return reverse("game", args=[game_id]) if game_id else ""


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 404. The Http404 may contain a Text as its sentence, and the link of `page`."""
    title, sentence = PAGES[404]
    reason, *link = exception.args if exception and exception.args else [None]
    return page(request, 404, title, reason if isinstance(reason, Text) else sentence, *link)


def explain(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """Answer to an error of a view that has a sentence for the visitor; None for others."""
    if isinstance(error, ClosedToWatchers):
        return _closed(request, error)
    if isinstance(error, Unreadable):
        title = text("This game can’t go on")
        # 403: a page that polls is loaded again, and leads to the last readable position.
        return above_the_board(request, 403, error.text) or page(
            request, 409, title, error.text, _game_of(request)
        )
    return refuse(request, error) if isinstance(error, Refusal) else None


def refuse(request: HttpRequest, error: Refusal, game: str = "") -> HttpResponse:
    """Answer to a refused request, by default with a link to the game of the address."""
    title = NO_ACCESS if error.status == 403 else AGAIN
    banner = above_the_board(request, error.status, error.text)
    return banner or page(request, error.status, title, error.text, game or _game_of(request))


def collision(request: HttpRequest) -> HttpResponse:
    """Answer 409 to a request that collided with another change twice."""
    return above_the_board(request, 409, COLLISION) or page(request, 409, AGAIN, COLLISION)


def above_the_board(request: HttpRequest, status: int, sentence: Text) -> HttpResponse | None:
    """Answer a form of htmx with a sentence above the board; None for other requests."""
    if not request.headers.get("HX-Request"):
        return None
    context = {"sentence": translate(sentence)}
    response = render(None, "page/_error_banner.html", context, status=status)
    return reswap(retarget(response, "#trouble"), "innerHTML")


def _closed(request: HttpRequest, error: ClosedToWatchers) -> HttpResponse:
    """Answer 403 to a visitor without a seat in a closed game, as a whole page."""
    if request.headers.get("HX-Request") and (game := _game_of(request)):
        response: HttpResponse = HttpResponseClientRedirect(game)
        response.status_code = 403
    else:
        response = page(request, error.status, error.rules.name, error.text)
    response["Cache-Control"] = "no-store"
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form without a valid CSRF token: with the same form and a valid one, if it
    came from a page of this site, since two tabs at once keep the cookie of one."""
    known = bool(request.COOKIES)
    if banner := above_the_board(request, 403, EXPIRED_PAGE if known else UNKNOWN):
        return banner
    if known and _is_own_form(request) and not SECRET_FIELDS & set(request.POST):
        return _form_again(request)
    return page(request, 403, AGAIN, EXPIRED_FORM if known else UNKNOWN)


def _is_own_form(request: HttpRequest) -> bool:
    """Return whether a form came from a page of this site, by headers that none can forge."""
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


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 if the cause is a database that does not answer or cannot be written."""
    if _is_away(sys.exc_info()[1]):
        return _unavailable(request)
    sentence = text("Sorry, that’s our fault. Your game is safe: every accepted move is saved.")
    return _told(request, 500, text("Something went wrong"), sentence)


def _is_away(error: BaseException | None) -> bool:
    """Return whether the database is away, full, locked for too long, or read-only."""
    read_only = getattr(error.__cause__, "sqlstate", "") == READ_ONLY if error else False
    return read_only or isinstance(error, OperationalError | InterfaceError)


def _unavailable(request: HttpRequest) -> HttpResponse:
    """Answer 503. The transaction was rolled back, so nothing is half done."""
    if request.method in {"GET", "HEAD"}:
        sentence = text("The site can’t read its games. Try again in a moment. Every move is safe.")
    else:
        sentence = text(
            "The site couldn’t save your last action. Try again in a moment. Everything before it "
            "is safe."
        )
    response = _told(request, 503, AGAIN, sentence)
    response["Retry-After"] = "5"
    return response


def _told(request: HttpRequest, status: int, title: Text, sentence: Text) -> HttpResponse:
    """Answer with a sentence, above the board for htmx and as an error page otherwise. No context
    processors run, because one of them may have caused the error."""
    template = "page/_error_banner.html" if "HX-Request" in request.headers else "page/error.html"
    return render(None, template, _context(status, title, sentence), status=status)
