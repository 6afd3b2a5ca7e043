"""An account is made, signed in to and recovered: by keyboard, without scripts and in Dutch."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.accessibility import faults_in_all_looks
from tests.support.browser.play import NewContext, start_solo_game, unfold
from tests.support.kinds import two_player_rules

PASSWORD, NEW_PASSWORD = "four wise otters", "five wise otters"


def create_account(page: Page, name: str) -> list[str]:
    """Create an account by the keyboard and return its recovery codes."""
    page.goto("/me/account/")
    page.locator("#new-name").fill(name)
    page.locator("#new-password").fill(PASSWORD)
    page.locator("#new-password").press("Enter")
    expect(page.locator(".codes code")).to_have_count(8)
    return page.locator(".codes code").all_inner_texts()


def sign_in(page: Page, name: str, password: str) -> None:
    page.goto("/me/account/")
    page.locator("#name").fill(name)
    page.locator("#password-sign-in").fill(password)
    page.locator("#password-sign-in").press("Enter")


def expect_signed_in(page: Page, name: str) -> None:
    page.wait_for_url("**/me/")
    page.goto("/me/account/")
    expect(page.locator(".account strong", has_text=name)).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_an_account_opens_the_games_in_another_browser(
    page: Page, new_context: NewContext, scripts: bool
) -> None:
    start_solo_game(page, two_player_rules().slug)
    game = page.url.split("?")[0]
    name = f"Olive {token_hex(4)}"
    create_account(page, name)
    other = new_context(java_script_enabled=scripts).new_page()
    sign_in(other, name, PASSWORD)
    expect_signed_in(other, name)
    other.goto(game)
    expect(other.locator("#b-resign")).to_be_attached()


def test_an_account_is_a_page_of_lines_that_open_by_keyboard(page: Page) -> None:
    create_account(page, f"Olive {token_hex(4)}")
    page.goto("/me/account/")
    expect(page.locator("main input:visible")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert faults_in_all_looks(page) == []
    for summary in page.locator(".folds > details > summary:visible").all():
        summary.press("Enter")
    expect(page.locator("#new")).to_be_visible()
    assert faults_in_all_looks(page) == []


def test_a_refused_password_is_asked_for_again_where_it_was_typed(page: Page) -> None:
    create_account(page, f"Olive {token_hex(4)}")
    page.goto("/me/account/")
    unfold(page, "#password-codes")
    page.locator("#password-codes").fill("wrong")
    page.locator("#password-codes").press("Enter")
    expect(page.get_by_role("alert")).to_have_text("That’s not your password.")
    expect(page.locator("#password-codes")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_recovery_codes_are_saved_as_a_file(new_context: NewContext, scripts: bool) -> None:
    page = new_context(java_script_enabled=scripts).new_page()
    codes = create_account(page, f"Nora {token_hex(4)}")
    with page.expect_download() as download:
        page.locator("a[download]").press("Enter")
    assert Path(download.value.path()).read_text().split() == codes


def test_a_browser_signs_out_of_its_account_and_in_again(page: Page) -> None:
    start_solo_game(page, two_player_rules().slug)
    name = f"Olive {token_hex(4)}"
    create_account(page, name)
    page.goto("/me/account/")
    page.locator(".signed-in button").press("Enter")
    expect(page.locator("#my-games a")).to_have_count(0)
    sign_in(page, name, PASSWORD)
    expect_signed_in(page, name)


def test_a_recovery_code_sets_a_new_password(page: Page, new_context: NewContext) -> None:
    name = f"Nora {token_hex(4)}"
    codes = create_account(page, name)
    assert faults_in_all_looks(page) == []
    other = new_context().new_page()
    other.goto("/me/account/recover/")
    other.locator("#name").fill(name)
    other.locator("#code").fill(codes[0])
    other.locator("#password").fill(NEW_PASSWORD)
    other.locator("#password").press("Enter")
    expect_signed_in(other, name)
    page.goto("/me/account/")
    expect(page.locator(".account strong")).to_have_count(0)


def test_a_wrong_password_is_reported_and_the_name_stays_in_the_form(
    page: Page, new_context: NewContext
) -> None:
    name = f"Rosa {token_hex(4)}"
    create_account(page, name)
    other = new_context(locale="nl").new_page()
    sign_in(other, name, "wrong")
    expect(other.get_by_role("alert")).to_contain_text("wachtwoord")
    expect(other.locator("#name")).to_have_value(name)
