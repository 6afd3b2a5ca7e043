"""A word pack is made, shared and played with: by keyboard, without scripts and in Dutch."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from games.contract import Rules
from games.core.registry import all_rules
from tests.support.browser.play import NewContext, choose_all_seats

WORDS = [f"word{number}" for number in range(30)]


def rules_with_packs() -> Rules:
    """Return the rules of a game that can be dealt from a word pack."""
    return next(rules for rules in all_rules().values() if rules.pack)


def make_pack(page: Page) -> str:
    """Make a word pack by keyboard, and return the address of its link."""
    page.goto("/me/packs/")
    page.get_by_role("link", name="New word pack").press("Enter")
    page.locator("#pack-name").press_sequentially("Holidays")
    page.locator("#words").fill("\n".join(WORDS))
    page.locator("form.card button").press("Enter")
    expect(page.get_by_role("status")).to_have_text("Saved.")
    page.get_by_role("link", name="Edit or share").press("Enter")
    page.get_by_role("button", name="Make a link").press("Enter")
    return page.locator("#pack-link").input_value()


def play(page: Page) -> None:
    """Start a game with the chosen word pack by keyboard, with every seat on this device."""
    choose_all_seats(page, "me")
    page.locator(".setup-form button.big").press("Enter")
    expect(page.locator("#board")).to_be_visible()


def test_a_pack_is_shared_and_played_with_in_another_browser(
    page: Page, new_context: NewContext
) -> None:
    link = make_pack(page)
    other = new_context(locale="nl", java_script_enabled=False).new_page()
    other.goto(link)
    expect(other.get_by_text(WORDS[0])).to_have_count(0)
    other.get_by_role("button", name="Ermee spelen").press("Enter")
    expect(other.locator("option:checked", has_text="Holidays")).to_have_count(1)
    play(other)
    expect(other.locator("#board td", has_text="word")).to_have_count(25)
    other.goto("/me/packs/")
    expect(other.locator("ul.devices")).to_contain_text("nog 5 niet gespeeld")
    page.goto("/me/packs/")
    expect(page.locator("ul.devices")).to_contain_text("30 not played yet")
    page.get_by_role("link", name="Play :").press("Enter")
    play(page)
    expect(page.locator("#board td", has_text="word")).to_have_count(25)
    page.goto("/me/packs/")
    page.get_by_role("link", name="Edit or share").press("Enter")
    page.get_by_role("button", name="Withdraw the link").press("Enter")
    expect(page.locator("#pack-link")).to_have_count(0)
    other.goto(link)
    expect(other.get_by_role("button", name="Ermee spelen")).to_have_count(0)
