"""Make the pictures of the README: the front page, a game of every kind, and an analysis.

``.venv/bin/python -m scripts.pictures ADDRESS KIND`` takes them from the site running at ADDRESS.
For the analysis two computers play a game of KIND.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from games.core.registry import all_rules
from scripts import chromium

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
LAUNCH = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SIZE: ViewportSize = {"width": 1180, "height": 820}
STEPS = 45
PLIES = (12, 9, 6, 3)
"""Numbers of moves to make; if a game has ended by then, the next smaller number is tried."""
PATIENCE = 600_000
"""Timeout of a game between computers and of its analysis, in milliseconds."""
CHOOSE = "(radio, holder) => { radio.value = holder; radio.checked = true }"
CLICKABLE = (
    "#board button[name=move]:visible:not([aria-disabled=true]):not(.step-stop),"
    "#board button[name=chosen]:visible:not([aria-disabled=true], .step-stop, #b-back),"
    "#board button[name=mark]:visible"
)


def start(page: Page, address: str, slug: str, *players: str) -> None:
    """Start a game with these players, by default with every seat on this device."""
    page.goto(f"{address}/new/{slug}/")
    for number, seat in enumerate(page.locator(".seat-setup:visible").all()):
        holder = players[number] if players else "me"
        seat.locator("input").first.evaluate(CHOOSE, holder)
    page.locator(".setup-form [name=lobby]").evaluate("field => { field.value = '' }")
    page.locator(".setup-form button.big").click()


def play(page: Page, rng: Random, plies: int) -> None:
    """Click at random until ``plies`` moves have been made or the game is over."""
    for _ in range(STEPS):
        buttons = page.locator(CLICKABLE)
        made = int(page.locator("#board").get_attribute("data-ply") or 0)
        if made >= plies or not buttons.count():
            return
        buttons.nth(rng.randrange(buttons.count())).click()
        page.wait_for_timeout(300)


def picture(browser: Browser, address: str, slug: str) -> None:
    """Take the picture of a kind of game: a running one."""
    context = browser.new_context(viewport=SIZE)
    page, rng = context.new_page(), Random(7)
    for plies in PLIES:
        start(page, address, slug)
        play(page, rng, plies)
        if not page.locator("#board.over").count():
            break
    page.screenshot(path=str(FOLDER / f"{slug}.png"))
    context.close()


def analysis_picture(browser: Browser, address: str, slug: str) -> None:
    """Take the picture of the analysis of a game between two computers."""
    page = browser.new_page(viewport=SIZE)
    start(page, address, slug, "computer-2", "computer-3")
    page.locator("#board .result").wait_for(timeout=PATIENCE)
    page.goto(f"{page.url}analysis/")
    page.locator("main form button.big").click()
    expect(page.locator("#analysis .tallies")).to_be_attached(timeout=PATIENCE)
    expect(page.locator("#analysis .waiting")).to_have_count(0, timeout=PATIENCE)
    page.screenshot(path=str(FOLDER / "analysis.png"))
    page.close()


def main(address: str, analysed: str) -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=LAUNCH)
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        page.screenshot(path=str(FOLDER / "home.png"))
        for slug in all_rules():
            picture(browser, address, slug)
        analysis_picture(browser, address, analysed)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2])
