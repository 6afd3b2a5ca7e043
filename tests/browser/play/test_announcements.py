"""The announcements of a game page to screen readers: each event once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser.announcements import announcements, record_announcements
from tests.support.browser.play import (
    choose_all_but_last_step,
    click_next_step,
    expect_ply,
    next_step_button,
    show_more,
    start_solo_game,
)
from tests.support.kinds import two_player_rules


def wait_until_settled(page: Page) -> None:
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)


def send(page: Page, route: Route) -> None:
    """Let a held request go to the site, and wait until the page has swapped in the response."""
    with page.expect_event("requestfinished"):
        route.continue_()
    wait_until_settled(page)


@pytest.fixture
def game_page(page: Page) -> Page:
    """Return the page of a game with every seat on this device."""
    start_solo_game(page, two_player_rules().slug)
    return page


def test_a_move_that_the_stream_brings_first_is_announced_once(game_page: Page) -> None:
    def respond_late(route: Route) -> None:
        response = route.fetch()
        expect_ply(game_page, 1)
        route.fulfill(response=response)

    choose_all_but_last_step(game_page)
    game_page.route("**/move/", respond_late)
    record_announcements(game_page)
    with game_page.expect_event("requestfinished", lambda request: "/move/" in request.url):
        next_step_button(game_page).click()
    wait_until_settled(game_page)
    assert len(announcements(game_page)) == 1


def test_a_refusal_is_announced_although_the_stream_brought_its_board_first(
    game_page: Page,
) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    game_page.route("**/move/", hold)
    show_more(game_page)
    game_page.locator("#typed-move").fill("nonsense")
    game_page.keyboard.press("Enter")
    other = game_page.context.new_page()
    other.goto(game_page.url)
    choose_all_but_last_step(other)
    click_next_step(other)
    expect_ply(game_page, 1)
    record_announcements(game_page)
    send(game_page, held[0])
    assert announcements(game_page) == [
        "The board has changed in the meantime. This is the latest position."
    ]


def test_the_reason_of_a_refused_typed_move_is_shown_at_its_field(game_page: Page) -> None:
    game_page.set_viewport_size({"width": 360, "height": 640})
    show_more(game_page)
    typed, reason = game_page.get_by_label("Type a move"), game_page.locator("#typed .refused")
    game_page.locator("#typed").evaluate("form => form.scrollIntoView({block: 'end'})")
    typed.fill("zz")
    typed.press("Enter")
    expect(reason).not_to_be_empty()
    expect(reason).to_be_in_viewport(ratio=0.9)
    expect(typed).to_have_accessible_description(reason.inner_text())
    expect(typed).to_have_attribute("aria-invalid", "true")
    expect(game_page.locator("#board .refused")).to_have_count(0)
    choose_all_but_last_step(game_page)
    click_next_step(game_page)
    expect(reason).to_be_empty()
    expect(typed).to_have_attribute("aria-invalid", "false")


def test_a_refused_typed_move_leaves_the_half_chosen_one_and_is_announced_alone(
    game_page: Page,
) -> None:
    click_next_step(game_page)
    board = game_page.locator("#board")
    chosen = board.get_attribute("data-chosen") or ""
    assert chosen
    record_announcements(game_page)
    show_more(game_page)
    game_page.locator("#typed-move").fill("nonsense")
    game_page.keyboard.press("Enter")
    reason = game_page.locator("#typed .refused")
    expect(reason).not_to_be_empty()
    wait_until_settled(game_page)
    expect(board).to_have_attribute("data-chosen", chosen)
    assert announcements(game_page) == [reason.inner_text()]
