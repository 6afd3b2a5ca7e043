"""Pages about the visitor, walked through with Tab, Enter and letters alone."""

from __future__ import annotations

from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from games.core.registry import all_rules
from tests.support.browser.play import NewContext, start_game
from tests.support.repeats import LANGUAGES

FOCUSED = "selector => document.activeElement.matches(selector)"
MOST_STOPS = 60


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus, and expect it on the screen."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, selector):
            break
    expect(page.locator(f"{selector}:focus")).to_be_in_viewport()


def press(page: Page, selector: str) -> None:
    """Walk to a link or a button, press Enter, and wait for the next page."""
    tab_to(page, selector)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def fill(page: Page, selector: str, text: str) -> None:
    """Walk to a field and type."""
    tab_to(page, selector)
    page.keyboard.type(text)


@pytest.fixture(params=LANGUAGES)
def walker(request: pytest.FixtureRequest, new_context: NewContext) -> Page:
    """Return a page of a player on a phone with a keyboard."""
    context = new_context(locale=request.param, viewport={"width": 390, "height": 664})
    return context.new_page()


def test_a_pack_is_made_changed_shared_and_played(walker: Page) -> None:
    kind = next(rules.slug for rules in all_rules().values() if rules.pack)
    walker.goto("/me/packs/")
    press(walker, f"a[href$='/{kind}/']")
    fill(walker, "#pack-name", "Sea")
    fill(walker, "#words", ", ".join(f"word{number}" for number in range(25)))
    press(walker, "form.card button")
    walker.wait_for_url("**/?done=saved")
    press(walker, ".packs a.quiet")
    expect(walker.locator("#pack-name")).to_have_value("Sea")
    press(walker, "#share ~ form button")
    expect(walker.locator("#pack-link")).to_be_visible()
    walker.goto("/me/packs/")
    press(walker, ".packs a:not(.quiet)")
    expect(walker.locator("option:checked", has_text="Sea")).to_have_count(1)
    press(walker, ".setup-form button.big")
    expect(walker.locator("#board, #lobby")).to_be_visible()


def test_another_device_is_joined_and_signed_out(walker: Page, new_context: NewContext) -> None:
    start_game(walker, "")
    walker.goto("/me/")
    press(walker, ".tabs a[href='/me/devices/']")
    walker.wait_for_url("**/me/devices/")
    press(walker, "form[action*=link] button")
    link = walker.locator("#device-link").input_value()
    phone = new_context(java_script_enabled=False).new_page()
    phone.goto(link)
    press(phone, "main form button")
    expect(phone.locator(".boards a")).to_have_count(1)
    press(walker, "a[href='/me/access/']")
    walker.wait_for_url("**/me/access/")
    press(walker, "button[name=device]")
    phone.goto("/me/")
    walker.goto("/me/")
    boards = phone.locator(".boards a").count(), walker.locator(".boards a").count()
    assert sorted(boards) == [0, 1]


def test_an_account_is_made_changed_and_left(walker: Page) -> None:
    walker.goto("/me/account/")
    fill(walker, "#new-name", f"Olive {token_hex(4)}")
    fill(walker, "#new-password", "four wise otters")
    press(walker, "#new-password ~ button")
    press(walker, "a.button:not([download])")
    press(walker, ".tabs a[href='/me/account/']")
    walker.wait_for_url("**/me/account/")
    tab_to(walker, "details:has(#new) > summary")
    walker.keyboard.press("Enter")
    fill(walker, "#password-password", "four wise otters")
    fill(walker, "#new", "five wise otters")
    press(walker, "#new ~ button")
    walker.wait_for_url("**/?done=password")
    press(walker, ".signed-in button")
    walker.goto("/me/account/")
    expect(walker.locator("#new-name")).to_be_visible()
