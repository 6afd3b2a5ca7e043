"""Taking a seat that is listed, and moving a seat to another device."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.play import (
    NewContext,
    click_next_step,
    expect_ply,
    make_move,
    open_game_menu,
    set_up_game,
)
from tests.support.kinds import seat_keys, two_player_rules

SEATS = seat_keys(two_player_rules())


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_visitor_takes_a_seat_by_keyboard_and_moves(
    new_context: NewContext, scripts: bool
) -> None:
    first_to_move, second = SEATS
    host = new_context().new_page()
    seating = {first_to_move: "listed", second: "me"}
    set_up_game(host, two_player_rules().slug, seating, {})
    visitor: Page = new_context(java_script_enabled=scripts).new_page()
    visitor.goto("/")
    visitor.get_by_role("link", name="Join").first.press("Enter")
    expect(visitor.get_by_role("heading", level=1)).to_contain_text("Join a game of")
    visitor.get_by_label("Your name").fill("Nora")
    visitor.get_by_label("Your name").press("Enter")
    expect(visitor.locator(".seat.mine .seat-player")).to_contain_text("Nora")
    make_move(visitor)
    expect_ply(host, 1)
    expect(host.locator(".seat").first).to_contain_text("Nora")


def test_a_spectator_takes_the_listed_seat(new_context: NewContext) -> None:
    host = new_context().new_page()
    set_up_game(host, two_player_rules().slug, {SEATS[0]: "me", SEATS[1]: "listed"}, {})
    visitor = new_context().new_page()
    visitor.goto(host.url)
    visitor.locator(f"#b-sit-{SEATS[1]}").click()
    visitor.get_by_role("button", name="Take this seat").click()
    expect(visitor.locator(".seat.mine")).to_have_count(1)
    expect(visitor.locator(f"#b-sit-{SEATS[1]}")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_player_on_a_phone_cancels_the_move_to_another_device_and_plays_on(
    new_context: NewContext, scripts: bool
) -> None:
    size = {"width": 390, "height": 844}
    page = new_context(java_script_enabled=scripts, viewport=size).new_page()
    set_up_game(page, two_player_rules().slug, dict.fromkeys(SEATS, "me"), {})
    open_game_menu(page)
    page.locator("#b-device").click()
    link = page.locator(".invite input.link")
    expect(link).to_be_visible()
    assert (link.bounding_box() or {})["width"] > 100
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".invite")).to_have_count(0)
    expect(page.locator("#b-device")).to_have_count(1)
    click_next_step(page)
