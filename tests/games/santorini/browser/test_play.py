"""Santorini in three real browsers: a shut-in player, and a climb that wins."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.play import (
    open_page_per_seat,
    set_up_game,
    show_more,
    type_move,
    type_moves,
)

PLACING = [("p1", "a1 b1"), ("p2", "a2 b2"), ("p3", "c1 c2")]
"""Player 1 stands in a corner, shut in by the four others."""
TO_THE_TOP = [
    ("p2", "D SW SE"),
    ("p3", "E SW S"),
    ("p2", "C SE E"),
    ("p3", "E N S"),
    ("p2", "C N SE"),
    ("p3", "F E W"),
    ("p2", "C S NW"),
    ("p3", "E S W"),
    ("p2", "C S N"),
    ("p3", "E SE E"),
    ("p2", "C N NW"),
    ("p3", "E S NE"),
    ("p2", "C NW"),
]


def test_a_player_who_is_shut_in_is_out_and_the_others_play_to_the_end(new_context):
    pages = open_page_per_seat(new_context, "santorini", ["p1", "p2", "p3"], players="3")
    type_moves(pages, PLACING)
    for page in pages.values():
        expect(page.locator("#board .news").last).to_contain_text("Player 1 has no legal move")
        expect(page.locator(".grid .worker")).to_have_count(4)
        expect(page.locator(".seat .worker.gone")).to_have_count(2)
    type_moves(pages, TO_THE_TOP)
    for page in pages.values():
        expect(page.locator("#board .result")).to_contain_text("climbs to the third level")
        expect(page.locator(".bar.won .seat-name")).to_have_text("Player 2")


def test_a_turn_is_three_clicks_with_a_way_back(page: Page):
    set_up_game(page, "santorini", {"p1": "me", "p2": "me"}, {"players": "2"})
    # Two clicks place the workers of each player: A on b2, B on d2, C on b4, D on d4.
    for ply, (first, second) in enumerate((("c-1-1", "c-1-3"), ("c-3-1", "c-3-3")), start=1):
        page.locator(f".legal > #{first}").click()
        expect(page.locator("#prompt")).to_have_text("Place your second worker.")
        page.locator(f".legal > #{second}").click()
        expect(page.locator("#board")).to_have_attribute("data-ply", str(ply))
    page.locator("#c-1-1").click()
    expect(page.locator("#prompt")).to_have_text("Move worker A.")
    page.locator("#c-2-2").click()
    expect(page.locator("#prompt")).to_have_text("Build with worker A.")
    page.locator("#b-back").click()
    expect(page.locator("#prompt")).to_have_text("Move worker A.")
    page.locator("#c-2-2").click()
    expect(page.locator("#prompt")).to_have_text("Build with worker A.")
    page.locator("#c-2-3").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", "3")
    expect(page.locator("#c-2-3 .house.l1")).to_be_visible()
    expect(page.locator(".move-list")).to_contain_text("A SE E")


def test_a_worker_stands_where_he_goes_while_the_turn_is_chosen(page: Page):
    set_up_game(page, "santorini", {"p1": "me", "p2": "me"}, {"players": "2"})
    page.locator("#c-2-1").click()
    expect(page.locator("#c-2-1 .worker")).to_have_text("A")
    label = "b3, ground, worker A, placed here, chosen"
    expect(page.locator("#c-2-1")).to_have_attribute("aria-label", label)
    page.locator("#c-1-3").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", "1")
    page.locator("#c-4-1").click()
    expect(page.locator("#c-4-1 .worker")).to_have_text("C")
    page.locator("#c-4-3").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", "2")
    page.locator("#c-1-3").click()
    expect(page.locator("#prompt")).to_have_text("Move worker B.")
    page.locator("#c-2-3").click()
    expect(page.locator("#status")).to_have_text("Build with worker B.")
    expect(page.locator("#c-2-3 .worker")).to_have_text("B")
    expect(page.locator("#c-1-3 .worker")).to_have_count(0)
    label = "d2, ground; Build the first level"
    expect(page.locator("#c-1-3")).to_have_attribute("aria-label", label)
    label = "d3, ground, worker B, moved here, chosen"
    expect(page.locator("#c-2-3")).to_have_attribute("aria-label", label)
    # The other worker can still take the turn.
    page.locator("#c-2-1").click()
    expect(page.locator("#prompt")).to_have_text("Move worker A.")
    expect(page.locator("#c-1-3 .worker")).to_have_text("B")
    page.locator("#c-1-3").click()
    expect(page.locator("#prompt")).to_have_text("Move worker B.")


def test_a_turn_is_taken_by_keyboard_alone(page: Page):
    set_up_game(page, "santorini", {"p1": "me", "p2": "me"}, {"players": "2"})
    for placing in ("b2 d2", "b4 d4"):
        show_more(page)
        page.locator("#typed-move").focus()
        page.keyboard.type(placing)
        page.keyboard.press("Enter")
        expect(page.locator(".move-list")).to_contain_text(placing)
    page.locator("#c-1-1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_have_text("Move worker A.")
    expect(page.locator("#c-1-1")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_have_text("Build with worker A.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".move-list")).to_contain_text("A S E")


RECORD_MOTION = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  window.moved.push(this.className);
  return animate.apply(this, given);
};
"""


@pytest.mark.parametrize(
    ("motion", "moved"), [("no-preference", ["worker p0", "house l1"]), ("reduce", [])]
)
def test_a_worker_walks_and_a_storey_settles_unless_motion_is_reduced(page: Page, motion, moved):
    page.emulate_media(reduced_motion=motion)
    page.add_init_script(RECORD_MOTION)
    set_up_game(page, "santorini", {"p1": "me", "p2": "me"}, {"players": "2"})
    for move in ("a1 e5", "c3 d4"):
        type_move(page, move)
    assert page.evaluate("moved") == []
    type_move(page, "A E S")
    assert page.evaluate("moved") == moved


@pytest.mark.browser_context_args(
    viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True, locale="nl"
)
def test_a_reason_at_the_edge_of_a_phone_does_not_widen_its_view(page: Page):
    set_up_game(page, "santorini", {"p1": "me", "p2": "me"}, {"players": "2"})
    for move in ("a1 b1", "e3 d4"):
        type_move(page, move)
    for cell, reason in (("e5", "Kies een bouwer."), ("e3", "C is niet jouw bouwer.")):
        page.locator(f"[data-cell={cell}]").tap(force=True)
        expect(page.locator(".why")).to_have_text(reason)
        assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
