"""Moves that are shown before they are made: by a first tap, or by the setting for all moves."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.support.browser.play import (
    MOVE_BUTTON,
    STEP_BUTTON,
    expect_ply,
    open_game_menu,
    start_solo_game,
)
from tests.support.kinds import one_step_rules_with_hints

KIND = one_step_rules_with_hints().slug


def start_confirming(page: Page, when: str) -> None:
    """Start a game with a setting for confirming moves."""
    page.goto("/settings/")
    page.locator(f"[name=confirm][value={when}]").evaluate("box => { box.checked = true }")
    page.locator("main form button").first.click()
    start_solo_game(page, KIND, hints=True)


def test_one_tap_plays_a_move_that_can_be_taken_back(phone: Page) -> None:
    start_solo_game(phone, KIND, hints=True)
    phone.locator(MOVE_BUTTON).first.tap()
    expect_ply(phone, 1)


def test_a_tap_on_another_cell_arms_that_move_instead(phone: Page) -> None:
    start_confirming(phone, "taps")
    cells = phone.locator(MOVE_BUTTON)
    cells.nth(0).tap()
    cells.nth(1).tap()
    expect(phone.locator("#board td.armed")).to_have_count(1)
    expect_ply(phone, 0)
    chosen = cells.nth(1).get_attribute("value")
    cells.nth(1).tap()
    expect_ply(phone, 1)
    expect(phone.locator("#board td.last")).not_to_have_count(0)
    assert chosen in phone.locator("#board").inner_text()


def test_a_first_tap_names_the_move_that_a_second_tap_plays(phone: Page) -> None:
    start_confirming(phone, "taps")
    prompt, cells = phone.locator("#prompt"), phone.locator(MOVE_BUTTON)
    before = prompt.inner_text()
    for cell in (cells.nth(0), cells.nth(1)):
        cell.tap()
        move_name = (cell.get_attribute("aria-label") or "").split("; ")[1]
        expect(prompt).to_have_text(f"{move_name}? Tap again to confirm.")
        expect(phone.locator("#status")).to_have_text(f"{move_name}? Tap again to confirm.")
    phone.locator("h1").tap()
    expect(prompt).to_have_text(before)
    expect(phone.locator("#board td.armed")).to_have_count(0)
    cells.nth(1).tap()
    cells.nth(1).tap()
    expect_ply(phone, 1)
    expect(prompt).to_have_text(before)


def test_focus_returns_to_the_cell_when_the_pressed_button_is_gone(page: Page) -> None:
    start_confirming(page, "always")
    page.locator(STEP_BUTTON).first.focus()
    for gone in ("#b-back", "#b-confirm"):
        page.keyboard.press("Enter")
        expect(page.locator("#b-confirm")).to_be_visible()
        page.locator(gone).focus()
        page.keyboard.press("Enter")
        expect(page.locator(gone)).to_have_count(0)
        expect(page.locator("#board [data-cell]:focus")).to_have_count(1)
    expect_ply(page, 1)


def test_escape_closes_the_resign_menu_before_it_takes_a_step_back(page: Page) -> None:
    start_confirming(page, "always")
    page.locator(STEP_BUTTON).first.click()
    expect(page.locator("#b-confirm")).to_be_visible()
    open_game_menu(page)
    page.locator("[id^=resign] summary").press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#b-resign")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#b-resign")).to_be_hidden()
    expect(page.locator("#b-menu")).to_be_focused()
    expect(page.locator("#b-confirm")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#b-confirm")).to_have_count(0)
