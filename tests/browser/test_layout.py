"""The board and the buttons of a move fit the window without scrolling."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from games.registry import all_rules
from tests.support.browser_play import start_solo_game

OUTSIDE = """selector => [...document.querySelectorAll(selector)].filter(each => {
    const { top, bottom } = each.getBoundingClientRect();
    return top < 0 || bottom > innerHeight;
}).map(each => each.id || each.className)"""


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.browser_context_args(viewport={"width": 740, "height": 360})
def test_a_telephone_in_landscape_shows_the_whole_board_and_its_prompt(
    page: Page, slug: str
) -> None:
    start_solo_game(page, slug)
    assert page.evaluate(OUTSIDE, ".grid, #prompt, .answers button.step") == []


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.browser_context_args(viewport={"width": 1280, "height": 800})
def test_a_desktop_shows_every_button_of_a_move(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    assert page.evaluate(OUTSIDE, ".grid, #prompt, .answers button:not([popover] *)") == []
