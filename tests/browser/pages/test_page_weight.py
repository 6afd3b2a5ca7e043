"""The bytes and requests of a first visit to the front page, a game and its analysis."""

from __future__ import annotations

from urllib.parse import urlsplit

import brotli
import pytest
from playwright.sync_api import Page, Request

from games.core.registry import all_rules
from tests.support.browser.analyses import open_analysis
from tests.support.browser.play import start_solo_game
from tests.support.kinds import kinds_with_analysis

MAX_BYTES, MAX_REQUESTS = 30_000, 6
"""Limits of the compressed bodies, for phones on a slow network."""


def load_sizes(page: Page, address: str) -> dict[str, int]:
    """Return the bytes of each file of a first visit to an address of a public site."""
    page.goto("about:blank")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    requests: list[Request] = []
    page.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108  # a bound method cannot be a handler
    page.goto(address, wait_until="networkidle")
    sizes = {request.url: size_at_a_public_site(page, request) for request in requests}
    assert all(sizes.values()), sizes
    return sizes


def size_at_a_public_site(page: Page, request: Request) -> int:
    """Return the bytes of a body. A public site compresses its static files as far as possible,
    which takes a minute for all of them."""
    size = int(request.sizes()["responseBodySize"])
    if urlsplit(request.url).path.startswith("/static/"):
        return min(size, len(brotli.compress(page.request.get(request.url).body())))
    return size


def test_a_first_visit_to_the_front_page_loads_few_bytes_in_few_requests(page: Page) -> None:
    sizes = load_sizes(page, "/")
    assert sum(sizes.values()) <= MAX_BYTES, sizes
    assert len(sizes) <= MAX_REQUESTS, sizes


@pytest.mark.parametrize("slug", all_rules())
def test_a_first_visit_to_a_game_loads_few_bytes_in_few_requests(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    sizes = load_sizes(page, page.url)
    assert sum(sizes.values()) <= MAX_BYTES, sizes
    assert len(sizes) <= MAX_REQUESTS, sizes


@pytest.mark.parametrize("slug", kinds_with_analysis())
def test_a_first_visit_to_an_analysis_loads_few_bytes_in_few_requests(
    page: Page, slug: str
) -> None:
    open_analysis(page, slug)
    sizes = load_sizes(page, page.url)
    assert sum(sizes.values()) <= MAX_BYTES, sizes
    assert len(sizes) <= MAX_REQUESTS, sizes
