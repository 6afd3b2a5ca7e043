"""Half-chosen moves stay while the board is replaced by newer versions."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.support.browser.page_spies import wait_for_heartbeat
from tests.support.browser.play import (
    NewContext,
    claim_seat,
    click_next_step,
    expect_ply,
    make_move,
    next_step_button,
    open_page_per_seat,
    start_game,
)
from tests.support.kinds import seat_keys, stepwise_rules


def start_with_half_chosen_move(page: Page, site: str, *, others: str) -> str:
    """Start a game with moves of several steps, choose the first step, and return it."""
    start_game(page, site, stepwise_rules().slug, others=others)
    click_next_step(page)
    chosen = page.locator("#board").get_attribute("data-chosen")
    assert chosen
    return chosen


def test_a_half_chosen_move_outlives_a_heartbeat(visit, site):
    mine = visit()
    chosen = start_with_half_chosen_move(mine, site, others="me")
    wait_for_heartbeat(mine)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_a_step_back_leaves_the_half_chosen_move_that_came_with_the_page(visit, site):
    mine = visit()
    chosen = start_with_half_chosen_move(mine, site, others="me")
    mine.goto(f"{mine.url.split('?')[0]}?chosen={chosen}")
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)
    mine.locator("#b-back").click()
    expect(mine.locator("#board:not([data-chosen])")).to_be_visible()
    expect(mine.locator("#b-back")).to_have_count(0)


def test_a_half_chosen_move_outlives_a_player_who_joins(visit, site):
    mine, other = visit(), visit()
    chosen = start_with_half_chosen_move(mine, site, others="invite")
    version = mine.locator("#board").get_attribute("data-version")
    claim_seat(other, mine)
    expect(mine.locator(f"#board:not([data-version='{version}'])")).to_be_visible()
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_a_half_chosen_move_outlives_the_late_response_to_the_move_before(visit, site):
    mine, held = visit(), []

    def hold(route: Route) -> None:
        held.append((route, route.fetch()))

    start_with_half_chosen_move(mine, site, others="me")
    mine.route("**/move/", hold)
    while next_step_button(mine).get_attribute("name") == "chosen":
        click_next_step(mine)
    next_step_button(mine).click()
    expect_ply(mine, 1)
    click_next_step(mine)
    chosen = mine.locator("#board").get_attribute("data-chosen")
    assert chosen
    with mine.expect_event("requestfinished"):
        held[0][0].fulfill(response=held[0][1])
    mine.wait_for_timeout(300)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_a_half_chosen_move_outlives_an_undo_request_and_its_refusal(
    new_context: NewContext,
) -> None:
    rules = stepwise_rules()
    asker, mine = open_page_per_seat(new_context, rules.slug, seat_keys(rules)).values()
    make_move(asker)
    expect(mine.locator("#board.my-turn")).to_be_visible()
    click_next_step(mine)
    chosen = mine.locator("#board").get_attribute("data-chosen") or ""
    assert chosen
    asker.locator("#b-undo").click()
    expect(mine.locator("#b-no-undo")).to_be_visible()
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)
    expect(mine.locator("#status")).to_contain_text("wants to take")
    mine.locator("#b-no-undo").click()
    expect(mine.locator("#b-no-undo")).to_have_count(0)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_a_half_chosen_move_outlives_a_refusal_that_the_stream_brings_first(
    new_context: NewContext,
) -> None:
    rules = stepwise_rules()
    asker, mine = open_page_per_seat(new_context, rules.slug, seat_keys(rules)).values()

    def respond_late(route: Route) -> None:
        response = route.fetch()
        expect(mine.locator("#b-no-undo")).to_have_count(0)
        route.fulfill(response=response)

    make_move(asker)
    expect(mine.locator("#board.my-turn")).to_be_visible()
    click_next_step(mine)
    chosen = mine.locator("#board").get_attribute("data-chosen") or ""
    asker.locator("#b-undo").click()
    expect(mine.locator("#b-no-undo")).to_be_visible()
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)
    mine.route("**/undo/answer/", respond_late)
    with mine.expect_event("requestfinished", lambda request: "/answer/" in request.url):
        mine.locator("#b-no-undo").click()
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)
