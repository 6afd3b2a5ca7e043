"""Pages on a phone at twice the usual text size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserType, Page

from games.core.registry import all_rules
from tests.support.browser.play import start_solo_game


@pytest.fixture
def large_text_page(
    page: Page, browser_type: BrowserType, browser_type_launch_args: dict[str, Any], base_url: str
) -> Iterator[Page]:
    """Yield a page in a browser whose default font has 32 pixels."""
    args = [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": args})
    yield browser.new_page(base_url=base_url, viewport={"width": 390, "height": 844})
    browser.close()


def test_no_page_scrolls_sideways_at_twice_the_default_font_size(large_text_page: Page) -> None:
    addresses = ["/", "/settings/"]
    for slug in all_rules():
        start_solo_game(large_text_page, slug)
        addresses += [large_text_page.url, f"/new/{slug}/", f"/rules/{slug}/"]
    too_wide = []
    for address in addresses:
        large_text_page.goto(address)
        if large_text_page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            too_wide.append(address)
    assert too_wide == []


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
def test_no_page_scrolls_sideways_where_the_text_alone_is_twice_as_large(page: Page) -> None:
    too_wide = []
    for address in [f"/{kind}/{slug}/" for kind in ("new", "rules") for slug in all_rules()]:
        page.goto(address)
        # Media queries do not see this size, unlike that of the browser's default font.
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            too_wide.append(address)
    assert too_wide == []
