"""Pages of exercises in a browser. Loading Python there takes seconds, so tests share one page."""

from __future__ import annotations

from playwright.sync_api import Page


def open_exercise(page: Page, exercise: str) -> None:
    """Open the exercise, or stay there if nothing runs: Python is loaded once a page."""
    address = f"/classes/{exercise}/"
    if not page.url.endswith(address) or page.locator("#stop").is_visible():
        page.goto(address)
