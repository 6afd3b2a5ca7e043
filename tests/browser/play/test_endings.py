"""The end of a game in the browser, which moves neither the page nor, if unwanted, anything."""

from __future__ import annotations

import pytest
from django.utils import translation
from playwright.sync_api import Page, expect

from games.core.registry import all_rules
from games.core.translation import translate
from tests.support.browser.play import NewContext, set_up_game, start_solo_game, wait_for_board
from tests.support.kinds import kinds_with_computers, seat_keys
from tests.support.repeats import LANGUAGES

MOTION = "document.getAnimations().map(({ animationName }) => animationName).filter(Boolean)"
ROW = """buttons => {
    const cut = buttons.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    const bottoms = buttons.map(button => button.getBoundingClientRect().bottom);
    return [cut.length, new Set(bottoms).size, document.documentElement.scrollWidth];
}"""
PLACE = "() => [scrollY, document.querySelector('#board .grid').getBoundingClientRect().top]"

each_kind = pytest.mark.parametrize("slug", all_rules())


def end(page, slug):
    start_solo_game(page, slug)
    page.evaluate("scrollTo(0, 20)")
    before = page.evaluate(PLACE)
    resign(page)
    return before


def resign(page):
    page.locator("#b-resign").evaluate("button => button.click()")
    page.locator("#board.over .result").wait_for()


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


def lose_three_games(page: Page, slug: str) -> None:
    """Lose three games in a row against the second level."""
    first, *others = seat_keys(all_rules()[slug])
    _, level, *_ = all_rules()[slug].ladder
    seating = dict.fromkeys(others, f"computer-{level}") | {first: "me"}
    set_up_game(page, slug, seating, {})
    resign(page)
    for _ in range(2):
        before = page.url
        page.locator("#b-rematch").click()
        expect(page).not_to_have_url(before)
        wait_for_board(page)
        resign(page)


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("slug", kinds_with_computers())
def test_the_buttons_of_an_end_stand_in_one_row_whoever_is_on_offer(
    new_context: NewContext, slug: str, locale: str
) -> None:
    page = new_context(locale=locale, viewport={"width": 390, "height": 664}).new_page()
    lose_three_games(page, slug)
    offer = page.locator("#b-next-level")
    for level in all_rules()[slug].ladder.values():
        with translation.override(locale):
            words = translation.gettext("Play %(level)s") % {"level": translate(level.name)}
        offer.evaluate("(button, words) => { button.textContent = words }", words)
        assert page.locator(".answers .button:visible").evaluate_all(ROW) == [0, 1, 390], words
