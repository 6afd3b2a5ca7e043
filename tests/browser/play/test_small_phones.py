"""A game on a small phone: names in full, and a board that stays where it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from games.contract import Rules
from games.core.registry import all_rules
from tests.support.browser.play import set_up_game, start_solo_game
from tests.support.kinds import kinds_with_computers, three_player_options

SMALLEST = {"width": 320, "height": 568}

CUT_NAMES = """() => [...document.querySelectorAll('.bars :is(.seat-player, .seat-name)')]
    .filter(name => getComputedStyle(name).position !== 'absolute')
    .filter(name => name.scrollWidth > name.clientWidth + 1)
    .map(name => name.textContent.trim())"""
END_GAME = """() => {
    const [bar] = document.querySelectorAll('.bars .bar');
    bar.classList.add('won');
    bar.insertAdjacentHTML('beforeend', '<span class="won-mark">gewonnen</span>');
    for (const name of document.querySelectorAll('.bars .seat-name'))
        name.insertAdjacentHTML('beforebegin', '<em>ligt eruit</em>');
}"""
TOP_OF_BOARD = "document.querySelector('.grid').getBoundingClientRect().top"
COVERED_CELLS = """() => {
    const bar = document.querySelector('.answer-bar').getBoundingClientRect().top;
    return [...document.querySelectorAll('#board td.cell')]
        .filter(cell => cell.getBoundingClientRect().bottom > bar).length;
}"""


def start_against_computers(page: Page, rules: Rules, **options: int) -> None:
    """Start a game of the first seat against computers of the lowest level."""
    first, *others = [spec.key for spec in rules.seats({**rules.clean({}), **options})]
    seating = {first: "me"} | dict.fromkeys(others, "computer-1")
    set_up_game(page, rules.slug, seating, {name: str(value) for name, value in options.items()})


@pytest.mark.parametrize("slug", kinds_with_computers())
@pytest.mark.browser_context_args(viewport=SMALLEST, has_touch=True, is_mobile=True, locale="nl")
def test_names_and_levels_are_told_in_full(page: Page, slug: str) -> None:
    start_against_computers(page, all_rules()[slug])
    assert page.evaluate(CUT_NAMES) == []


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.browser_context_args(viewport=SMALLEST, has_touch=True, is_mobile=True)
def test_the_bar_covers_no_row_of_the_board(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    assert page.evaluate(COVERED_CELLS) == 0


@pytest.mark.browser_context_args(locale="nl")
def test_the_end_of_a_game_of_three_moves_no_board(page: Page) -> None:
    rules, options = three_player_options()
    start_against_computers(page, rules, **options)
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 664})
        page.reload()
        before = page.evaluate(TOP_OF_BOARD)
        page.evaluate(END_GAME)
        assert page.evaluate(TOP_OF_BOARD) == before, width
