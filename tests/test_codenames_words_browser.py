"""Words on the cards of a telephone: large enough to be read, and inside their cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

LONG = (
    "helicopter hammock mushroom lighthouse hippopotamus thermometer laboratory playground "
    "locomotive dictionary university television microscope basketball photograph festival "
    "understanding window wigwam frog WORDD WORDM shoulder strawberry waterfall"
)
SMALL = """() => [...document.querySelectorAll('.card')]
    .filter(card => parseFloat(getComputedStyle(card).fontSize) < 10
        || card.scrollWidth > card.clientWidth || card.scrollHeight > card.clientHeight)
    .map(card => card.textContent)"""


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_long_words_are_large_enough_and_inside_their_cards(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/new/codenames/")
    page.locator("label:has([name=cards][value=own])").click()
    page.locator("[name=own_words]").fill(LONG.replace(" ", ","))
    for seat in page.locator(".seat-setup select").all():
        seat.select_option("me")
    page.locator(".setup-form button.big").click()
    expect(page.locator(".card")).to_have_count(25)
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
