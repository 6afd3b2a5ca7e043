"""The texts that a live region of a page announces to screen readers."""

from __future__ import annotations

from playwright.sync_api import Page

RECORD = """selector => {
    const region = document.querySelector(selector);
    window.announced = [];
    new MutationObserver(
        () => window.announced.push(document.querySelector(selector).textContent.trim())
    ).observe(region, {childList: true, subtree: true});
}"""


def record_announcements(page: Page, selector: str = "#status") -> None:
    """Record the region's texts from now on."""
    page.evaluate(RECORD, selector)


def announcements(page: Page) -> list[str]:
    """Return the recorded texts, without the empty ones."""
    return [text for text in texts_with_pauses(page) if text]


def texts_with_pauses(page: Page) -> list[str]:
    """Return the recorded texts; an empty one means that the region was emptied."""
    return [str(text) for text in page.evaluate("announced")]
