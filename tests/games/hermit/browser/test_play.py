"""Hermit in real browsers: to the last block in two browsers, by clicks, by keyboard, in Dutch."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.support.browser.play import open_page_per_seat, set_up_game, show_more, type_moves

HOT_SEAT = {"first": "me", "second": "me"}
DOCUMENT = [
    ("first", "R a1 H"),
    ("second", "B c1 U"),
    ("first", "Y c2 U"),
    ("second", "R b4 U"),
    ("first", "Y c4 H"),
    ("second", "R d2 V"),
    ("first", "B a3 H"),
    ("second", "Y a4 U"),
    ("first", "Y a2 U"),
]
"""The game in the rules' document: after nine blocks the second player has no move."""


def test_a_player_who_cannot_place_loses_on_both_screens(new_context):
    pages = open_page_per_seat(new_context, "hermit", ["first", "second"], size="4")
    type_moves(pages, DOCUMENT)
    for page in pages.values():
        expect(page.locator("#board .result")).to_contain_text("No block fits any more")
        expect(page.locator(".bar.won .seat-name")).to_have_text("First player")
        expect(page.locator("#board button[name=move]")).to_have_count(0)


def test_a_block_is_placed_with_three_clicks_and_a_way_back(page: Page):
    set_up_game(page, "hermit", HOT_SEAT, {"size": "4"})
    page.locator("#b-r").click()
    expect(page.locator("#prompt")).to_contain_text("Choose a square for a red block")
    page.locator("#c-1-1").click()
    expect(page.locator("#prompt")).to_contain_text("Choose the square again")
    page.locator("#b-back").click()
    expect(page.locator("#prompt")).to_contain_text("Choose a square for a red block")
    page.locator("#c-1-1").click()
    expect(page.locator("#prompt")).to_contain_text("Choose the square again")
    page.locator("#c-1-2").click()
    expect(page.locator(".move-list")).to_contain_text("R b2 H")
    expect(page.locator("#c-1-2 .block.R.right")).to_be_visible()


def test_another_colour_can_be_chosen_instead(page: Page):
    set_up_game(page, "hermit", HOT_SEAT, {"size": "4"})
    page.locator("#b-r").click()
    expect(page.locator("#b-r")).to_have_attribute("aria-pressed", "true")
    page.locator("#c-1-1").click()
    expect(page.locator("#c-1-1 .block.R:visible")).to_have_count(1)
    expect(page.locator("#c-1-1")).to_have_attribute(
        "aria-label", re.compile("a red block, chosen")
    )
    page.locator("#b-y").click()
    expect(page.locator("#prompt")).to_have_text("Choose a square for a yellow block.")
    expect(page.locator("#board .block:not(.stock *)")).to_have_count(0)
    expect(page.locator("#b-r")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#b-y")).to_have_attribute("aria-pressed", "true")


def test_another_colour_can_be_chosen_instead_without_scripts(new_context):
    page = new_context(java_script_enabled=False).new_page()
    set_up_game(page, "hermit", HOT_SEAT, {"size": "4"})
    page.locator("#b-r").click()
    page.locator("#c-1-1").click()
    page.locator("#b-b").click()
    expect(page.locator("#prompt")).to_have_text("Choose a square for a blue block.")
    page.locator("#c-1-1").click()
    page.locator("#c-1-1").click()
    expect(page.locator(".move-list")).to_contain_text("B b2 U")


def test_pointing_at_a_square_shows_what_the_block_would_forbid(page: Page):
    set_up_game(page, "hermit", HOT_SEAT, {"size": "4"})
    page.locator("#b-y").click()
    expect(page.locator("#prompt")).to_contain_text("Choose a square")
    page.locator("#c-1-1").hover()
    expect(page.locator("td[data-preview=halo]")).to_have_count(8)
    expect(page.locator("td[data-preview=place]")).to_have_count(1)


def test_long_words_under_the_board_do_not_move_the_column_beside_it(new_context):
    page = new_context(locale="nl-NL", viewport={"width": 1280, "height": 800}).new_page()
    set_up_game(page, "hermit", HOT_SEAT, {"size": "4"})
    before = page.locator(".info").bounding_box()
    page.locator("#b-r").click()
    page.locator(".legal > #c-1-1").click()
    expect(page.locator("#prompt")).to_contain_text("Kies het veld nog eens")
    after = page.locator(".info").bounding_box()
    assert before and after
    assert (before["x"], before["width"]) == (after["x"], after["width"])


def test_a_whole_game_is_played_by_keyboard_alone(page: Page):
    set_up_game(page, "hermit", HOT_SEAT, {"size": "2"})
    page.locator("#b-r").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Choose a square")
    expect(page.locator("#status")).to_have_text("Choose a square for a red block.")
    expect(page.locator("#b-r")).to_be_focused()
    # One tab stop for the whole board, arrows inside it.
    page.locator("#c-0-0").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#c-0-1")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("stand the block up")
    expect(page.locator("#c-0-0")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_have_attribute("data-ply", "1")
    for move in ("Y a2 U", "B b2 U"):
        show_more(page)
        page.locator("#typed-move").focus()
        page.keyboard.type(move)
        page.keyboard.press("Enter")
        expect(page.locator(".move-list")).to_contain_text(move)
    expect(page.locator("#board .result")).to_be_visible()


def test_the_key_for_legal_moves_announces_the_colours_before_one_is_chosen(page: Page):
    set_up_game(page, "hermit", HOT_SEAT, {"size": "4"})
    page.locator("#c-0-0").press("m")
    expect(page.locator("#status")).to_have_text("Red block, Yellow block, Blue block")
    page.locator("#b-r").click()
    expect(page.locator("#prompt")).to_contain_text("Choose a square")
    page.locator("#c-0-0").press("m")
    expect(page.locator("#status")).to_contain_text("a1, b1, ")


def test_escape_takes_a_step_of_the_move_back(page: Page):
    set_up_game(page, "hermit", HOT_SEAT, {"size": "4"})
    page.locator("#b-r").press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Choose a square")
    page.locator("#c-1-1").press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Choose the square again")
    page.locator("#c-1-1").press("Escape")
    expect(page.locator("#prompt")).to_contain_text("Choose a square for a red block")
    page.locator("#c-1-1").press("Escape")
    expect(page.locator("#prompt")).to_have_text("Choose a colour.")


def test_in_dutch_the_game_is_called_kluizenaar(new_context):
    page = new_context(locale="nl-NL").new_page()
    set_up_game(page, "hermit", HOT_SEAT, {"size": "4"})
    expect(page.locator("h1")).to_have_text("Kluizenaar")
    expect(page.locator("#prompt")).to_have_text("Kies een kleur.")
    page.goto("/rules/hermit/")
    expect(page.locator("h1")).to_have_text("Hoe speel je Kluizenaar?")
