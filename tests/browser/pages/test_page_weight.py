"""The bytes and requests of a first visit to the front page, and to the page of a game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request

from games.core.registry import all_rules
from tests.support.browser.play import start_solo_game

MAX_BYTES, MAX_REQUESTS = 25_600, 6
MAX_FRONT_BYTES = 30_000
"""Limits of the compressed bodies, for phones on a slow network."""


def load_sizes(page: Page, address: str) -> dict[str, int]:
    """Return the bytes of each file of a first visit to an address."""
    page.goto("about:blank")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    sizes: dict[str, int] = {}

    def measure(request: Request) -> None:
        sizes[request.url] = request.sizes()["responseBodySize"]

    page.on("requestfinished", measure)
    page.goto(address, wait_until="networkidle")
    assert all(sizes.values()), sizes
    return sizes


def test_a_first_visit_to_the_front_page_loads_few_bytes_in_few_requests(page: Page) -> None:
    sizes = load_sizes(page, "/")
    assert sum(sizes.values()) <= MAX_FRONT_BYTES, sizes
    assert len(sizes) <= MAX_REQUESTS, sizes


@pytest.mark.parametrize("slug", all_rules())
def test_a_first_visit_to_a_game_loads_few_bytes_in_few_requests(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    sizes = load_sizes(page, page.url)
    assert sum(sizes.values()) <= MAX_BYTES, sizes
    assert len(sizes) <= MAX_REQUESTS, sizes
