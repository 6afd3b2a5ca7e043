"""The login of staff: Django's own page, with a rate limit."""

from __future__ import annotations

import secrets
import unicodedata
from http import HTTPStatus
from threading import Lock

from django.conf import settings
from django.contrib import admin
from django.http import HttpResponse
from django.urls import reverse

from games.core.rate_limits import (
    LOGINS_PER_ADDRESS,
    LOGINS_PER_KNOWN_BROWSER,
    LOGINS_PER_NAME_AND_ADDRESS,
    RateLimited,
    count_guess,
)
from games.people.access import logger
from games.web.client_address import client_address
from games.web.headers import YEAR
from games.web.request import HttpRequest

KNOWN_BROWSER = "known_browser"
LONGEST_NAME = 150
"""Django's limit; longer names are counted by their beginning."""
_check_lock = Lock()
"""Held while a password is checked, which takes a third of a second by design, even for unknown
names. It may occupy only one of the few threads."""


def login(request: HttpRequest) -> HttpResponse:
    """Show the login page (GET), and log staff in (POST)."""
    if request.method != "POST":
        return admin.site.login(request)
    if not _check_lock.acquire(blocking=False):
        raise RateLimited
    try:
        _count(request)
        return _remember(request, admin.site.login(request))
    finally:
        _check_lock.release()


def _count(request: HttpRequest) -> None:
    """Count an attempt: by the browser if it has logged in with this name before, otherwise by the
    address, alone and together with the name. Raises RateLimited."""
    name = _name(request)
    if request.get_signed_cookie(KNOWN_BROWSER, default=None, salt=name, max_age=YEAR):
        LOGINS_PER_KNOWN_BROWSER.hit(request.COOKIES[KNOWN_BROWSER])
        return
    limits = (LOGINS_PER_ADDRESS, LOGINS_PER_NAME_AND_ADDRESS)
    count_guess(f"staff {name}", client_address(request), limits)


def _name(request: HttpRequest) -> str:
    """Return the name as Django's form reads it: spellings give no extra attempts."""
    return unicodedata.normalize("NFKC", request.POST.get("username", "")).strip()[:LONGEST_NAME]


def _remember(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Mark a browser that has logged in with a cookie that is valid for this name alone, and log
    the attempt. The typed name may be a password, so it is left out."""
    logger.info("security: login of staff, %s, user %s", response.status_code, request.user.pk)
    if response.status_code == HTTPStatus.FOUND:
        response.set_signed_cookie(
            KNOWN_BROWSER,
            secrets.token_urlsafe(16),
            salt=_name(request),
            max_age=YEAR,
            path=reverse("admin:login"),
            secure=settings.HTTPS,
            httponly=True,
            samesite="Strict",
        )
    return response
