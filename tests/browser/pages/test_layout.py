"""The board and the buttons of a move fit the window without scrolling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.core.registry import all_rules
from tests.support.browser.play import expect_ply, make_move, set_up_game, start_solo_game
from tests.support.kinds import kinds_with_computers, seat_keys, three_player_options

OUTSIDE = """selector => [...document.querySelectorAll(selector)].filter(element => {
    const { top, bottom } = element.getBoundingClientRect();
    return top < 0 || bottom > innerHeight;
}).map(element => element.id || element.className)"""


DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

ShowBoard = Callable[[str, int, int], Page]


@pytest.fixture(scope="module")
def show_board(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[ShowBoard]:
    """Return a function that shows a new game of a kind in a window of some size. All tests see the
    same game, since none makes a move."""
    context, pages = browser.new_context(**browser_context_args), dict[str, Page]()

    def show(slug: str, width: int, height: int) -> Page:
        if slug not in pages:
            pages[slug] = context.new_page()
            start_solo_game(pages[slug], slug)
        pages[slug].set_viewport_size({"width": width, "height": height})
        pages[slug].evaluate(DRAWN)
        return pages[slug]

    yield show
    context.close()


@pytest.mark.parametrize("slug", all_rules())
def test_a_phone_in_landscape_shows_the_whole_board_and_its_prompt(
    show_board: ShowBoard, slug: str
) -> None:
    page = show_board(slug, 740, 360)
    assert page.evaluate(OUTSIDE, ".grid, #prompt, .answers button.step") == []


@pytest.mark.parametrize("slug", all_rules())
def test_a_desktop_at_twice_its_size_shows_the_players_within_its_width(
    show_board: ShowBoard, slug: str
) -> None:
    page = show_board(slug, 640, 400)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    for bar in page.locator(".bar").all():
        box = bar.bounding_box()
        assert box
        assert box["width"] > 80
        assert box["x"] + box["width"] <= 640


@pytest.mark.parametrize("slug", all_rules())
def test_a_desktop_shows_every_button_of_a_move(show_board: ShowBoard, slug: str) -> None:
    page = show_board(slug, 1280, 800)
    assert page.evaluate(OUTSIDE, ".grid, #prompt, .answers button:not([popover] *)") == []


def board_places(page: Page) -> list[tuple[int, int]]:
    """Return the left and top edge of the board on a desktop and on a phone."""
    places = []
    for width, height in ((1280, 800), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator("#board .grid").bounding_box()
        assert box
        places.append((round(box["x"]), round(box["y"])))
    return places


@pytest.mark.parametrize("slug", kinds_with_computers())
def test_the_board_stays_in_its_place_when_the_first_move_is_made(page: Page, slug: str) -> None:
    page.goto("/")
    page.locator(f"form[action='/new/{slug}/start/'] button").first.click()
    expect(page.locator("#board.my-turn")).to_be_visible()
    before = board_places(page)
    make_move(page)
    assert board_places(page) == before


OUT_OF_THEIR_BARS = """levels => levels.filter(level => {
    const right = level.closest(".bar").getBoundingClientRect().right;
    return level.getBoundingClientRect().right > right;
}).map(level => level.textContent)"""


@pytest.mark.parametrize("slug", kinds_with_computers())
@pytest.mark.browser_context_args(viewport={"width": 320, "height": 664}, locale="nl")
def test_the_level_of_a_computer_stays_inside_its_bar_on_a_telephone(page: Page, slug: str) -> None:
    first, *others = seat_keys(all_rules()[slug])
    set_up_game(page, slug, dict.fromkeys(others, "computer-1") | {first: "me"}, {})
    assert page.locator(".level").evaluate_all(OUT_OF_THEIR_BARS) == []


CUT_NAMES = """() => [...document.querySelectorAll("h1, .seat-name, .seat-player")].filter(
    ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth,
).map(({ textContent }) => textContent)"""


@pytest.mark.parametrize("slug", kinds_with_computers())
@pytest.mark.browser_context_args(viewport={"width": 664, "height": 390}, locale="nl")
def test_a_phone_on_its_side_cuts_no_name_and_covers_no_button(page: Page, slug: str) -> None:
    first, *others = seat_keys(all_rules()[slug])
    ladder = all_rules()[slug].ladder
    longest = max(ladder, key=lambda number: len(str(ladder[number].name)))
    set_up_game(page, slug, dict.fromkeys(others, f"computer-{longest}") | {first: "me"}, {})
    for width, height in ((568, 320), (640, 360), (664, 390), (740, 360), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        assert page.evaluate(CUT_NAMES) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        board, menu = (page.locator(name).bounding_box() for name in (".grid", "#b-menu"))
        header = page.locator(".site-top").bounding_box()
        assert board and menu and header
        assert board["width"] > width / 3, width
        assert menu["y"] >= header["y"] + header["height"], width


def test_the_board_stays_in_its_place_under_a_row_of_players(page: Page) -> None:
    rules, options = three_player_options()
    seats = [spec.key for spec in rules.seats({**rules.clean({}), **options})]
    seating = dict.fromkeys(seats, "computer-1") | {seats[0]: "me"}
    set_up_game(page, rules.slug, seating, {name: str(n) for name, n in options.items()})
    before = board_places(page)
    make_move(page)
    assert board_places(page) == before
    expect_ply(page, 3)
    assert board_places(page) == before


ADD_WINS = """() => {
    const hero = document.querySelector(".hero");
    const wins = "You have beaten: " + "A long game, Grandmaster · ".repeat(4);
    hero.insertAdjacentHTML("beforeend", `<p class="beaten">${wins}</p>`);
}"""


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 664})
def test_the_heading_of_the_front_page_keeps_its_width_above_puzzles_and_wins(page: Page) -> None:
    page.goto("/")
    for older in page.locator(".hero > .beaten").all():
        older.evaluate("element => element.remove()")
    page.evaluate(ADD_WINS)
    heading = page.locator(".hero h1").bounding_box()
    assert heading
    assert heading["width"] > 195


def kind_with_scores() -> str:
    """Return a kind for two whose scores stand before their unit."""
    for slug, rules in all_rules().items():
        options = rules.clean({})
        first = rules.start(rules.deal(options, Random(0)))
        scores = first.scores().values()
        if len(rules.seats(options)) == 2 and any(not score.unit_first for score in scores):
            return slug
    raise LookupError


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 664}, locale="nl")
def test_the_digits_of_a_winner_with_a_long_name_are_whole(page: Page) -> None:
    start_solo_game(page, kind_with_scores())
    page.locator(".bars.below .bar").evaluate(
        """bar => {
            bar.querySelector(".bar-score b").textContent = "33";
            bar.querySelector(".seat-player").textContent = "Wilhelmina Alexandrina Paulina";
            bar.insertAdjacentHTML("beforeend", "<span class='won-mark'>gewonnen</span>");
        }"""
    )
    score = page.locator(".bars.below .bar-score")
    assert score.evaluate("it => it.clientWidth >= it.querySelector('b').offsetWidth")
