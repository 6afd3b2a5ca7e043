"""Preferences of a browser, and the options that it chose last for each kind of game, with which
games begin by one click. In cookies they need no account, no row and no query."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language

from games.contract import BadSetup, Options, Rules
from games.core.registry import all_rules
from games.web.headers import keep_cookie

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
    keep_cookie(response, settings.PREFERENCES_COOKIE, urlencode(asdict(preferences)))


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


LONGEST: Final = 1_500
"""Characters of the longest cookie. The kinds that were played longest ago are dropped from it."""
LEVEL: Final = "level"
"""The name of the computers' level in the cookie. Names of options begin with a dot."""


@dataclass(frozen=True)
class LastChoices:
    """The options and the level of computers that a browser chose last for a kind."""

    options: Options = field(default_factory=dict)
    level: int | None = None


def read_choices(request: HttpRequest, rules: Rules) -> LastChoices:
    """Return the last choices for a kind, without values that its rules no longer accept."""
    sent = _parse(request).get(rules.slug, {})
    options: dict[str, Any] = {}
    for option in rules.options:
        if (raw := sent.get(f".{option.name}")) is not None and option.kind != "text":
            try:
                options[option.name] = option.clean(raw)
            except BadSetup:
                continue
    level = sent.get(LEVEL, "")
    known = {str(number): number for number in rules.ladder}
    return LastChoices(options, known.get(level))


def store_choices(
    request: HttpRequest, response: HttpResponse, rules: Rules, choices: LastChoices
) -> None:
    """Store the choices for a kind in the cookie, beside those for other kinds.

    Texts are not stored. If a game has one, none of its options are, since they may depend on
    it."""
    stored = _parse(request)
    kind = stored.pop(rules.slug, {})
    if not _has_text(rules, choices.options):
        plain = {option.name for option in rules.options if option.kind != "text"}
        kind |= {f".{name}": str(value) for name, value in choices.options.items() if name in plain}
    if choices.level is not None:
        kind[LEVEL] = str(choices.level)
    keep_cookie(response, settings.CHOICES_COOKIE, _format({rules.slug: kind, **stored}))


SEEK: Final = ".seek"
"""Stands for a kind in the cookie, of the last choices of a seeker."""
QUIET_FOR: Final = 86_400
"""Seconds for which the line of seekers stays closed."""


def read_seek(request: HttpRequest) -> Mapping[str, str]:
    return _parse(request).get(SEEK, {})


def is_quiet(request: HttpRequest) -> bool:
    """Return whether a visitor has closed the line of seekers today."""
    closed = read_seek(request).get("quiet", "")
    return closed.isdecimal() and time.time() - int(closed[:12]) < QUIET_FOR


def store_seek(request: HttpRequest, response: HttpResponse, **values: str) -> None:
    stored = _parse(request)
    kept = stored.pop(SEEK, {}) | values
    keep_cookie(response, settings.CHOICES_COOKIE, _format({SEEK: kept, **stored}))


def _has_text(rules: Rules, options: Options) -> bool:
    return any(
        option.kind == "text" and options.get(option.name, option.default) != option.default
        for option in rules.options
    )


def _parse(request: HttpRequest) -> dict[str, dict[str, str]]:
    """Return the names and values in the cookie by kind, the kind played last first."""
    found: dict[str, dict[str, str]] = {}
    for name, value in parse_qsl(request.COOKIES.get(settings.CHOICES_COOKIE, "")[:LONGEST]):
        kind, slash, key = name.partition("/")
        if slash:
            found.setdefault(kind, {})[key] = value
    return found


def _format(stored: Mapping[str, Mapping[str, str]]) -> str:
    written = ""
    for kind, values in stored.items():
        more = urlencode({f"{kind}/{key}": value for key, value in values.items()}, safe="/.")
        if len(written) + len(more) >= LONGEST:
            break
        written += f"&{more}" if written else more
    return written
