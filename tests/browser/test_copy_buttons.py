"""The button beside what somebody sends to others: it copies, and says that it did."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.registry import all_rules
from tests.support.browser_play import click_next_step, shown_ply, start_solo_game

RECORDED = next(slug for slug, rules in all_rules().items() if rules.transcript)


@pytest.fixture
def pasting(page: Page) -> Page:
    """A game after a move, in a browser that tells what was copied."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script("delete Navigator.prototype.share")
    start_solo_game(page, RECORDED)
    while shown_ply(page) < 1:
        click_next_step(page)
    return page


def copied(page: Page, field: str) -> str:
    """What is pasted after a click on the button beside the field."""
    page.locator(f"{field} + button.copy").click()
    expect(page.locator("#status")).to_have_text("Copied.")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_the_address_of_the_game_is_copied(pasting: Page) -> None:
    assert copied(pasting, "#watch") == pasting.url.split("?")[0]


def test_the_transcript_is_copied(pasting: Page) -> None:
    pasting.goto(pasting.url.split("?")[0] + "1/")
    written = pasting.locator("#written").input_value()
    assert written
    assert copied(pasting, "#written") == written
