"""The end of a game in the browser, which moves neither the page nor, if unwanted, anything."""

from __future__ import annotations

import pytest

from games.core.registry import all_rules
from tests.support.browser.play import start_solo_game

MOTION = "document.getAnimations().map(({ animationName }) => animationName).filter(Boolean)"
PLACE = "() => [scrollY, document.querySelector('#board .grid').getBoundingClientRect().top]"

each_kind = pytest.mark.parametrize("slug", all_rules())


def end(page, slug):
    start_solo_game(page, slug)
    page.evaluate("scrollTo(0, 20)")
    before = page.evaluate(PLACE)
    page.locator("#b-resign").evaluate("button => button.click()")
    page.locator("#board.over .result").wait_for()
    return before


@each_kind
@pytest.mark.browser_context_args(viewport={"width": 390, "height": 664})
def test_the_end_of_a_game_does_not_move_the_board(page, slug):
    before = end(page, slug)
    assert page.evaluate(PLACE) == before


@each_kind
def test_nothing_moves_at_the_end_where_motion_is_reduced(page, slug):
    page.emulate_media(reduced_motion="reduce")
    end(page, slug)
    assert page.evaluate(MOTION) == []
