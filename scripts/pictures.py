"""Makes the pictures of the README: every kind of game in mid-play, in a real browser.

.venv/bin/python -m scripts.pictures ADDRESS, with the site running there.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, sync_playwright

from games.registry import all_rules
from scripts import chromium

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
LAUNCH = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
STEPS = 45
CLICKABLE = (
    "#board button[name=move]:not([aria-disabled=true]):not(.step-stop),"
    "#board button[name=chosen]:not([aria-disabled=true]):not(#b-back)"
)


def start(page: Page, address: str, slug: str) -> None:
    """A game on one device."""
    page.goto(f"{address}/new/{slug}/")
    for seat in page.locator(".seat-setup select:visible").all():
        seat.select_option("me")
    page.locator(".setup-form button.big").click()


def play(page: Page, rng: Random) -> None:
    """Click about until the board looks lived on, and stop before a game ends."""
    for _ in range(STEPS):
        buttons = page.locator(CLICKABLE)
        if int(page.locator("#board").get_attribute("data-ply") or 0) >= 12 or not buttons.count():
            return
        buttons.nth(rng.randrange(buttons.count())).click()
        page.wait_for_timeout(300)


def picture(browser: Browser, address: str, slug: str) -> None:
    """One picture of one kind."""
    context = browser.new_context(viewport={"width": 1180, "height": 820})
    page = context.new_page()
    start(page, address, slug)
    play(page, Random(7))
    page.screenshot(path=str(FOLDER / f"{slug}.png"))
    context.close()


def main(address: str) -> None:
    """All pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=LAUNCH)
        page = browser.new_page(viewport={"width": 1180, "height": 820})
        page.goto(address)
        page.screenshot(path=str(FOLDER / "home.png"))
        for slug in all_rules():
            picture(browser, address, slug)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
