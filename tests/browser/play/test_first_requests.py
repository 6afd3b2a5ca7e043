"""The first request of the page of a game: htmx comes with it, and nothing is lost meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser.play import (
    NewContext,
    choose_all_but_last_step,
    expect_ply,
    next_step_button,
    reveal_secrets,
    start_game,
    start_solo_game,
)
from tests.support.kinds import one_step_rules_with_hints, stepwise_rules, two_player_rules

HTMX = "**/htmx-2*"
KIND = two_player_rules().slug
TWO_KINDS = [one_step_rules_with_hints().slug, stepwise_rules().slug]


def hold_htmx(page: Page) -> list[Route]:
    """Keep htmx from the page; return the list of its requests for it."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(HTMX, hold)
    return held


@pytest.mark.parametrize("slug", TWO_KINDS)
def test_a_move_before_htmx_has_loaded_is_shown_at_once_and_sent_later(
    page: Page, slug: str
) -> None:
    held = hold_htmx(page)
    start_solo_game(page, slug)
    reveal_secrets(page)
    choose_all_but_last_step(page)
    next_step_button(page).click()
    expect(page.locator("#board td.sending")).not_to_have_count(0)
    expect_ply(page, 0)
    held[-1].continue_()
    expect_ply(page, 1)
    expect(page.locator("#board td.sending")).to_have_count(0)


def test_a_move_is_reported_lost_without_htmx_and_can_be_sent_again(page: Page) -> None:
    start_solo_game(page, KIND)
    page.route(HTMX, lambda route: route.abort())
    choose_all_but_last_step(page)
    next_step_button(page).click()
    expect(page.locator("#prompt")).to_have_text(
        "Your move is sent as soon as you’re connected again."
    )
    page.unroute(HTMX)
    page.get_by_role("button", name="Try again").click()
    expect_ply(page, 1)


def test_a_request_other_than_a_move_waits_for_htmx(page: Page) -> None:
    start_solo_game(page, one_step_rules_with_hints().slug, hints=True)
    page.route("**/hint/", lambda route: route.fulfill(body='<p data-for="0-0">Anything</p>'))
    held = hold_htmx(page)
    with page.expect_request(HTMX):
        page.locator("#b-hint").click()
    expect(page.locator("#hint")).to_be_empty()
    held[-1].continue_()
    expect(page.locator("#hint")).to_have_text("Anything")


def test_a_page_that_was_never_touched_shows_the_moves_of_others(
    page: Page, base_url: str, new_context: NewContext
) -> None:
    address = start_game(page, base_url)
    watcher = new_context().new_page()
    requests: list[Route] = []

    def refuse_the_first(route: Route) -> None:
        requests.append(route)
        if len(requests) > 1:
            route.continue_()
        else:
            route.abort()

    watcher.route(HTMX, refuse_the_first)
    watcher.goto(address)
    choose_all_but_last_step(page)
    next_step_button(page).click()
    expect_ply(watcher, 1)
    assert len(requests) > 1
