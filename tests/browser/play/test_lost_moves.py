"""Moves lost on the network are reported until they are made again or the board shows them."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.support.browser.page_spies import SPIES, wait_for_heartbeat
from tests.support.browser.play import (
    choose_all_but_last_step,
    expect_ply,
    load_htmx,
    next_step_button,
    show_more,
    start_solo_game,
)
from tests.support.kinds import two_player_rules
from tests.support.random_games import play_randomly

WAITS = "Your move is sent as soon as you’re connected again."


@pytest.fixture
def game_page(page: Page) -> Page:
    """Return the page of a game on one device, one step before its first move."""
    page.add_init_script(SPIES)
    start_solo_game(page, two_player_rules().slug)
    choose_all_but_last_step(page)
    return page


def make_move(page: Page, typed: str = "") -> None:
    """Make a move by clicks, or type it, without waiting for its answer."""
    if typed:
        show_more(page)
        page.locator("#typed-move").fill(typed)
        page.locator("#typed button").click()
    else:
        choose_all_but_last_step(page)
        next_step_button(page).click()


def expect_report(page: Page) -> None:
    expect(page.locator("#prompt")).to_have_text(WAITS)
    expect(page.locator("#status")).to_have_text(WAITS)
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def expect_no_report(page: Page) -> None:
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#b-again")).to_have_count(0)


def drop(route: Route) -> None:
    route.abort()


def test_a_lost_move_is_sent_again_by_itself_when_the_network_is_back(game_page: Page) -> None:
    game_page.route("**/move/", drop)
    next_step_button(game_page).click()
    expect_report(game_page)
    game_page.unroute("**/move/")
    wait_for_heartbeat(game_page)
    expect_ply(game_page, 1)
    expect(game_page.locator("#offline")).to_be_hidden()
    expect_no_report(game_page)


def test_a_lost_move_leaves_no_preview_on_the_board(game_page: Page) -> None:
    game_page.route("**/move/", drop)
    next_step_button(game_page).hover()
    expect(game_page.locator("#board td[data-preview]")).not_to_have_count(0)
    next_step_button(game_page).click()
    expect_report(game_page)
    expect(game_page.locator("#board td[data-preview]")).to_have_count(0)


def test_a_move_is_not_reported_if_only_its_response_is_lost(game_page: Page) -> None:
    def drop_response(route: Route) -> None:
        route.fetch()
        expect_ply(game_page, 1)
        route.abort()

    game_page.route("**/move/", drop_response)
    next_step_button(game_page).click()
    expect_ply(game_page, 1)
    expect(game_page.locator(".htmx-request")).to_have_count(0)
    expect_no_report(game_page)


@pytest.mark.parametrize("is_typed", [False, True])
def test_a_move_that_is_made_before_the_answer_to_the_last_one_is_sent_after_it(
    game_page: Page, is_typed: bool
) -> None:
    rules = two_player_rules()
    start = rules.start(rules.deal(rules.clean({}), Random(1)))
    (_, first), (_, second) = play_randomly(start, Random(1), 2) if is_typed else [("", "")] * 2
    held: list[tuple[Route, APIResponse]] = []
    game_page.route("**/move/", lambda route: held.append((route, route.fetch())), times=1)
    make_move(game_page, first)
    expect_ply(game_page, 1)
    make_move(game_page, second)
    expect(game_page.locator("#board.waits")).to_be_visible()
    for route, response in held:
        route.fulfill(response=response)
    expect_ply(game_page, 2)
    expect_no_report(game_page)


def test_the_report_of_a_lost_move_disappears_when_the_board_shows_the_move(
    game_page: Page,
) -> None:
    def drop_response(route: Route) -> None:
        route.fetch()
        route.abort()

    game_page.route("**/move/", drop_response)
    game_page.route("**/events/**", lambda route: route.abort())
    game_page.route("**/board/**", lambda route: route.abort())
    game_page.reload()
    while next_step_button(game_page).get_attribute("name") != "move":
        game_page.goto(
            f"{game_page.url.split('?')[0]}?chosen={next_step_button(game_page).get_attribute('value')}"
        )
    next_step_button(game_page).click()
    expect_report(game_page)
    game_page.unroute("**/board/**")
    expect_ply(game_page, 1)
    expect_no_report(game_page)


def test_a_move_without_a_response_is_reported_lost_after_the_timeout(game_page: Page) -> None:
    load_htmx(game_page)
    assert game_page.evaluate("htmx.config.timeout") > 0
    game_page.evaluate("htmx.config.timeout = 200")
    game_page.route("**/move/", lambda route: None)
    next_step_button(game_page).click()
    expect_report(game_page)
