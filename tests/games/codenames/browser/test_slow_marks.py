"""Marks that are on their way, or lost: no tap on one card ever reveals another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.games.codenames.browser.test_play import NewContext, give_clue, join, start
from tests.support.browser.play import DOUBLE_CLICK_MS, expect_ply, load_htmx
from tests.support.repeats import SOAK

PHONE = {"width": 390, "height": 664}
A, B, ASSASSIN = "#c-0-0", "#c-0-1", "#c-1-2"


POINTERS = ["touch", "mouse"] if SOAK else ["touch"]
"""Other tests of marks, whose requests arrive, have a mouse."""


@pytest.fixture(params=POINTERS)
def guesser(page: Page, new_context: NewContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Return the page of the red operatives, who have a clue."""
    start(page, "invite")
    phone = new_context(viewport=PHONE, has_touch=request.param == "touch")
    guesser = join(phone, page, "red-operatives")
    give_clue(page, "ocean", "2")
    expect(guesser.locator("#b-reveal")).to_have_count(1)
    load_htmx(guesser)
    yield guesser
    phone.close()


def tap(page: Page, selector: str) -> None:
    """Tap a card, or click it with a mouse, and let the time of a double click pass."""
    if page.evaluate("navigator.maxTouchPoints"):
        page.locator(selector).tap()
    else:
        page.locator(selector).click()
    page.wait_for_timeout(DOUBLE_CLICK_MS)


def hold_marks(page: Page) -> list[Route]:
    """Let the requests for marks wait, and return them."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/mark/", hold)
    return held


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_tap_on_the_card_that_was_marked_before_marks_it_again(
    guesser: Page, is_lost: bool
) -> None:
    tap(guesser, ASSASSIN)
    expect(guesser.locator(f"{ASSASSIN} .marked-by")).to_be_visible()
    held = hold_marks(guesser)
    tap(guesser, B)
    for route in held if is_lost else []:
        route.abort()
    tap(guesser, ASSASSIN)
    expect(guesser.locator("td.armed")).to_have_count(1)
    expect(guesser.locator(f"td.armed {ASSASSIN}")).to_be_visible()
    expect(guesser.locator("#b-reveal")).to_have_attribute("value", "c2")
    tap(guesser, A)
    expect(guesser.locator("#b-reveal")).to_have_attribute("value", "a1")
    expect_ply(guesser, 1)


def test_a_card_is_revealed_once_its_mark_has_arrived(guesser: Page) -> None:
    moves: list[str] = []
    guesser.on("request", lambda request: moves.append(request.url))
    held = hold_marks(guesser)
    tap(guesser, ASSASSIN)
    tap(guesser, A)
    tap(guesser, A)
    expect(guesser.locator(f"td.sending {A}")).to_be_visible()
    assert [url for url in moves if url.endswith("/move/")] == []
    held[-1].continue_()
    expect(guesser.locator(f"{A} .out")).to_be_visible()
    expect_ply(guesser, 2)


def test_a_lost_mark_is_sent_again_when_the_network_is_back(guesser: Page) -> None:
    guesser.route("**/mark/", lambda route: route.abort())
    tap(guesser, A)
    expect(guesser.locator("#offline")).to_be_visible()
    guesser.unroute("**/mark/")
    expect(guesser.locator(f"{A} .marked-by")).to_be_visible()
    expect(guesser.locator("#lost")).to_be_hidden()
    expect_ply(guesser, 1)


def test_a_card_whose_mark_was_lost_is_revealed_when_the_network_is_back(guesser: Page) -> None:
    guesser.route("**/mark/", lambda route: route.abort())
    tap(guesser, ASSASSIN)
    tap(guesser, B)
    tap(guesser, "#b-reveal")
    guesser.unroute("**/mark/")
    expect(guesser.locator(f"{B} .out")).to_be_visible()
    expect_ply(guesser, 2)


def test_a_mark_that_is_refused_takes_the_move_back(guesser: Page) -> None:
    guesser.route("**/mark/", lambda route: route.fulfill(status=404, body=""))
    tap(guesser, A)
    expect(guesser.locator("td.armed")).to_have_count(0)
    expect(guesser.locator("#b-reveal")).to_be_hidden()
    expect_ply(guesser, 1)


def test_a_page_with_an_older_mark_gets_the_newest_board(guesser: Page) -> None:
    tap(guesser, A)
    expect(guesser.locator(f"{A} .marked-by")).to_be_visible()
    number = guesser.locator(".reveal [type=hidden]")
    number.evaluate("input => { input.value -= 1 }")
    tap(guesser, A)
    expect(guesser.locator("#board p.refused")).to_have_text(
        "Your choice is no longer marked. Choose again."
    )
    expect(number).not_to_have_value("0")
    expect_ply(guesser, 1)
    tap(guesser, A)
    expect(guesser.locator(f"{A} .out")).to_be_visible()


def test_the_end_of_the_turn_takes_the_place_of_a_mark_for_all(guesser: Page, page: Page) -> None:
    tap(guesser, A)
    tap(guesser, A)
    tap(guesser, B)
    expect(page.locator(".marked-by")).to_have_count(1)
    guesser.locator("#b-unmark").click()
    expect(page.locator(".marked-by")).to_have_count(0)
    expect(guesser.locator(".armed, .mark-chosen")).to_have_count(0)
    tap(guesser, B)
    expect(page.locator(".marked-by")).to_have_count(1)
    expect_ply(guesser, 2)
