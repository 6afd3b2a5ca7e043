"""What somebody is doing at a table is not disturbed by what the others do, nor by the network."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from games.contract import Rules
from tests.cast import two_seats
from tests.clicking import click_a_step, ply
from tests.inviting import PATIENCE, NewContext, set_up


def seats_of(rules: Rules) -> list[str]:
    return [spec.key for spec in rules.seats(rules.clean({}))]


def make_a_move(page: Page) -> None:
    before = ply(page)
    while ply(page) == before:
        click_a_step(page)


def test_a_typed_move_that_could_not_be_sent_is_still_there(new_context: NewContext) -> None:
    page = new_context().new_page()
    set_up(page, two_seats().slug, dict.fromkeys(seats_of(two_seats()), "me"), {})
    page.route("**/move/", lambda route: route.abort())
    page.locator("#typed-move").fill("whatever")
    page.locator("#typed button").click()
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#typed-move")).to_have_value("whatever")


def test_the_board_stays_where_it_is_when_the_connection_goes(new_context: NewContext) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    set_up(page, two_seats().slug, dict.fromkeys(seats_of(two_seats()), "me"), {})
    before = page.locator("#board").bounding_box()
    page.route("**/move/", lambda route: route.abort())
    make = page.locator("#typed-move")
    make.fill("whatever")
    make.press("Enter")
    expect(page.locator("#offline")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("#board").bounding_box() == before


def test_who_cannot_hold_a_stream_at_all_follows_by_asking(new_context: NewContext) -> None:
    mine, watcher = new_context().new_page(), new_context().new_page()
    set_up(mine, two_seats().slug, dict.fromkeys(seats_of(two_seats()), "me"), {})
    watcher.route("**/events/**", lambda route: route.abort("connectionreset"))
    watcher.goto(mine.url)
    make_a_move(mine)
    expect(watcher.locator("#board")).to_have_attribute("data-ply", "1", timeout=PATIENCE)
    expect(watcher.locator("#offline")).to_be_hidden(timeout=PATIENCE)
