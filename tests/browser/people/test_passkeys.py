"""A passkey is added, signs in and is removed: by keyboard, with Chromium's own authenticator."""

from __future__ import annotations

from secrets import token_hex
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.browser.play import NewContext, start_solo_game, unfold
from tests.support.kinds import two_player_rules

PASSWORD = "four wise otters"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], site: str) -> dict[str, Any]:
    """Return the options of contexts at a host name, since an IP address has no passkeys."""
    return {**browser_context_args, "base_url": site.replace("127.0.0.1", "localhost")}


@pytest.fixture
def dutch(new_context: NewContext) -> Page:
    """Return a narrow dark page in Dutch with an authenticator."""
    context = new_context(
        locale="nl",
        color_scheme="dark",
        viewport={"width": 320, "height": 800},
    )
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return page


def create_account(page: Page) -> None:
    """Create an account under a name of its own, also at a second try."""
    page.goto("/me/account/")
    page.locator("#new-name").fill(f"Fleur {token_hex(4)}")
    page.locator("#new-password").fill(PASSWORD)
    page.locator("#new-password").press("Enter")
    expect(page.locator(".codes code")).to_have_count(8)


def add_passkey(page: Page, password: str) -> None:
    page.locator("#password-passkey").fill(password)
    page.locator("#password-passkey").press("Enter")


def sign_in(page: Page) -> None:
    """Forget who is signed in, and sign in with the passkey."""
    page.context.clear_cookies()
    page.goto("/me/account/")
    page.get_by_role("button", name="Aanmelden met een passkey").press("Enter")


def expect_accessible(page: Page) -> None:
    assert Axe().run(page).response["violations"] == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_passkey_signs_in_until_it_is_removed(dutch: Page) -> None:
    start_solo_game(dutch, two_player_rules().slug)
    game = dutch.url.split("?")[0]
    create_account(dutch)
    dutch.goto("/me/account/")
    unfold(dutch, "#passkey")
    trouble = dutch.locator("#passkey-trouble")
    add_passkey(dutch, "wrong")
    expect(trouble).to_have_text("Dat is niet je wachtwoord.")
    add_passkey(dutch, PASSWORD)
    expect(dutch.get_by_role("status")).to_have_text("De passkey is toegevoegd.")
    expect(dutch.locator(".devices li")).to_contain_text("Toegevoegd op")
    add_passkey(dutch, PASSWORD)
    expect(trouble).to_contain_text("heeft al een passkey")
    expect_accessible(dutch)
    sign_in(dutch)
    dutch.wait_for_url("**/me/")
    dutch.goto(game)
    expect(dutch.locator("#b-resign")).to_be_attached()
    dutch.goto("/me/account/")
    unfold(dutch, "#passkey")
    dutch.locator(".devices button", has_text="Verwijderen").press("Enter")
    expect(dutch.get_by_role("status")).to_contain_text("De passkey is verwijderd.")
    sign_in(dutch)
    expect(dutch.get_by_role("alert")).to_contain_text("hier niet bekend")
    expect_accessible(dutch)
