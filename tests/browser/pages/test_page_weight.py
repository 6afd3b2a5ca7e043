"""The bytes and requests of a first visit to the front page, a game and its analysis."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, Request

from games.core.registry import all_rules
from tests.support.browser.analyses import make_analysis
from tests.support.browser.play import start_solo_game
from tests.support.kinds import kinds_with_analysis
from tests.support.servers.site_process import START_TIMEOUT, serve

MAX_BYTES, MAX_REQUESTS = 30_000, 6
"""Limits of the compressed bodies, for phones on a slow network."""


@pytest.fixture(scope="module")
def released_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a site with the static files of a public one."""
    with serve(tmp_path_factory.mktemp("released"), BOARDSITE_SMALLEST_FILES="1") as address:
        urlopen(address, timeout=START_TIMEOUT).close()
        yield address


@pytest.fixture
def page(browser: Browser, released_site: str) -> Iterator[Page]:
    context = browser.new_context(base_url=released_site)
    yield context.new_page()
    context.close()


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
    sizes = load_sizes(page, make_analysis(page, slug))
    assert sum(sizes.values()) <= MAX_BYTES, sizes
    assert len(sizes) <= MAX_REQUESTS, sizes
