"""The look back at a game, in a browser, with the real process that thinks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from games.registry import all_rules
from tests.support.browser_play import click_next_step, shown_ply, start_solo_game

MOVES = 3
each_kind = pytest.mark.parametrize(
    "slug", [slug for slug, rules in all_rules().items() if rules.analysis]
)


ANALYSED: dict[str, tuple[str, Any]] = {}
"""By kind of game the address of an analysis that was made, and the cookies of who played."""


def analysed(page: Page, slug: str) -> None:
    """Play a little on this device, give up, and have the game analysed; or come back to it."""
    if slug in ANALYSED:
        address, cookies = ANALYSED[slug]
        page.context.add_cookies(cookies)
        page.goto(address)
        return
    start_solo_game(page, slug)
    while shown_ply(page) < MOVES:
        click_next_step(page)
    game = page.url.split("?")[0]
    page.locator("#b-resign").evaluate("button => button.click()")
    page.locator("#board .result").wait_for()
    page.goto(f"{game}analysis/")
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator("#analysis .waiting")).to_have_count(0, timeout=60_000)
    ANALYSED[slug] = f"{game}analysis/", page.context.cookies()


def current(page: Page) -> Locator:
    return page.locator("[aria-current=true]")


def at(number: int) -> re.Pattern[str]:
    return re.compile(rf"^{number}\. ")


def look_at_the_first(page: Page) -> None:
    """Click on the first move, which may be the one that is shown already, and wait for it."""
    page.locator("table.analysis a").first.click()
    page.wait_for_url("**/analysis/?ply=1")
    expect(current(page)).to_have_text(at(1))


@each_kind
def test_clicks_and_keys_step_through_an_analysis(page: Page, slug: str) -> None:
    analysed(page, slug)
    look_at_the_first(page)
    page.keyboard.press("ArrowRight")
    expect(current(page)).to_have_text(at(2))
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_have_text(at(1))
    page.keyboard.press("ArrowLeft")
    expect(current(page)).to_have_count(0)
    assert page.url.endswith("?ply=0")


@each_kind
def test_open_details_stay_open_from_move_to_move(page: Page, slug: str) -> None:
    analysed(page, slug)
    look_at_the_first(page)
    page.locator(".worths summary").first.click()
    page.keyboard.press("ArrowRight")
    expect(current(page)).to_have_text(at(2))
    expect(page.locator(".worths details").first).to_have_attribute("open", "")


@each_kind
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_no_violation_on_an_analysis(page: Page, slug: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    analysed(page, slug)
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_back_from_the_game_leads_to_the_whole_page_of_a_move(page: Page) -> None:
    analysed(page, next(slug for slug, rules in all_rules().items() if rules.analysis))
    look_at_the_first(page)
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#board")).to_be_visible()
    page.go_back()
    expect(current(page)).to_have_text(at(1))
    expect(page.locator("header.site-top")).to_be_visible()


@pytest.mark.parametrize(("width", "letters"), [(320, 16), (390, 32)])
def test_no_move_of_the_list_is_clipped_on_a_telephone(
    page: Page, width: int, letters: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    analysed(page, next(slug for slug, rules in all_rules().items() if rules.analysis))
    page.evaluate("size => { document.documentElement.style.fontSize = size }", f"{letters}px")
    outside = """list => [...list.querySelectorAll('tbody tr > *')].filter(cell => {
        const [at, box] = [cell.getBoundingClientRect(), list.getBoundingClientRect()];
        return at.right > box.right + 1 || at.bottom > box.bottom + 1;
    }).length + Math.max(0, list.scrollHeight - list.clientHeight)"""
    assert page.locator(".analysed").evaluate(outside) == 0


def test_a_click_on_a_mistake_in_the_graph_leads_to_its_move(page: Page) -> None:
    analysed(page, next(slug for slug, rules in all_rules().items() if rules.analysis))
    page.evaluate("window.same = true")
    link = page.locator("table.analysis a").first.get_attribute("href")
    page.locator(".graph svg").evaluate(
        "(graph, link) => { graph.innerHTML += `<a href='${link}'><circle r='9'/></a>` }", link
    )
    page.locator(".graph a circle").last.dispatch_event("click")
    expect(current(page)).to_have_text(at(1))
    assert page.evaluate("window.same") is True
