"""Fixtures of the browser tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

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
