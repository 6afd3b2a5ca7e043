"""Ready-made messages between two browsers, by keyboard and each in its own language."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser.play import NewContext, open_page_per_seat
from tests.support.kinds import seat_keys, two_player_rules


@pytest.mark.parametrize("word", ["Good luck!"])
def test_a_message_is_sent_by_keyboard_and_shown_to_the_opponent(
    new_context: NewContext, word: str
) -> None:
    rules = two_player_rules()
    first, second = seat_keys(rules)
    pages = open_page_per_seat(new_context, rules.slug, [first, second])
    owner, other = pages[first], pages[second]
    owner.locator("#b-menu").press("Enter")
    owner.locator("#b-say").press("Enter")
    sheet = owner.locator("#say")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name=word).press("Enter")
    expect(owner.locator(":popover-open")).to_have_count(0)
    for page in (owner, other):
        expect(page.locator("#board .game-banner")).to_contain_text(word)
    expect(other.locator("#status")).to_contain_text(word)


def test_a_seat_is_freed_from_the_menu_and_taken_by_the_link(new_context: NewContext) -> None:
    rules = two_player_rules()
    first, second = seat_keys(rules)
    pages = open_page_per_seat(new_context, rules.slug, [first, second])
    owner, other = pages[first], pages[second]
    expect(owner.locator(f"#board [data-seat={second}] bdi")).to_be_visible()
    other.locator("#b-menu").press("Enter")
    other.locator(f"#leave-{second} summary").press("Enter")
    other.locator(f"#b-free-{second}").press("Enter")
    expect(other.locator("#board .seat.mine")).to_have_count(0)
    expect(owner.locator("#board .game-banner")).to_contain_text("left. The seat is free")
    owner.reload()
    link = owner.locator("#links input").first.input_value()
    third = new_context().new_page()
    third.goto(link)
    third.locator("[name=seat]").click()
    expect(third.locator("#board .seat.mine")).to_have_count(1)
