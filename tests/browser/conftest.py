"""Fixtures of the browser tests."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.support.browser_play import NewContext


@pytest.fixture
def phone(new_context: NewContext) -> Page:
    """Return a page on a touch screen."""
    return new_context(has_touch=True, viewport={"width": 390, "height": 800}).new_page()
