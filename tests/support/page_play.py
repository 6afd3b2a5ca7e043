"""A game of any kind, clicked in a real browser: the same clicks with scripts and without."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def start(page: Page, slug: str) -> None:
    """Set up a game with every seat on this device."""
    page.set_default_timeout(10_000)
    page.goto(f"/new/{slug}/")
    for seat in page.locator(".seat-setup select:visible").all():
        seat.select_option("me")
    page.locator(".setup-form button.big").click()
    expect(page.locator("#board")).to_be_visible()
    # What is pressed before the scripts are there loads the page without them.
    page.wait_for_load_state()


def is_over(page: Page) -> bool:
    """The first card of a game may be the last."""
    return page.locator("#board .result").count() > 0


def ply(page: Page) -> int:
    return int(page.locator("#board").get_attribute("data-ply") or 0)


def next_step(page: Page) -> Locator:
    """The first button that leads on: makes a move, or adds a step to those that are chosen."""
    chosen = page.locator("#board").get_attribute("data-chosen")
    more = f"[value^='{chosen} ']" if chosen else ":not(#b-back)"
    return page.locator(
        f"#board button:is([name=move], [name=chosen]{more}):not([aria-disabled=true])"
    ).first


def open_a_seat(page: Page) -> None:
    """Where nothing can be clicked as long as nobody sees their own secrets: look as who moves."""
    hand_over = page.locator(".hand-over > button:not(.quiet)").first
    if next_step(page).count() == 0 and hand_over.count():
        hand_over.click()
        page.locator(".secret-screen a:visible").click()
        expect(page.locator("#board .opened")).to_be_visible()


def click_a_step(page: Page) -> None:
    """Click, and wait for the answer to stand on the board: a next click would meet the old one."""
    open_a_seat(page)
    button, board = next_step(page), page.locator("#board")
    value = button.get_attribute("value") or ""
    is_move, after = button.get_attribute("name") == "move", ply(page) + 1
    button.click()
    if is_move:
        expect(board).to_have_attribute("data-ply", str(after))
    else:
        expect(board).to_have_attribute("data-chosen", value)
