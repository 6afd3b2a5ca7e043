"""A move is shown in the frame of the click, however long the server takes to answer."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from games.core.registry import all_rules
from tests.support.browser.play import (
    choose_all_but_last_step,
    claim_seat,
    click_next_step,
    expect_ply,
    next_step_button,
    reveal_secrets,
    start_game,
    start_solo_game,
)
from tests.support.kinds import one_step_rules_with_hints, stepwise_rules, two_player_rules

FIRST_FRAME = """
button => {
  button.click();
  return new Promise(resolve => requestAnimationFrame(() => resolve({
    sent: [...document.querySelectorAll("#board td.sending button")].map(cell => cell.outerHTML),
    ply: document.getElementById("board").dataset.ply,
    choices: document.querySelectorAll("#board td.legal").length,
  })));
}
"""
LOST = "Your move is sent as soon as you’re connected again."

each_game = pytest.mark.parametrize("slug", all_rules())


def hold_moves(page: Page) -> list[Route]:
    """Keep moves from the server; return the list of those that the page has sent."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/move/", hold)
    return held


def choose_a_move(page: Page) -> None:
    """Choose a move up to the click that sends it."""
    reveal_secrets(page)
    choose_all_but_last_step(page)


def send_move(page: Page) -> Any:
    """Click the button that sends the move, and return the picture of the next frame."""
    return next_step_button(page).evaluate(FIRST_FRAME)


@each_game
def test_a_sent_move_is_on_the_board_in_the_same_frame_as_the_click(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    choose_a_move(page)
    held = hold_moves(page)
    frame = send_move(page)
    assert frame["ply"] == "0"
    assert frame["sent"]
    assert frame["choices"] == 0
    expect(page.locator("#prompt")).to_have_text("Sending…")
    held[0].continue_()
    expect_ply(page, 1)
    expect(page.locator("#board td.sending")).to_have_count(0)
    expect(page.locator("#board")).not_to_have_class("waits")


def test_all_steps_of_a_turn_take_one_request(page: Page) -> None:
    start_solo_game(page, stepwise_rules().slug)
    requests: list[str] = []

    def note(request: Request) -> None:
        part = request.url.rstrip("/").rpartition("/")[2]
        if "/g/" in request.url and "/events/" not in request.url:
            requests.append(f"{request.method} {part}")

    page.on("request", note)
    choose_a_move(page)
    click_next_step(page)
    expect_ply(page, 1)
    assert requests == ["POST move"]


def test_a_refused_move_is_taken_back_with_its_reason(page: Page) -> None:
    start_solo_game(page, two_player_rules().slug)
    choose_a_move(page)

    def spoil(route: Route) -> None:
        sent = route.request.post_data or ""
        route.continue_(post_data=sent.replace("move=", "move=zz"))

    page.route("**/move/", spoil)
    assert send_move(page)["sent"]
    expect(page.locator("#board .refused")).not_to_be_empty()
    expect(page.locator("#board td.sending")).to_have_count(0)
    assert next_step_button(page).count() == 1


@pytest.mark.parametrize("slug", [one_step_rules_with_hints().slug, stepwise_rules().slug])
def test_a_move_stays_on_the_board_while_the_network_is_gone(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    choose_a_move(page)
    page.route("**/move/", lambda route: route.abort())
    drawn = send_move(page)["sent"]
    expect(page.locator("#prompt")).to_have_text(LOST)
    cells = page.locator("#board td.sending button")
    assert cells.evaluate_all("all => all.map(cell => cell.outerHTML)") == drawn
    page.unroute("**/move/")
    page.locator("#b-again").click()
    expect_ply(page, 1)


def test_a_lost_move_can_be_given_up(page: Page) -> None:
    start_solo_game(page, two_player_rules().slug)
    choose_a_move(page)
    page.route("**/move/", lambda route: route.abort())
    send_move(page)
    expect(page.locator("#prompt")).to_have_text(LOST)
    page.locator("#b-back").click()
    expect(page.locator("#board td.sending")).to_have_count(0)
    expect(page.locator("#board td.legal, #board .step").first).to_be_visible()


def test_a_player_who_joins_does_not_undo_a_move_on_its_way(visit: Any, site: str) -> None:
    mine, other = visit(), visit()
    start_game(mine, site, two_player_rules().slug, others="invite")
    choose_a_move(mine)
    held = hold_moves(mine)
    drawn = send_move(mine)["sent"]
    version = mine.locator("#board").get_attribute("data-version")
    claim_seat(other, mine)
    expect(mine.locator(f"#board:not([data-version='{version}'])")).to_be_visible()
    cells = mine.locator("#board td.sending button")
    assert len(cells.all()) == len(drawn)
    held[0].continue_()
    expect_ply(mine, 1)
