"""Refused moves, expired forms and server errors on an open game page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.announcements import record_announcements, texts_with_pauses
from tests.support.browser.play import (
    MOVE_BUTTON,
    choose_all_but_last_step,
    claim_seat,
    expect_ply,
    show_more,
    start_game,
    start_solo_game,
)
from tests.support.kinds import kinds_with_analysis, one_step_rules_with_hints

KIND = one_step_rules_with_hints().slug


@pytest.mark.parametrize("status", [500, 503])
def test_a_server_error_is_shown_above_the_board_and_not_as_a_lost_connection(
    page: Page, status: int
) -> None:
    start_solo_game(page, KIND, hints=True)
    page.route("**/move/", lambda route: route.fulfill(status=status, body="<p>Sorry.</p>"))
    page.locator(MOVE_BUTTON).first.click()
    expect(page.locator("#trouble")).to_have_text("Sorry.")
    expect(page.locator("#offline")).to_be_hidden()
    expect_ply(page, 0)
    page.unroute("**/move/")
    page.locator(MOVE_BUTTON).first.click()
    expect_ply(page, 1)
    expect(page.locator("#trouble")).to_be_empty()


def test_an_expired_form_leaves_the_board_in_place(page: Page) -> None:
    start_solo_game(page, KIND, hints=True)
    page.context.clear_cookies(name="csrftoken")
    page.locator(MOVE_BUTTON).first.click()
    expect(page.locator("#trouble")).to_contain_text("Reload it")
    expect_ply(page, 0)
    expect(page.locator("h1")).to_have_count(1)
    page.reload()
    page.locator(MOVE_BUTTON).first.click()
    expect_ply(page, 1)
    expect(page.locator("#trouble")).to_be_empty()


def test_a_move_that_is_refused_twice_is_announced_twice(page: Page) -> None:
    start_solo_game(page, KIND, hints=True)
    record_announcements(page)
    for _ in range(2):
        show_more(page)
        page.locator("#typed-move").fill("nonsense")
        page.locator("#typed button").click()
        expect(page.locator("#status")).not_to_be_empty()
        expect(page.locator(".htmx-request")).to_have_count(0)
    texts = texts_with_pauses(page)
    assert texts.count(texts[-1]) >= 2
    # A screen reader does not announce a text that replaces the same text.
    assert "" in texts[texts.index(texts[-1]) : -1]


@pytest.mark.parametrize("slug", kinds_with_analysis())
def test_a_click_on_a_cell_that_cannot_be_chosen_says_why(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    choose_all_but_last_step(page)
    page.locator("#board td.cell:not(.legal) [data-cell]").last.click(force=True)
    reason = page.locator(".why").inner_text()
    assert reason
    expect(page.locator("#status")).to_have_text(reason)
    expect_ply(page, 0)


def test_a_click_out_of_turn_says_that_it_is_not_your_turn(visit: Any, site: str) -> None:
    mine, other = visit(), visit()
    start_game(mine, site, KIND, others="invite")
    claim_seat(other, mine)
    other.locator("#board [data-cell]").first.click(force=True)
    expect(other.locator(".why")).to_have_text("It is not your turn.")
    expect(other.locator("#status")).to_have_text("It is not your turn.")
    other.locator("h1").click()
    expect(other.locator(".why")).to_have_count(0)
