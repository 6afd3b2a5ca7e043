"""Hints beside the board: how they are fetched, shown, marked and announced."""

from __future__ import annotations

from collections.abc import Callable

from django.template.loader import render_to_string
from playwright.sync_api import Page, Route, expect

from games.models import Game
from tests.support.browser.announcements import announcements, record_announcements
from tests.support.browser.play import MOVE_BUTTON, expect_ply, start_solo_game
from tests.support.kinds import one_step_rules_with_hints

KIND = one_step_rules_with_hints().slug
POLLING = (
    '<div data-for="0-0" hx-get="/hint-of-a-test/" hx-trigger="load delay:50ms" hx-target="#hint"'
    ' hx-swap="innerHTML" hx-sync="this"><p>Thinking</p></div>'
)
"""A response of the hint's address while the hint is computed."""


def hint_for(ply: int, cell: str = "a1") -> str:
    """Return a response with a hint for the board after ``ply`` moves."""
    return f'<div data-for="{ply}-0" data-cells="{cell}"><p>Hint: anything</p></div>'


def respond(html: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(content_type="text/html", body=html)


def test_a_hint_disappears_with_the_board_it_was_for(page: Page) -> None:
    start_solo_game(page, KIND, hints=True)
    page.route("**/hint/", respond(hint_for(0)))
    page.locator("#b-hint").click()
    expect(page.locator("#hint")).to_have_text("Hint: anything")
    page.locator(MOVE_BUTTON).first.click()
    expect_ply(page, 1)
    expect(page.locator("#hint")).to_be_empty()
    page.unroute("**/hint/")
    page.route("**/hint/", respond(hint_for(1)))
    page.locator("#b-hint").click()
    expect(page.locator("#hint")).to_have_text("Hint: anything")


def test_the_mark_of_a_hint_stays_when_the_board_is_swapped(page: Page) -> None:
    start_solo_game(page, KIND, hints=True)
    legal = page.locator(MOVE_BUTTON).last
    cell = legal.get_attribute("data-cell") or ""
    marked = page.locator("#board td.hinted [data-cell]")
    page.route("**/hint/", respond(hint_for(0, cell)))
    page.locator("#b-hint").click()
    expect(marked).to_have_attribute("data-cell", cell)
    swap = "{source: '#board', target: '#board', swap: 'morph:outerHTML'}"
    page.evaluate(f"htmx.ajax('GET', location.href + 'board/', {swap})")
    expect(marked).to_have_attribute("data-cell", cell)
    expect(page.locator("#hint")).to_have_text("Hint: anything")
    legal.click()
    expect_ply(page, 1)
    expect(marked).to_have_count(0)


def test_a_hint_is_in_view_and_is_announced(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    start_solo_game(page, KIND, hints=True)
    page.route("**/hint/", respond(hint_for(0)))
    page.locator("#b-hint").click()
    hint = page.get_by_role("status").filter(has_text="Hint: anything")
    expect(hint).to_be_in_viewport(ratio=1)


def test_a_hint_is_read_above_the_buttons_of_a_phone(phone: Page) -> None:
    phone.set_viewport_size({"width": 390, "height": 664})
    start_solo_game(phone, KIND, hints=True)
    phone.route("**/hint/", respond(hint_for(0)))
    phone.locator("#b-hint").click()
    hint = phone.get_by_role("status").filter(has_text="Hint: anything")
    expect(hint).to_be_in_viewport(ratio=1)
    # A click that is only tried fails where something lies over the hint.
    hint.click(trial=True)


def test_a_late_hint_does_not_appear_on_a_later_board(page: Page) -> None:
    start_solo_game(page, KIND, hints=True)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/hint/", respond(POLLING))
    page.route("**/hint-of-a-test/", hold)
    page.locator("#b-hint").click()
    while not held:
        page.wait_for_timeout(20)
    page.locator(MOVE_BUTTON).first.click()
    expect_ply(page, 1)
    held[0].fulfill(content_type="text/html", body=hint_for(0))
    page.wait_for_timeout(300)
    expect(page.locator("#hint")).to_be_empty()


def test_a_polled_hint_is_announced_once_before_and_once_when_it_arrives(page: Page) -> None:
    start_solo_game(page, KIND, hints=True)
    game = Game(id=page.url.rstrip("/").split("/")[-1])
    polling = render_to_string("review/_hint.html", {"game": game, "asked": True, "waiting": True})
    polls: list[Route] = []

    def respond_to_poll(route: Route) -> None:
        if route.request.method == "POST":
            return respond(polling)(route)
        polls.append(route)
        return route.fulfill(status=204) if len(polls) < 3 else respond(hint_for(0))(route)

    page.route("**/hint/", respond_to_poll)
    record_announcements(page, "#hint")
    page.locator("#b-hint").click()
    expect(page.locator("#hint")).to_have_text("Hint: anything")
    assert announcements(page) == ["Looking for a hint…", "Hint: anything"]


def test_a_tap_plays_a_move_while_a_hint_is_polled(phone: Page) -> None:
    start_solo_game(phone, KIND, hints=True)
    polls: list[Route] = []

    def count_poll(route: Route) -> None:
        polls.append(route)
        respond(POLLING)(route)

    phone.route("**/hint/", respond(POLLING))
    phone.route("**/hint-of-a-test/", count_poll)
    phone.locator("#b-hint").tap()
    expect(phone.locator("#hint")).to_have_text("Thinking")
    while len(polls) < 3:
        phone.wait_for_timeout(20)
    phone.locator(MOVE_BUTTON).first.tap()
    expect_ply(phone, 1)
