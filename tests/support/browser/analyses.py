"""Analyses of games in a browser, computed by the real worker process."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser.play import make_moves, start_solo_game

MOVES = 3
ANALYSES: dict[str, tuple[str, Any]] = {}
"""By slug, the address of a finished analysis and its player's cookies."""


def open_analysis(page: Page, slug: str) -> None:
    """Open an analysis: of a new game that is resigned after `MOVES`, or the one made before."""
    if slug in ANALYSES:
        address, cookies = ANALYSES[slug]
        page.context.add_cookies(cookies)
        page.goto(address)
        return
    start_solo_game(page, slug)
    make_moves(page, MOVES)
    game = page.url.split("?")[0]
    page.locator("#b-resign").evaluate("button => button.click()")
    page.locator("#board .result").wait_for()
    page.goto(f"{game}analysis/")
    page.locator(".analyse button").click()
    expect(page.locator("#analysis .tallies")).to_be_attached(timeout=60_000)
    ANALYSES[slug] = f"{game}analysis/", page.context.cookies()
