"""What a browser likes: kept in a cookie of its own, so that it needs no account and no row."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse

YEAR = 365 * 24 * 3600
CHOICES = {
    "theme": ("auto", "light", "dark"),
    "confirm": ("touch", "always", "never"),
    "sound": ("off", "on"),
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices; the first of each in CHOICES unless the cookie says otherwise.

    ``confirm``: whether a tap that would make a move first shows it (``touch``: on screens
    without a mouse)."""

    theme: str = "auto"
    confirm: str = "touch"
    sound: str = "off"


def parse(raw: str) -> Preferences:
    """Preferences from the text of the cookie; what makes no sense is left out."""
    sent = dict(parse_qsl(raw[:200]))
    known = {name: sent[name] for name in CHOICES if sent.get(name) in CHOICES[name]}
    return Preferences(**known)


def of_request(request: HttpRequest) -> Preferences:
    """The preferences of the browser that asks."""
    return parse(request.COOKIES.get(settings.PREFERENCES_COOKIE, ""))


def store(response: HttpResponse, preferences: Preferences) -> None:
    """Keep the preferences in the browser."""
    response.set_cookie(
        settings.PREFERENCES_COOKIE,
        urlencode(asdict(preferences)),
        max_age=YEAR,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def context(request: HttpRequest) -> dict[str, Any]:
    """For every template: the preferences."""
    return {"preferences": of_request(request)}
