"""Back, on a device that may no longer see the key of Codenames."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.games.codenames.browser.test_play import NewContext, start
from tests.support.browser.play import offer_seat

SPYMASTER = "red-spymaster"


def move_away(game: str, old: Page, new: Page) -> None:
    """Move the seat of a device to another one."""
    aside = old.context.new_page()
    aside.goto(game)
    offer_seat(aside, SPYMASTER)
    new.goto(aside.locator(f"#link-{SPYMASTER}").input_value())
    new.locator("main button").click()
    expect(new.locator("#board")).to_be_visible()
    aside.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_back_shows_no_key_where_the_seat_has_moved_away(
    new_context: NewContext, scripts: bool
) -> None:
    page = new_context(java_script_enabled=scripts).new_page()
    start(page, "invite")
    game = page.url
    page.goto(f"{game}0/")
    expect(page.locator(".key")).to_have_count(6)
    page.goto("/settings/")
    move_away(game, page, new_context().new_page())
    for address in (f"{game}0/", game):
        page.go_back()
        expect(page).to_have_url(address)
        expect(page.locator(".card")).to_have_count(6)
        expect(page.locator(".key")).to_have_count(0)


@pytest.mark.parametrize("address", ["", "0/"])
def test_a_page_with_the_key_that_is_only_put_aside_is_loaded_again(
    page: Page, new_context: NewContext, address: str
) -> None:
    start(page, "invite")
    game = page.url
    # It does not wait for the board that follows either.
    page.route(re.compile("/(events|board)/"), lambda route: route.abort())
    page.goto(game + address)
    expect(page.locator(".key")).to_have_count(6)
    move_away(game, page, new_context().new_page())
    # As a browser does from its back/forward cache.
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    expect(page.locator(".key").first).to_be_hidden()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator(".card").first).to_be_visible()
    expect(page.locator(".key")).to_have_count(0)
