"""Open requests are in view on a phone and in the title, and the layout does not shift on a
move."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.contract import Rules
from games.core.registry import all_rules
from tests.support.browser.play import (
    NewContext,
    expect_ply,
    make_move,
    make_moves,
    open_game_menu,
    open_page_per_seat,
    start_solo_game,
)
from tests.support.kinds import (
    one_step_rules_with_hints,
    seat_keys,
    stepwise_rules,
    two_player_rules,
)
from tests.support.repeats import LANGUAGES

PHONE = {"width": 390, "height": 664}
SIZES = [(320, 568), (390, 664), (768, 1024), (1280, 800), (1920, 1080)]

OUTSIDE = """selector => [...document.querySelectorAll(selector)].filter(element => {
    const { top, bottom } = element.getBoundingClientRect();
    return top < 0 || bottom > innerHeight;
}).map(element => element.id || element.className)"""
OVERLAP = """selector => {
    const bar = document.querySelector('.answer-bar').getBoundingClientRect().top;
    return [...document.querySelectorAll(selector)]
        .filter(part => part.getBoundingClientRect().bottom > bar)
        .map(part => part.className);
}"""
COVERED_FOCUS = """() => {
    const part = document.activeElement, bar = document.querySelector('.answer-bar');
    if (part === document.body || bar.contains(part)) return null;
    const covered = part.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
    return covered ? part.outerHTML : null;
}"""
RECORD_SHIFTS = """
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const { value, sources, hadRecentInput } of list.getEntries())
            if (!hadRecentInput)
                window.shifts.push([value, ...sources.map(({ node }) => node?.className)]);
    }).observe({ type: 'layout-shift' });
"""


READ_SHIFTS = """() => new Promise(done => requestAnimationFrame(() =>
    requestAnimationFrame(() => setTimeout(() => done(shifts.splice(0))))))"""


def read_shifts(page: Page) -> list[object]:
    """Return the layout shifts since the last call, once the next frames have been drawn."""
    shifts: list[object] = page.evaluate(READ_SHIFTS)
    return shifts


@pytest.fixture
def phones(new_context: NewContext) -> Callable[..., list[Page]]:
    """Return a function that opens a game on two phones, one for each player."""

    def open_game(rules: Rules | None = None, **options: str) -> list[Page]:
        rules = rules or two_player_rules()

        def small_context() -> BrowserContext:
            return new_context(viewport=PHONE, has_touch=True, is_mobile=True, **options)

        return [*open_page_per_seat(small_context, rules.slug, seat_keys(rules)).values()]

    return open_game


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.parametrize("language", LANGUAGES)
def test_board_players_counts_and_answers_fit_a_phone_without_scrolling(
    new_context: NewContext, slug: str, language: str
) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    page = new_context(**phone, locale=language).new_page()
    start_solo_game(page, slug)
    for moves in range(2):
        make_moves(page, moves)
        assert page.evaluate(OUTSIDE, ".site-top, .grid, .bars, .answer-bar") == []
        # The first card can end a game, which then has its turns below the bar.
        assert page.evaluate(OVERLAP, ".grid, .bars, .info > :not(.moves, .recap, .hidden)") == []


@pytest.mark.parametrize("slug", all_rules())
def test_no_game_scrolls_sideways_on_any_screen(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    make_move(page)
    too_wide = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            too_wide.append(width)
    assert too_wide == []


def test_an_undo_request_is_in_view_and_in_the_title_however_far_the_page_is_scrolled(
    phones: Callable[..., list[Page]],
) -> None:
    asker, answerer = phones()
    make_move(asker)
    answerer.evaluate("scrollTo(0, document.body.scrollHeight)")
    asker.locator("#b-undo").click()
    expect(answerer.locator("#b-yes-undo")).to_be_in_viewport(ratio=1)
    expect(answerer.locator("#b-no-undo")).to_be_in_viewport(ratio=1)
    assert answerer.title().startswith("●")
    assert "wants to take back" in answerer.title()


def test_a_rematch_offer_is_in_view_and_in_the_title(
    phones: Callable[..., list[Page]],
) -> None:
    loser, winner = phones()
    make_move(loser)
    open_game_menu(loser)
    loser.locator("#game-menu [id^=resign] summary").click()
    loser.locator("#b-resign").click()
    expect(winner.locator("#b-rematch")).to_be_in_viewport(ratio=1)
    loser.locator("#b-rematch").click()
    expect(winner.get_by_role("button", name="Join the rematch")).to_be_in_viewport(ratio=1)
    assert "wants a rematch" in winner.title()
    assert winner.evaluate(OVERLAP, ".grid, .bars") == []


def test_the_bar_of_the_winner_shows_the_name_and_squeezes_no_piece_on_a_phone(
    phones: Callable[..., list[Page]],
) -> None:
    loser, winner = phones(one_step_rules_with_hints(), locale="nl-NL")
    make_move(loser)
    loser.locator("#b-resign").evaluate("button => button.click()")
    for page in (loser, winner):
        bar = page.locator(".bar.won")
        expect(bar.locator(".won-mark")).to_be_visible()
        name, piece = bar.locator(".seat-player"), bar.locator(".seat > i")
        assert name.evaluate("element => element.scrollWidth <= element.clientWidth")
        assert piece.evaluate("element => element.offsetWidth === element.offsetHeight")


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}], ids=str)
def test_a_move_shifts_nothing_for_the_mover_and_the_other_player(
    new_context: NewContext, size: dict[str, int]
) -> None:
    rules = stepwise_rules()

    def sized_context() -> BrowserContext:
        context = new_context(viewport=size)
        context.add_init_script(RECORD_SHIFTS)
        return context

    mover, watcher = open_page_per_seat(sized_context, rules.slug, seat_keys(rules)).values()
    make_move(mover)
    expect_ply(watcher, 1)
    for page in (mover, watcher):
        read_shifts(page)
    make_move(watcher)
    expect_ply(mover, 2)
    assert [read_shifts(page) for page in (mover, watcher)] == [[], []]


def test_what_has_the_focus_on_a_phone_is_above_the_bar(new_context: NewContext):
    page = new_context(viewport={"width": 320, "height": 568}, has_touch=True).new_page()
    start_solo_game(page, two_player_rules().slug)
    page.locator(".doors").evaluate("fold => { fold.open = true; }")
    focused: set[str] = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        focused.add(page.evaluate("document.activeElement.form?.id || ''"))
        assert page.evaluate(COVERED_FOCUS) is None
    assert "typed" in focused
