"""Cards in a browser: one click marks a card, and only the button reveals it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.games.codenames.browser.test_play import NewContext, give_clue, join, start
from tests.support.browser.play import DOUBLE_CLICK_MS, expect_ply, reveal_marked

PHONE = {"width": 390, "height": 664}


def start_guessing(page: Page) -> None:
    """Set up a game with spoken clues and every seat on this device."""
    start(page, "me", clues=False)


def cards_found(page: Page) -> Locator:
    return page.locator("#board .card.out")


def test_a_click_marks_a_card_without_a_request_where_one_device_has_all_seats(
    page: Page,
) -> None:
    start_guessing(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.locator("#c-0-1").click()
    word = page.locator("#c-0-1").inner_text().lower()
    expect(page.locator("#b-reveal")).to_have_text(f"Reveal “{word}”")
    expect(page.locator("#status")).to_contain_text(f"Reveal “{word}”?")
    assert [url for url in sent if "/mark/" in url] == []
    reveal_marked(page)
    expect(page.locator("#c-0-1 .out")).to_be_visible()


def test_a_double_click_reveals_nothing(page: Page) -> None:
    start_guessing(page)
    page.locator("#c-0-1").dblclick()
    expect(page.locator("#b-reveal")).to_be_visible()
    page.locator("#c-0-0").dblclick()
    expect(page.locator("#b-reveal")).to_have_attribute("value", "a1")
    expect(page.locator("td.armed")).to_have_count(1)
    expect_ply(page, 0)
    expect(cards_found(page)).to_have_count(0)


def test_a_second_click_on_a_marked_card_reveals_it(page: Page) -> None:
    start_guessing(page)
    page.locator("#c-0-1").click()
    page.wait_for_timeout(DOUBLE_CLICK_MS)
    page.locator("#c-0-1").click()
    expect_ply(page, 1)
    expect(page.locator("#c-0-1 .out")).to_be_visible()


@pytest.mark.parametrize("way", ["#b-unmark", "Escape"])
def test_the_mark_of_a_card_is_removed_without_revealing_it(page: Page, way: str) -> None:
    start_guessing(page)
    page.locator("#c-0-1").click()
    page.wait_for_timeout(DOUBLE_CLICK_MS)
    if way == "Escape":
        page.keyboard.press(way)
    else:
        page.locator(way).click()
    expect(page.locator("#b-reveal")).to_be_hidden()
    expect(page.locator("td.armed")).to_have_count(0)
    expect_ply(page, 0)


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_marks_a_card_and_the_same_key_reveals_it(page: Page, key: str) -> None:
    start_guessing(page)
    page.locator("#c-0-1").press(key)
    expect(page.locator("#b-reveal")).to_be_visible()
    page.keyboard.press(key)
    expect_ply(page, 0)
    page.wait_for_timeout(DOUBLE_CLICK_MS)
    page.keyboard.press(key)
    expect_ply(page, 1)
    expect(page.locator("#c-0-1 .out")).to_be_visible()
    expect(page.locator("#c-0-1")).to_be_focused()


def test_a_key_that_is_held_down_reveals_nothing(page: Page) -> None:
    start_guessing(page)
    page.locator("#c-0-1").focus()
    for _ in range(3):
        page.keyboard.down("Enter")
        page.wait_for_timeout(DOUBLE_CLICK_MS)
    page.keyboard.up("Enter")
    expect(page.locator("#b-reveal")).to_be_visible()
    expect_ply(page, 0)


@pytest.mark.browser_context_args(viewport=PHONE, has_touch=True)
def test_on_a_phone_the_button_is_in_view_and_reveals_at_once(page: Page) -> None:
    start_guessing(page)
    for _ in range(3):
        page.locator("#c-1-2").tap()
        page.locator("#c-0-1").tap()
    button = page.locator("#b-reveal")
    expect(button).to_be_in_viewport(ratio=1)
    expect_ply(page, 0)
    button.tap()
    expect(page.locator("#c-0-1 .out")).to_be_visible()
    expect(button).to_be_hidden()


def test_team_mates_see_the_name_of_the_player_who_has_marked_a_card(
    page: Page, new_context: NewContext
) -> None:
    start(page, "invite")
    red, mate, blue = (
        join(new_context(), page, seat)
        for seat in ("red-operatives", "red-operatives", "blue-operatives")
    )
    give_clue(page, "ocean", "2")
    red.locator("#c-0-1").click()
    for viewer in (page, mate, blue, red):
        expect(viewer.locator("#c-0-1 .marked-by")).to_have_text("red-operatives")
    expect(mate.locator("#b-reveal")).to_be_hidden()
    expect(blue.locator("[name=mark]")).to_have_count(0)
    mate.locator("#c-0-0").click()
    expect(red.locator(".marked-by")).to_have_count(2)
    expect(red.locator("#b-reveal")).to_have_attribute("value", "b1")
    reveal_marked(mate)
    for viewer in (page, mate, blue, red):
        expect(viewer.locator("#c-0-0 .out.R")).to_be_visible()
        expect(viewer.locator(".marked-by")).to_have_count(0)
    for person in (red, mate, blue):
        person.context.close()
