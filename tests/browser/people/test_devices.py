"""Another browser joins a player, plays on, and is signed out: by keyboard and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.browser.play import NewContext, start_game, start_solo_game
from tests.support.kinds import two_player_rules

RESIGN = "#b-resign"
"""The button to resign, which only the page of a player has."""


def show_link(page: Page) -> str:
    """Make a link for another device by the keyboard, and return its address."""
    page.goto("/me/devices/")
    page.locator("form[action*=link] button").press("Enter")
    return page.locator("#device-link").input_value()


def join(context: BrowserContext, link: str) -> Page:
    page = context.new_page()
    page.goto(link)
    page.locator("main form button").press("Enter")
    page.wait_for_url(lambda url: "/device/" not in url)
    return page


@pytest.mark.parametrize("scripts", [True, False])
def test_a_second_browser_holds_the_seats_of_the_first(
    page: Page, new_context: NewContext, scripts: bool
) -> None:
    start_solo_game(page, two_player_rules().slug)
    game = page.url
    other = join(new_context(java_script_enabled=scripts), show_link(page))
    other.goto(game)
    expect(other.locator(RESIGN)).to_be_attached()


def test_a_device_that_is_signed_out_loses_its_board_and_its_games(
    page: Page, new_context: NewContext
) -> None:
    start_solo_game(page, two_player_rules().slug)
    game = page.url
    phone = join(new_context(), show_link(page))
    phone.goto(game)
    expect(phone.locator(RESIGN)).to_be_attached()
    page.goto("/me/access/")
    devices = page.locator("#devices + .devices li")
    devices.filter(has_not_text="This device").locator("button").press("Enter")
    expect(devices).to_have_count(1)
    phone.goto("/")
    expect(phone.locator("#my-games a")).to_have_count(0)
    phone.goto(game)
    expect(phone.locator(RESIGN)).to_have_count(0)


def test_the_menu_of_a_game_leads_to_the_code_for_another_device(new_context: NewContext) -> None:
    page = new_context(viewport={"width": 390, "height": 664}, has_touch=True).new_page()
    start_game(page, "", others="invite")
    page.locator("#b-menu").tap()
    page.get_by_role("link", name="Devices and notices").tap()
    page.get_by_role("button", name="Show a code and a link").tap()
    expect(page.locator("img.qr")).to_be_visible()


def test_a_used_link_shows_a_sentence(page: Page, new_context: NewContext) -> None:
    start_solo_game(page, two_player_rules().slug)
    link = show_link(page)
    join(new_context(), link)
    late = new_context().new_page()
    late.goto(link)
    expect(late.get_by_role("alert")).to_contain_text("used, withdrawn or has expired")
    expect(late.locator("main form")).to_have_count(0)
