"""Replaying a game with the keys, and pages of past positions while the game goes on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.play import (
    NewContext,
    make_move,
    make_moves,
    open_game_menu,
    open_page_per_seat,
    show_more,
    shown_ply,
    start_solo_game,
)
from tests.support.kinds import seat_keys, two_player_rules

MOVES = 3


def play_moves(page: Page) -> str:
    """Make `MOVES` moves in a new game, and return its address."""
    start_solo_game(page, two_player_rules().slug)
    make_moves(page, MOVES)
    return page.url.split("?")[0]


@pytest.fixture(scope="module")
def running_game(browser: Browser, base_url: str) -> str:
    context = browser.new_context(base_url=base_url)
    address = play_moves(context.new_page())
    context.close()
    return address


@pytest.fixture
def game(page: Page, running_game: str) -> str:
    """Return the address of a running game of another visitor, opened in the page."""
    page.goto(running_game)
    return running_game


def expect_page_of_ply(page: Page, ply: int) -> None:
    expect(page).to_have_url(re.compile(rf"/{ply}/$"))
    expect(page.locator(".plies")).to_have_attribute("data-ply", str(ply))


def test_arrow_home_and_end_keys_step_through_the_positions(page: Page, game: str) -> None:
    page.goto(f"{game}1/")
    for key, number in (("End", MOVES), ("Home", 0), ("ArrowRight", 1), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        expect_page_of_ply(page, number)


def test_stepping_keeps_the_page_and_its_scroll_position(page: Page, game: str) -> None:
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(f"{game}1/")
    page.evaluate("window.same = true; scrollTo(0, 50)")
    page.get_by_role("link", name="Next").evaluate("link => link.click()")
    expect_page_of_ply(page, 2)
    page.locator(".moves a").first.evaluate("link => link.click()")
    expect(page.locator(".plies")).not_to_have_attribute("data-ply", "2")
    assert page.evaluate("[window.same, scrollY]") == [True, 50]


def test_keys_pressed_faster_than_the_answers_are_all_counted(page: Page, game: str) -> None:
    page.goto(f"{game}0/")
    for _ in range(MOVES):
        page.keyboard.press("ArrowRight")
    expect_page_of_ply(page, MOVES)
    page.keyboard.press("ArrowRight")
    expect_page_of_ply(page, MOVES)


def test_autoplay_shows_the_moves_and_stops_at_the_last_one(page: Page, game: str) -> None:
    page.goto(f"{game}0/")
    button = page.get_by_role("button", name="Autoplay")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect_page_of_ply(page, MOVES)
    expect(button).to_have_attribute("aria-pressed", "false")


def test_autoplay_begins_anew_at_the_end_and_can_be_paused(page: Page, game: str) -> None:
    page.goto(f"{game}{MOVES}/")
    button = page.get_by_role("button", name="Autoplay")
    button.click()
    expect_page_of_ply(page, 0)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_step_is_announced(page: Page, game: str) -> None:
    page.goto(f"{game}0/")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_have_text(page.locator(".news").first.inner_text())


def test_each_position_is_a_page_without_scripts(
    page: Page, game: str, new_context: NewContext
) -> None:
    reader = new_context(java_script_enabled=False).new_page()
    reader.goto(f"{game}0/")
    for ply in range(1, MOVES + 1):
        reader.get_by_role("link", name="Next").click()
        expect_page_of_ply(reader, ply)
    expect(reader.locator("#autoplay")).to_be_hidden()


def test_back_leaves_a_replay_that_was_stepped_through_by_keys(page: Page, game: str) -> None:
    page.goto(f"{game}1/")
    page.keyboard.press("ArrowRight")
    expect_page_of_ply(page, 2)
    page.keyboard.press("ArrowRight")
    expect_page_of_ply(page, 3)
    page.go_back()
    expect(page).to_have_url(game)


def test_the_left_arrow_replays_from_the_page_of_a_finished_game(page: Page) -> None:
    game = play_moves(page)
    open_game_menu(page)
    page.locator("[id^=resign] summary").click()
    page.locator("#b-resign").click()
    expect(page.locator("#board.over")).to_be_visible()
    show_more(page)
    page.locator("#watch").press("ArrowLeft")
    expect(page).to_have_url(game)
    last = shown_ply(page)
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect_page_of_ply(page, last - 1)
    page.go_back()
    expect(page).to_have_url(game)


@pytest.fixture
def players(new_context: NewContext) -> tuple[Page, Page]:
    """Return two players' pages of a game with hints, the player to move first."""
    rules = two_player_rules()
    pages = open_page_per_seat(new_context, rules.slug, seat_keys(rules), hints=True)
    first, second = pages.values()
    return (first, second) if first.locator("#board.my-turn").count() else (second, first)


@pytest.mark.parametrize("past", ["0/", "analysis/"])
def test_a_page_of_a_past_position_announces_the_players_turn(
    players: tuple[Page, Page], past: str
) -> None:
    one, other = players
    make_move(one)
    game = one.url.split("?")[0]
    one.goto(f"{game}{past}")
    title = one.title()
    expect(one.locator("#called")).to_be_empty()
    expect(other.locator("#board.my-turn")).to_be_visible()
    make_move(other)
    expect(one.get_by_role("status").filter(has_text="Your turn.")).to_be_visible()
    assert one.title() == f"● {title}"
    one.locator("#called a").click()
    expect(one).to_have_url(game)
