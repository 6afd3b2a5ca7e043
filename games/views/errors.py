"""Pages for what went wrong: always a sentence, always a way on."""

from __future__ import annotations

import sys
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget

from games.contract import Text
from games.translation import translate

READ_ONLY = "25006"
"""PostgreSQL's code for a write where only reading is allowed."""


def page(
    request: HttpRequest, status: int, title: str, sentence: str, game: str = ""
) -> HttpResponse:
    """An error page of the site, with a link to the address ``game`` if there is one."""
    context = {"title": title, "sentence": sentence, "status_code": status, "game": game}
    return render(request, "games/error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400."""
    return page(request, 400, _("That did not make sense"), _("The request could not be read."))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    return page(request, 403, _("Not for you"), _("You may not do that."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that this browser did not get from this site."""
    if request.headers.get("HX-Request"):
        expired = _("This page has expired. Load it again, then repeat what you did.")
        return _above_the_board(expired if request.COOKIES else _unknown())
    expired = _("This form has expired. Go back, load the page again, and repeat what you did.")
    return page(request, 403, _("Please try again"), expired if request.COOKIES else _unknown())


def _unknown() -> str:
    """For a browser without any cookie, to which it would be no use to repeat anything."""
    return _(
        "Your browser did not send the cookies by which this site knows it. If they are blocked, "
        "allow them. If they were deleted, the seats that it held are lost to it."
    )


def _above_the_board(sentence: str) -> HttpResponse:
    """403 for a form of htmx, which puts the sentence above the board and leaves that alone."""
    response = render(None, "games/_trouble.html", {"sentence": sentence}, status=403)
    return reswap(retarget(response, "#trouble"), "innerHTML")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404; an Http404 may bring a sentence of its own, a Text, and the address of a game."""
    sentence = _("There is nothing at this address. A game’s address may have been cut short.")
    told, *game = exception.args if exception and exception.args else [None]
    if isinstance(told, Text):
        sentence = translate(told)
    return page(request, 404, _("Nothing here"), sentence, *game)


def not_allowed(request: HttpRequest) -> HttpResponse:
    """405, with the way to the game if the address is about one."""
    match = request.resolver_match
    game_id = match.kwargs.get("game_id") if match else None
    game = reverse("game", args=[game_id]) if game_id else ""
    sentence = _("What is sent to this address has no page of its own.")
    return page(request, 405, _("Nothing to look at"), sentence, game)


def too_large(request: HttpRequest) -> HttpResponse:
    """413."""
    return page(request, 413, _("Too much"), _("That is more than this site accepts at once."))


def server_error(request: HttpRequest) -> HttpResponse:
    """500; or 503 when it is the database that does not answer, or does not write."""
    if _is_away(sys.exc_info()[1]):
        return _unavailable(request)
    sentence = _("This is our mistake. Your game is safe: every move that was accepted is kept.")
    return _told(request, 500, _("Something broke"), sentence)


def _is_away(error: BaseException | None) -> bool:
    """Whether the database is gone, full, locked for too long, or may only be read."""
    read_only = getattr(error.__cause__, "sqlstate", "") == READ_ONLY if error else False
    return read_only or isinstance(error, OperationalError | InterfaceError)


def _unavailable(request: HttpRequest) -> HttpResponse:
    """503: the transaction was rolled back, so nothing is kept by halves."""
    sentence = _(
        "The site could not keep what you sent, a move for instance: please try again in a moment. "
        "Everything before it is safe."
    )
    response = _told(request, 503, _("Please try again"), sentence)
    response["Retry-After"] = "5"
    return response


def _told(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    """A sentence for htmx, which puts it above the board, an error page for everybody else. Without
    context processors: they may be what failed."""
    context: dict[str, Any] = {"title": title, "sentence": sentence, "status_code": status}
    template = "games/_trouble.html" if "HX-Request" in request.headers else "games/error.html"
    return render(None, template, context, status=status)
