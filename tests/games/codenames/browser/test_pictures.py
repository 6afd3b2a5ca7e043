"""The pictures on cards in a browser: one request, and recognizable even on found cards."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.games.codenames.browser.test_play import SEATS
from tests.support.browser.play import reveal, set_up_game

DRAWN = """() => [...document.querySelectorAll('.card svg')].filter(svg => {
    const use = svg.querySelector('use').getBoundingClientRect();
    return use.width > 4 && use.height > 4;
}).length"""


def start_with_pictures(page: Page) -> None:
    set_up_game(page, "codenames", dict.fromkeys(SEATS, "me"), {"cards": "pictures"})


def test_the_pictures_of_a_board_come_in_one_request(page: Page) -> None:
    start_with_pictures(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.goto(page.url, wait_until="networkidle")
    assert page.evaluate(DRAWN) == 25
    assert len([url for url in sent if "/pictures/" in url]) == 1


def test_a_picture_that_was_found_stays_large(page: Page) -> None:
    start_with_pictures(page)
    drawing = page.locator("#c-0-0 svg")
    before = drawing.bounding_box()
    reveal(page, "#c-0-0")
    expect(page.locator("#c-0-0 .out")).to_be_visible()
    after = drawing.bounding_box()
    assert before
    assert after
    assert after["height"] > before["height"] * 0.75
