"""What never arrives is called lost, until it is tried again or the board shows that it landed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser_play import click_next_step, next_step_button, start_solo_game
from tests.support.kinds import two_player_rules

PATIENCE = 15_000
COUNT_BEATS = """
window.beats = 0;
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    this.addEventListener("beat", () => { window.beats++; });
  }
};
"""


@pytest.fixture
def table(page: Page) -> Page:
    """A game with every seat on this device, one step before its first move."""
    page.add_init_script(COUNT_BEATS)
    start_solo_game(page, two_player_rules().slug)
    page.wait_for_load_state()
    while next_step_button(page).get_attribute("name") != "move":
        click_next_step(page)
    return page


def is_lost(page: Page) -> None:
    expect(page.get_by_role("alert").filter(has_text="That did not arrive.")).to_be_visible()


def is_not_lost(page: Page) -> None:
    expect(page.locator("#lost")).to_be_hidden()


def has_ply(page: Page, ply: int) -> None:
    expect(page.locator("#board")).to_have_attribute("data-ply", str(ply))


def lose(route: Route) -> None:
    route.abort()


def test_a_lost_move_is_reported_until_it_is_made_again(table: Page) -> None:
    table.route("**/move/", lose)
    next_step_button(table).click()
    is_lost(table)
    beats = table.evaluate("beats")
    while table.evaluate("beats") == beats:
        table.wait_for_timeout(50)
    expect(table.locator("#offline")).to_be_hidden()
    is_lost(table)
    table.unroute("**/move/")
    click_next_step(table)
    is_not_lost(table)
    has_ply(table, 1)


def test_a_lost_move_leaves_no_preview_on_the_board(table: Page) -> None:
    table.route("**/move/", lose)
    next_step_button(table).hover()
    expect(table.locator("#board td[data-preview]")).not_to_have_count(0)
    next_step_button(table).click()
    is_lost(table)
    expect(table.locator("#board td[data-preview]")).to_have_count(0)


def test_a_move_of_which_only_the_response_is_lost_is_not_reported(table: Page) -> None:
    def lose_the_answer(route: Route) -> None:
        route.fetch()
        has_ply(table, 1)
        route.abort()

    table.route("**/move/", lose_the_answer)
    next_step_button(table).click()
    has_ply(table, 1)
    expect(table.locator(".htmx-request")).to_have_count(0)
    is_not_lost(table)


def test_the_report_of_a_lost_move_goes_when_the_board_shows_the_move(table: Page) -> None:
    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    table.route("**/move/", lose_the_answer)
    table.route("**/events/**", lambda route: route.abort())
    table.route("**/board/**", lambda route: route.abort())
    table.reload()
    while next_step_button(table).get_attribute("name") != "move":
        table.goto(
            f"{table.url.split('?')[0]}?chosen={next_step_button(table).get_attribute('value')}"
        )
    next_step_button(table).click()
    is_lost(table)
    table.unroute("**/board/**")
    expect(table.locator("#board")).to_have_attribute("data-ply", "1", timeout=PATIENCE)
    is_not_lost(table)


def test_a_move_without_a_response_is_reported_lost_after_the_timeout(table: Page) -> None:
    assert table.evaluate("htmx.config.timeout") > 0
    table.evaluate("htmx.config.timeout = 200")
    table.route("**/move/", lambda route: None)
    next_step_button(table).click()
    is_lost(table)
