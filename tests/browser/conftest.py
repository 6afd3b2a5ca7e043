"""Fixtures of the browser tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser.page_spies import SPIES
from tests.support.browser.play import TIMEOUT_MS, NewContext


@pytest.fixture
def phone(new_context: NewContext) -> Page:
    """Return a page on a touch screen."""
    return new_context(has_touch=True, viewport={"width": 390, "height": 800}).new_page()


@pytest.fixture
def visit(new_context: NewContext) -> Callable[..., Page]:
    """Return a function that opens a page with spies, for another visitor each time."""

    def visit(address: str = "", **options: Any) -> Page:
        context = new_context(**options)
        context.add_init_script(SPIES)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        if address:
            page.goto(address)
        return page

    return visit


@pytest.fixture(scope="session")
def one_page(browser: Browser, base_url: str) -> Iterator[Page]:
    """Return a page on a touch screen for all tests of pupils' code: Python takes seconds to start
    in it, and goes on while the address stays."""
    context = browser.new_context(
        base_url=base_url, has_touch=True, viewport={"width": 390, "height": 664}
    )
    yield context.new_page()
    context.close()
