"""Logging in for staff: Django's own page, for as many as the site has time for."""

from __future__ import annotations

import unicodedata
from threading import Lock

from django.contrib import admin
from django.http import HttpResponse
from django.utils.translation import gettext as _

from games.rate_limits import LOGINS_PER_ADDRESS, LOGINS_PER_NAME, RateLimited
from games.translation import translate
from games.views.errors import page
from games.web.client_address import client_address
from games.web.request import HttpRequest

LONGEST_NAME = 150
"""Django's limit; longer names are counted by their beginning."""
_turn = Lock()
"""Held while a password is checked. That takes a third of a second, by design and for unknown names
too: at most one of the few threads that answer may be busy with it."""


def login(request: HttpRequest) -> HttpResponse:
    """Return the page on which staff log in, and the form it sends."""
    if request.method != "POST":
        return admin.site.login(request)
    if not _turn.acquire(blocking=False):
        return _refuse(request, RateLimited())
    try:
        _count(request)
        return admin.site.login(request)
    except RateLimited as refused:
        return _refuse(request, refused)
    finally:
        _turn.release()


def _count(request: HttpRequest) -> None:
    """Count an attempt, by where it comes from and by the name. Raises RateLimited."""
    # As Django's form reads it: other spellings of a name are no further attempts.
    name = unicodedata.normalize("NFKC", request.POST.get("username", "")).strip()
    LOGINS_PER_ADDRESS.hit(client_address(request))
    LOGINS_PER_NAME.hit(name[:LONGEST_NAME])


def _refuse(request: HttpRequest, refused: RateLimited) -> HttpResponse:
    return page(request, refused.status, _("Please try again"), translate(refused.text))
