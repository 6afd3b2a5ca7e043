"""What is read out to whoever does not see the board: each thing, and once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser_play import click_next_step, next_step_button, start_solo_game
from tests.support.game_factory import two_player_rules

LISTEN = """region => {
    window.told = [];
    const note = new MutationObserver(
        () => told.push(document.querySelector(region).textContent.trim())
    );
    note.observe(document.querySelector(region), {childList: true, subtree: true});
}"""


def listen(page: Page, region: str = "#status") -> None:
    """Keep what the region says from now on."""
    page.evaluate(LISTEN, region)


def told(page: Page) -> list[str]:
    """What it has said, but for falling silent."""
    return [words for words in page.evaluate("told") if words]


def has_ply(page: Page, ply: int) -> None:
    expect(page.locator("#board")).to_have_attribute("data-ply", str(ply))


def choose_all_but_the_last_step(page: Page) -> None:
    while next_step_button(page).get_attribute("name") != "move":
        click_next_step(page)


def is_settled(page: Page) -> None:
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def go_on(page: Page, route: Route) -> None:
    """Let a request go to the site, and wait for what the page makes of the answer."""
    with page.expect_event("requestfinished"):
        route.continue_()
    is_settled(page)


@pytest.fixture
def table(page: Page) -> Page:
    """A game with every seat on this device."""
    start_solo_game(page, two_player_rules().slug)
    page.wait_for_load_state()
    return page


def test_a_move_that_the_stream_brings_first_is_read_out_once(table: Page) -> None:
    def answer_late(route: Route) -> None:
        answer = route.fetch()
        has_ply(table, 1)
        route.fulfill(response=answer)

    choose_all_but_the_last_step(table)
    table.route("**/move/", answer_late)
    listen(table)
    with table.expect_event("requestfinished", lambda request: "/move/" in request.url):
        next_step_button(table).click()
    is_settled(table)
    assert len(told(table)) == 1


def test_a_refusal_is_read_out_where_the_stream_has_brought_its_board(table: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    table.route("**/move/", hold)
    table.locator("#typed-move").fill("nonsense")
    table.keyboard.press("Enter")
    other = table.context.new_page()
    other.goto(table.url)
    choose_all_but_the_last_step(other)
    click_next_step(other)
    has_ply(table, 1)
    listen(table)
    go_on(table, held[0])
    assert told(table) == ["The board has changed since; here is the new one."]


def test_why_a_typed_move_is_refused_is_said_where_it_was_typed(table: Page) -> None:
    table.set_viewport_size({"width": 360, "height": 640})
    typed, why = table.get_by_label("Type a move"), table.locator("#typed .refused")
    table.locator("#typed").evaluate("form => form.scrollIntoView({block: 'end'})")
    typed.fill("zz")
    typed.press("Enter")
    expect(why).not_to_be_empty()
    expect(why).to_be_in_viewport(ratio=0.9)
    expect(typed).to_have_accessible_description(why.inner_text())
    expect(typed).to_have_attribute("aria-invalid", "true")
    expect(table.locator("#board .refused")).to_have_count(0)
    choose_all_but_the_last_step(table)
    click_next_step(table)
    expect(why).to_be_empty()
    expect(typed).to_have_attribute("aria-invalid", "false")


def test_a_typed_refusal_leaves_the_half_chosen_move_and_is_all_that_is_read_out(
    table: Page,
) -> None:
    click_next_step(table)
    board = table.locator("#board")
    chosen = board.get_attribute("data-chosen") or ""
    assert chosen
    listen(table)
    table.locator("#typed-move").fill("nonsense")
    table.keyboard.press("Enter")
    why = table.locator("#typed .refused")
    expect(why).not_to_be_empty()
    is_settled(table)
    expect(board).to_have_attribute("data-chosen", chosen)
    assert told(table) == [why.inner_text()]
