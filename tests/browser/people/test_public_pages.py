"""The public page of a player, switched on and off in a browser, also without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser.play import TIMEOUT_MS, NewContext, start_solo_game, unfold
from tests.support.kinds import two_player_rules


@pytest.mark.parametrize("scripts", [True, False])
def test_a_public_page_is_switched_by_keyboard_with_and_without_scripts(
    new_context: NewContext, scripts: bool
) -> None:
    player = new_context().new_page()
    start_solo_game(player, two_player_rules().slug)
    cookies = player.context.cookies()
    context = new_context(java_script_enabled=scripts)
    context.add_cookies(cookies)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto("/me/account/")
    unfold(page, "form[action$='/me/public/']")
    page.locator("form[action$='/me/public/'] button").press("Enter")
    link = page.locator("#public a")
    expect(link).to_be_visible()
    address = link.get_attribute("href") or ""
    visitor = new_context(java_script_enabled=scripts).new_page()
    visitor.goto(address)
    expect(visitor.locator(".boards a")).to_have_count(1)
    page.locator("form[action$='/me/public/'] button").press("Enter")
    expect(link).to_have_count(0)
    gone = visitor.goto(address)
    assert gone is not None and gone.status == 404
