"""Preferences of a browser, stored in a cookie, so they need no account and no row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language

from games.core.registry import all_rules

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
    nothing can take it back, ``taps`` on touch screens, or ``always``. ``looks`` are the chosen
    looks of games (`Rules.look`) that are not their defaults, such as ``chess-flat``, separated by
    spaces."""

    theme: str = "auto"
    confirm: str = "auto"
    sound: str = "off"
    messages: str = "show"
    looks: str = ""

    @property
    def muted(self) -> bool:
        return self.messages == "hide"


# A browser sends the same cookie with every move.
@lru_cache(1_000)
def parse(raw: str) -> Preferences:
    """Return the preferences in the text of a cookie; unknown values are ignored."""
    sent = dict(parse_qsl(raw[:1_000]))
    return _known(sent, sent.get("looks", "").split())


def from_form(sent: Mapping[str, str]) -> Preferences:
    """Return the preferences in the fields of the settings; unknown values are ignored."""
    return _known(sent, [f"{slug}-{sent.get(look_field(slug), '')}" for slug in all_rules()])


def _known(sent: Mapping[str, str], looks: list[str]) -> Preferences:
    known = {name: sent[name] for name in CHOICES if sent.get(name) in CHOICES[name]}
    return Preferences(**known, looks=" ".join(look for look in _looks() if look in looks))


def _looks() -> Iterator[str]:
    for slug, rules in all_rules().items():
        if look := rules.look:
            yield from (f"{slug}-{value}" for value, _ in look.choices if value != look.default)


def look_field(slug: str) -> str:
    return f"look-{slug}"


def read_preferences(request: HttpRequest) -> Preferences:
    return parse(request.COOKIES.get(settings.PREFERENCES_COOKIE, ""))


def store(response: HttpResponse, preferences: Preferences) -> None:
    response.set_cookie(
        settings.PREFERENCES_COOKIE,
        urlencode(asdict(preferences)),
        max_age=YEAR,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


LOCALES = {"en": "en_GB", "nl": "nl_NL"}
"""The languages of the site as the Open Graph protocol writes them."""


def context(request: HttpRequest) -> dict[str, Any]:
    """Return the preferences, the name of the site, the picture and the language of link previews,
    and functions that return the site's address, which does not exist for a wrong host, and the
    player, whom not every page needs."""
    return {
        "preferences": read_preferences(request),
        "site_name": settings.SITE_NAME,
        "site_picture": reverse("share_picture"),
        "site_locale": LOCALES.get(get_language() or "", ""),
        "site_address": lambda: request.build_absolute_uri("/")[:-1],
        "visitor": getattr(request, "get_player", None),
    }
