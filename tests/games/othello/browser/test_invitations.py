"""The invitation links of a game: one button each, and a compact list of many."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from tests.support.browser.play import set_up_game

SEATS = {"black": "me", "white": "invite"}


def test_a_link_is_copied_by_its_button(context: BrowserContext, page: Page) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script("delete Navigator.prototype.share")
    set_up_game(page, "othello", SEATS, {})
    page.locator("#links").get_by_role("button", name="Copy").click()
    expect(page.locator("#status")).to_have_text("Copied")
    link = page.locator("input.link").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == link


def test_a_link_is_shared_where_the_device_can(page: Page) -> None:
    page.add_init_script("navigator.share = async (what) => { window.shared = what.url; }")
    set_up_game(page, "othello", SEATS, {})
    page.locator("#links").get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared") == page.locator("input.link").input_value()


def test_a_link_that_the_device_refuses_to_share_is_copied(
    context: BrowserContext, page: Page
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script("navigator.share = async () => { throw new Error('refused'); }")
    set_up_game(page, "othello", SEATS, {})
    page.locator("#links").get_by_role("button", name="Share").click()
    expect(page.locator("#status")).to_have_text("Copied")


def test_the_qr_code_of_a_link_is_loaded_when_it_is_looked_at(page: Page) -> None:
    set_up_game(page, "othello", SEATS, {})
    page.get_by_text("QR code").click()
    picture = page.get_by_role("img", name="QR code of the link")
    expect(picture).to_be_visible()
    expect(picture).not_to_have_js_property("naturalWidth", 0)
