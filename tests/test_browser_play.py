"""Every game there is, played with a mouse in a real browser against the real site."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.registry import all_rules

CLICKS = 8
CLICKABLE = (
    "#board button[name=move]:not([aria-disabled=true]),"
    "#board button[name=chosen]:not([aria-disabled=true]):not(#b-back)"
)

each_kind = pytest.mark.parametrize("slug", all_rules())


@pytest.fixture
def faults(context: BrowserContext) -> list[str]:
    """What a page complained of: script errors, refused resources, failed requests."""
    found: list[str] = []
    context.on("weberror", lambda error: found.append(str(error.error)))
    context.on(
        "console",
        lambda line: found.append(line.text) if line.type in {"error", "warning"} else None,
    )
    return found


def start(page: Page, slug: str) -> None:
    """Set up a game with every seat on this device."""
    page.set_default_timeout(10_000)
    page.goto(f"/new/{slug}/")
    for seat in page.locator(".seat-setup select:visible").all():
        seat.select_option("me")
    page.locator(".setup-form button.big").click()
    expect(page.locator("#board")).to_be_visible()


def is_over(page: Page) -> bool:
    """The first card of a game may be the last."""
    return page.locator("#board .result").count() > 0


def ply(page: Page) -> int:
    return int(page.locator("#board").get_attribute("data-ply") or 0)


def click_a_step(page: Page) -> None:
    """Click, and wait for the answer to stand on the board: a next click would meet the old one."""
    button, board = page.locator(CLICKABLE).first, page.locator("#board")
    value = button.get_attribute("value") or ""
    is_move, after = button.get_attribute("name") == "move", ply(page) + 1
    button.click()
    if is_move:
        expect(board).to_have_attribute("data-ply", str(after))
    else:
        expect(board).to_have_attribute("data-chosen", value)


@each_kind
def test_a_game_can_be_played_with_the_mouse(page: Page, faults: list[str], slug: str) -> None:
    start(page, slug)
    for _ in range(CLICKS):
        if not is_over(page):
            click_a_step(page)
    assert ply(page) >= 1
    assert faults == []


@each_kind
@pytest.mark.browser_context_args(java_script_enabled=False)
def test_a_game_can_be_played_without_scripts(page: Page, slug: str) -> None:
    start(page, slug)
    for _ in range(CLICKS):
        if not is_over(page):
            click_a_step(page)
    assert ply(page) >= 1
