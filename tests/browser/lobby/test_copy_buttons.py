"""The buttons that copy a game's address and transcript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.core.registry import all_rules
from tests.support.browser.play import make_move, show_more, start_solo_game

KIND = next(slug for slug, rules in all_rules().items() if rules.transcript)


@pytest.fixture
def game_page(page: Page) -> Page:
    """Return the page of a game with one move, allowed to read the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script("delete Navigator.prototype.share")
    start_solo_game(page, KIND)
    make_move(page)
    return page


def copy(page: Page, field: str) -> str:
    """Click the copy button beside a field, and return the clipboard's text."""
    page.locator(f"{field} + button.copy").click()
    expect(page.locator("#status")).to_have_text("Copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_the_address_of_the_game_is_copied(game_page: Page) -> None:
    show_more(game_page)
    assert copy(game_page, "#watch") == game_page.url.split("?")[0]


def test_the_transcript_is_copied(game_page: Page) -> None:
    game_page.goto(game_page.url.split("?")[0] + "1/")
    transcript = game_page.locator("#written").input_value()
    assert transcript
    assert copy(game_page, "#written") == transcript
