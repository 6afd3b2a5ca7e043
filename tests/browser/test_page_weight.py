"""The bytes and requests of a first visit to a game's page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request

from games.registry import all_rules
from tests.support.browser_play import start_solo_game

MAX_BYTES, MAX_REQUESTS = 32_000, 6
"""Limits of the compressed bodies, for telephones on a slow network."""


@pytest.mark.parametrize("slug", all_rules())
def test_a_first_visit_to_a_game_loads_few_bytes_in_few_requests(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    address = page.url
    page.goto("about:blank")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    sizes: dict[str, int] = {}

    def measure(request: Request) -> None:
        sizes[request.url] = request.sizes()["responseBodySize"]

    page.on("requestfinished", measure)
    page.goto(address, wait_until="networkidle")
    assert all(sizes.values()), sizes
    assert sum(sizes.values()) <= MAX_BYTES, sizes
    assert len(sizes) <= MAX_REQUESTS, sizes
