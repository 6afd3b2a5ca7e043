"""An open front page updates its lists of games."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.play import (
    NewContext,
    choose_seat,
    make_move,
    open_page_per_seat,
    set_up_game,
)
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.repeats import LANGUAGES

FIRST, SECOND = seat_keys(two_player_rules())
POLL_MS = 11_000
"""Longer than the lists' interval."""


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_tabs_of_a_player_stand_in_one_row_on_a_phone(
    new_context: NewContext, locale: str
) -> None:
    page = new_context(viewport={"width": 390, "height": 664}, locale=locale).new_page()
    for path in ("/me/", "/me/account/"):
        page.goto(path)
        tops = page.locator(".tabs a").evaluate_all("tabs => tabs.map(tab => tab.offsetTop)")
        assert len(set(tops)) == 1, path


def front_page(new_context: NewContext) -> Page:
    page = new_context().new_page()
    page.clock.install()
    page.goto("/")
    return page


def test_a_listed_seat_appears_on_an_open_front_page_and_disappears_when_taken(
    new_context: NewContext,
) -> None:
    visitor, other = (front_page(new_context) for _ in range(2))
    offered = visitor.locator(f"#open-games a[href*='seat={SECOND}']", has_text="Ada Wight")
    host = new_context().new_page()
    host.goto(f"/new/{two_player_rules().slug}/")
    host.get_by_label("Your name").fill("Ada Wight")
    choose_seat(host, FIRST, "me")
    choose_seat(host, SECOND, "listed")
    host.locator(".setup-form button.big").click()
    expect(host.locator("#board")).to_be_visible()
    for page in (visitor, other):
        page.clock.fast_forward(POLL_MS)
    expect(offered).to_be_visible()
    other.get_by_role("link", name="Ada Wight").click()
    other.get_by_role("button", name="Take this seat").click()
    expect(other.locator("#board")).to_be_visible()
    visitor.clock.fast_forward(POLL_MS)
    expect(offered).to_have_count(0)


def test_an_open_front_page_shows_when_it_is_your_turn(new_context: NewContext) -> None:
    pages = open_page_per_seat(new_context, two_player_rules().slug, [FIRST, SECOND])
    mover, mine = pages[FIRST], pages[SECOND]
    address = mine.url
    mine.clock.install()
    mine.goto("/")
    expect(mine).to_have_title("Squarely: board games online")
    make_move(mover)
    mine.clock.fast_forward(POLL_MS)
    expect(mine.locator(f"#my-games a.waiting[href='/{address.split('/', 3)[3]}']")).to_be_visible()
    expect(mine).to_have_title("● Squarely: board games online")


def test_focus_in_a_list_stays_when_the_list_is_swapped(new_context: NewContext) -> None:
    page = new_context().new_page()
    set_up_game(page, two_player_rules().slug, {FIRST: "me", SECOND: "invite"}, {})
    page.clock.install()
    page.goto("/")
    mine = page.locator("#my-games a").first
    mine.focus()
    host = new_context().new_page()
    set_up_game(host, two_player_rules().slug, {FIRST: "me", SECOND: "listed"}, {})
    before = page.locator("#open-games li").count()
    page.clock.fast_forward(POLL_MS)
    expect(page.locator("#open-games li")).not_to_have_count(before)
    expect(mine).to_be_focused()
