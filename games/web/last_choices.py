"""The options that a browser chose last for each kind of game, in a cookie.

Games that begin with one click use them. In a cookie they need no row and no query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.contract import BadSetup, Options, Rules

YEAR = 365 * 24 * 3600
LONGEST: Final = 1_500
"""Characters of the longest cookie. The kinds that were played longest ago are dropped from it."""
LEVEL: Final = "level"
"""The name of the computers' level in the cookie. Names of options begin with a dot."""


@dataclass(frozen=True)
class LastChoices:
    """The options of a kind that a browser chose last, and the level of the computers, None if it
    chose none."""

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
    known = level.isascii() and level.isdigit() and 1 <= int(level[:3]) <= rules.levels
    return LastChoices(options, int(level) if known else None)


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
    response.set_cookie(
        settings.CHOICES_COOKIE,
        _format({rules.slug: kind, **stored}),
        max_age=YEAR,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


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
