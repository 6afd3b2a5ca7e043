"""Practising with one's own mistakes in the browser, with the analysis of the real worker."""

from __future__ import annotations

from itertools import count

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import accessibility
from tests.support.browser.play import click_next_step, is_over, set_up_game
from tests.support.kinds import one_step_rules_with_hints, seat_keys


def play_badly(page: Page) -> None:
    """Play the first legal moves of a small game, and have it analysed."""
    rules = one_step_rules_with_hints()
    set_up_game(page, rules.slug, dict.fromkeys(seat_keys(rules), "me"), {"size": "6"})
    for _ in range(6):
        if not is_over(page):
            click_next_step(page)
    page.locator("#b-resign").evaluate("button => button.click()")
    page.locator("#board .result").wait_for()
    page.goto(f"{page.url.split('?')[0]}analysis/")
    page.locator(".analyse button").click()
    expect(page.locator("#analysis .tallies")).to_be_attached(timeout=60_000)


@pytest.mark.browser_context_args(locale="nl")
def test_a_mistake_is_refuted_and_solved_accessibly(page: Page) -> None:
    play_badly(page)
    page.locator("a[href*=practise]").first.click()
    faults = accessibility.faults_of_a_board_in_all_looks(page)
    legal, seen = page.locator("#board td.legal button"), set[str]()
    for number in count():
        legal.nth(number).click()
        box = page.locator("#board.challenge:not(.is-open)")
        expect(box).to_be_visible()
        state = box.get_attribute("class") or ""
        if state not in seen:
            faults += accessibility.faults_of_a_board_in_all_looks(page)
        seen.add(state)
        if "is-solved" in state:
            break
        page.locator("#retry").click()
        expect(page.locator("#board.is-open")).to_be_visible()
    assert faults == []
    assert len(seen) == 2
