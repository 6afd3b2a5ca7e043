"""Makes the pictures of the README: every kind of game in mid-play, and a look back at one.

.venv/bin/python -m scripts.pictures ADDRESS KIND, with the site running there: two computers play a
game of the kind for the look back.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from games.registry import all_rules
from scripts import chromium

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
LAUNCH = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SIZE: ViewportSize = {"width": 1180, "height": 820}
STEPS = 45
PLIES = (12, 9, 6, 3)
"""Moves to be made; fewer, where a game was over by then."""
PATIENCE = 600_000
"""Milliseconds that two computers may take for a game, or one to look back at it."""
CLICKABLE = (
    "#board button[name=move]:not([aria-disabled=true]):not(.step-stop),"
    "#board button[name=chosen]:not([aria-disabled=true]):not(#b-back)"
)


def start(page: Page, address: str, slug: str, *players: str) -> None:
    """A game of these players, all on one device if none are named."""
    page.goto(f"{address}/new/{slug}/")
    for number, seat in enumerate(page.locator(".seat-setup select:visible").all()):
        seat.select_option(players[number] if players else "me")
    page.locator(".setup-form button.big").click()


def play(page: Page, rng: Random, plies: int) -> None:
    """Click about until so many moves are made, or the game is over."""
    for _ in range(STEPS):
        buttons = page.locator(CLICKABLE)
        made = int(page.locator("#board").get_attribute("data-ply") or 0)
        if made >= plies or not buttons.count():
            return
        buttons.nth(rng.randrange(buttons.count())).click()
        page.wait_for_timeout(300)


def picture(browser: Browser, address: str, slug: str) -> None:
    """One picture of one kind: a board that looks lived on, of a game that is not over."""
    context = browser.new_context(viewport=SIZE)
    page, rng = context.new_page(), Random(7)
    for plies in PLIES:
        start(page, address, slug)
        play(page, rng, plies)
        if not page.locator("#board.over").count():
            break
    page.screenshot(path=str(FOLDER / f"{slug}.png"))
    context.close()


def look_back(browser: Browser, address: str, slug: str) -> None:
    """A picture of the analysis of a game between two computers."""
    page = browser.new_page(viewport=SIZE)
    start(page, address, slug, "computer-2", "computer-3")
    page.locator("#board .result").wait_for(timeout=PATIENCE)
    page.goto(f"{page.url}analysis/")
    page.locator("main form button.big").click()
    expect(page.locator("#analysis .waiting")).to_have_count(0, timeout=PATIENCE)
    page.screenshot(path=str(FOLDER / "analysis.png"))
    page.close()


def main(address: str, analysed: str) -> None:
    """All pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=LAUNCH)
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        page.screenshot(path=str(FOLDER / "home.png"))
        for slug in all_rules():
            picture(browser, address, slug)
        look_back(browser, address, analysed)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2])
