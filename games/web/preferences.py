"""Preferences of a browser, stored in a cookie, so they need no account and no row."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse

YEAR = 365 * 24 * 3600
CHOICES = {
    "theme": ("auto", "light", "dark"),
    "confirm": ("auto", "taps", "always"),
    "sound": ("off", "on"),
    "messages": ("show", "hide"),
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of a browser; each default is the first of CHOICES.

    ``confirm`` says when a click first shows its move, and a second one plays it: ``auto`` where
    nothing can take it back, ``taps`` on touch screens, or ``always``."""

    theme: str = "auto"
    confirm: str = "auto"
    sound: str = "off"
    messages: str = "show"

    @property
    def muted(self) -> bool:
        """Whether messages of other players are hidden."""
        return self.messages == "hide"


# A browser sends the same cookie with every move.
@lru_cache(1_000)
def parse(raw: str) -> Preferences:
    """Return the preferences in the text of a cookie; unknown values are ignored."""
    sent = dict(parse_qsl(raw[:200]))
    known = {name: sent[name] for name in CHOICES if sent.get(name) in CHOICES[name]}
    return Preferences(**known)


def read_preferences(request: HttpRequest) -> Preferences:
    """Return the preferences of the browser."""
    return parse(request.COOKIES.get(settings.PREFERENCES_COOKIE, ""))


def store(response: HttpResponse, preferences: Preferences) -> None:
    """Set the cookie of the preferences."""
    response.set_cookie(
        settings.PREFERENCES_COOKIE,
        urlencode(asdict(preferences)),
        max_age=YEAR,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def context(request: HttpRequest) -> dict[str, Any]:
    """Return the preferences, for every template."""
    return {"preferences": read_preferences(request)}
