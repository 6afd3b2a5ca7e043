"""Looking back at a game in a browser: the keys, and what is in sight."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.browser_play import (
    click_next_step,
    open_page_per_seat,
    shown_ply,
    start_solo_game,
)
from tests.support.kinds import two_player_rules

MOVES = 3


@pytest.fixture
def game(page: Page) -> str:
    """The address of a game of some moves that goes on, open in the browser."""
    start_solo_game(page, two_player_rules().slug)
    while shown_ply(page) < MOVES:
        click_next_step(page)
    return page.url.split("?")[0]


def is_at(page: Page, number: int) -> None:
    expect(page).to_have_url(re.compile(rf"/{number}/$"))


def test_arrow_home_and_end_keys_step_through_the_positions(page: Page, game: str) -> None:
    page.goto(f"{game}1/")
    for key, number in (("End", MOVES), ("Home", 0), ("ArrowRight", 1), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        is_at(page, number)


def test_back_leaves_a_replay_that_was_stepped_through_by_keys(page: Page, game: str) -> None:
    page.goto(f"{game}1/")
    page.keyboard.press("ArrowRight")
    is_at(page, 2)
    page.keyboard.press("ArrowRight")
    is_at(page, 3)
    page.go_back()
    expect(page).to_have_url(game)


def test_the_left_arrow_replays_from_the_page_of_a_finished_game(page: Page, game: str) -> None:
    page.locator(".resign summary").click()
    page.locator("#b-resign").click()
    expect(page.locator("#board.over")).to_be_visible()
    page.locator("#watch").press("ArrowLeft")
    expect(page).to_have_url(game)
    last = shown_ply(page)
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    is_at(page, last - 1)
    page.go_back()
    expect(page).to_have_url(game)


@pytest.fixture
def players(new_context: Callable[..., BrowserContext]) -> tuple[Page, Page]:
    """Two who play with each other, with hints; the first is to move, whatever the game."""
    slug = two_player_rules().slug
    seats = [spec.key for spec in two_player_rules().seats(two_player_rules().clean({}))]
    first, second = open_page_per_seat(new_context, slug, seats, hints=True).values()
    return (first, second) if first.locator("#board.my-turn").count() else (second, first)


def move(page: Page) -> None:
    before = shown_ply(page)
    while shown_ply(page) == before:
        click_next_step(page)


@pytest.mark.parametrize("past", ["0/", "analysis/"])
def test_a_page_of_a_past_position_announces_the_players_turn(
    players: tuple[Page, Page], past: str
) -> None:
    one, other = players
    move(one)
    game = one.url.split("?")[0]
    one.goto(f"{game}{past}")
    title = one.title()
    expect(one.locator("#called")).to_be_empty()
    expect(other.locator("#board.my-turn")).to_be_visible()
    move(other)
    expect(one.get_by_role("status").filter(has_text="Your turn.")).to_be_visible(timeout=15_000)
    assert one.title() == f"● {title}"
    one.locator("#called a").click()
    expect(one).to_have_url(game)
