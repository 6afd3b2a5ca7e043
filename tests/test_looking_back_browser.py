"""Looking back at a game in a browser: the keys, and what is in sight."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.cast import two_seats
from tests.clicking import click_a_step, ply, start

MOVES = 3


@pytest.fixture
def game(page: Page) -> str:
    """The address of a game of some moves that goes on, open in the browser."""
    start(page, two_seats().slug)
    while ply(page) < MOVES:
        click_a_step(page)
    return page.url.split("?")[0]


def is_at(page: Page, number: int) -> None:
    expect(page).to_have_url(re.compile(rf"/{number}/$"))


def test_the_keys_go_to_the_first_position_and_to_the_last(page: Page, game: str) -> None:
    page.goto(f"{game}1/")
    for key, number in (("End", MOVES), ("Home", 0), ("ArrowRight", 1), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        is_at(page, number)


def test_going_back_leaves_a_look_back_that_went_by_keys(page: Page, game: str) -> None:
    page.goto(f"{game}1/")
    page.keyboard.press("ArrowRight")
    is_at(page, 2)
    page.keyboard.press("ArrowRight")
    is_at(page, 3)
    page.go_back()
    expect(page).to_have_url(game)
