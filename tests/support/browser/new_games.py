"""Games made with the cookies of a browser, by the requests of its forms, without their pages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from playwright.sync_api import Page

from games.core.registry import all_rules

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def create_game(
    page: Page,
    slug: str,
    seating: Mapping[str, str],
    options: Mapping[str, str] | None = None,
    *,
    site: str = "",
    hints: bool = False,
) -> str:
    """Create a game that begins at once, and return its address."""
    language = str(page.evaluate("navigator.language"))
    fields = _defaults(slug, language.partition("-")[0]) | {
        f"seat-{seat}": choice for seat, choice in seating.items()
    }
    fields |= {"hints": "on"} if hints else {}
    return post_form(page, f"{site}/new/{slug}/", fields | dict(options or {}))


def post_form(page: Page, address: str, fields: Mapping[str, str]) -> str:
    """Post the form of an address and return the address to which the response redirects."""
    headers = {"Accept-Language": str(page.evaluate("navigator.language"))}
    shown = page.request.get(address, headers=headers)
    token = TOKEN.search(shown.text())
    assert token, f"{address} has no form: {shown.status}"
    form: dict[str, str | float | bool] = {"csrfmiddlewaretoken": token[1], **fields}
    made = page.request.post(shown.url, form=form, headers=headers, max_redirects=0)
    assert made.status == 302, made.text()
    site = shown.url.partition("://")[2].partition("/")[0]
    return f"http://{site}{made.headers['location']}"


def _defaults(slug: str, language: str) -> dict[str, str]:
    """Return the fields that a browser sends although nobody has touched them, and without which
    the game would be another: ticked boxes, and the language of the page."""
    options = all_rules()[slug].options
    ticked = {option.name: "on" for option in options if option.kind == "flag" and option.default}
    return ticked | {
        option.name: language
        for option in options
        if option.name == "language" and language in dict(option.choices)
    }
