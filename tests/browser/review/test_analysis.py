"""The page of an analysis, computed by the real worker process."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import accessibility
from tests.support.browser.analyses import open_analysis
from tests.support.kinds import kinds_with_analysis
from tests.support.repeats import SOAK

each_kind = pytest.mark.parametrize("slug", kinds_with_analysis())


def current_move(page: Page) -> Locator:
    return page.locator("[aria-current=true]")


def text_of_move(number: int) -> re.Pattern[str]:
    return re.compile(rf"^{number}\. ")


def open_first_move(page: Page) -> None:
    """Open the first move, which may be the current one already."""
    page.locator("table.analysis a").first.click()
    page.wait_for_url("**/analysis/?ply=1")
    expect(current_move(page)).to_have_text(text_of_move(1))


def test_clicks_and_keys_step_through_an_analysis(page: Page) -> None:
    open_analysis(page, kinds_with_analysis()[0])
    open_first_move(page)
    page.keyboard.press("ArrowRight")
    expect(current_move(page)).to_have_text(text_of_move(2))
    page.keyboard.press("ArrowLeft")
    expect(current_move(page)).to_have_text(text_of_move(1))
    page.keyboard.press("ArrowLeft")
    expect(current_move(page)).to_have_count(0)
    assert page.url.endswith("?ply=0")


def test_open_details_stay_open_from_move_to_move(page: Page) -> None:
    open_analysis(page, kinds_with_analysis()[0])
    open_first_move(page)
    page.locator(".worths summary").first.click()
    page.keyboard.press("ArrowRight")
    expect(current_move(page)).to_have_text(text_of_move(2))
    expect(page.locator(".worths details").first).to_have_attribute("open", "")


# Variations of all kinds have the same page with more on it.
@pytest.mark.parametrize("slug", kinds_with_analysis() if SOAK else kinds_with_analysis()[:1])
def test_axe_finds_no_violation_on_an_analysis(page: Page, slug: str) -> None:
    open_analysis(page, slug)
    assert accessibility.faults_of_a_board_in_all_looks(page) == []


def test_back_from_the_game_leads_to_the_whole_page_of_a_move(page: Page) -> None:
    open_analysis(page, kinds_with_analysis()[0])
    open_first_move(page)
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#board")).to_be_visible()
    page.go_back()
    expect(current_move(page)).to_have_text(text_of_move(1))
    expect(page.locator("header.site-top")).to_be_visible()


@each_kind
@pytest.mark.browser_context_args(locale="nl")
def test_the_list_of_moves_fits_beside_the_board(page: Page, slug: str) -> None:
    open_analysis(page, slug)
    for width, height in ((900, 900), (1280, 1024), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        fits = "list => list.scrollWidth <= list.clientWidth"
        assert page.locator(".analysed").evaluate(fits), width


@pytest.mark.parametrize(("width", "font_size"), [(320, 16), (390, 32)])
def test_no_move_of_the_list_is_clipped_on_a_phone(page: Page, width: int, font_size: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    open_analysis(page, kinds_with_analysis()[0])
    page.evaluate("size => { document.documentElement.style.fontSize = size }", f"{font_size}px")
    outside = """list => [...list.querySelectorAll('tbody tr > *')].filter(cell => {
        const [at, box] = [cell.getBoundingClientRect(), list.getBoundingClientRect()];
        return at.right > box.right + 1 || at.bottom > box.bottom + 1;
    }).length + Math.max(0, list.scrollHeight - list.clientHeight)"""
    assert page.locator(".analysed").evaluate(outside) == 0


def test_a_click_in_the_graph_leads_to_the_move_below_it(page: Page) -> None:
    open_analysis(page, kinds_with_analysis()[0])
    page.evaluate("window.same = true")
    plot = page.locator(".graph .plot")
    box = plot.bounding_box() or {"width": 0, "height": 0}
    plot.click(position={"x": 3, "y": box["height"] - 4})
    expect(current_move(page)).to_have_count(0)
    plot.click(position={"x": box["width"] / 4, "y": box["height"] - 4})
    expect(current_move(page)).to_have_text(text_of_move(1))
    assert page.evaluate("window.same") is True


def test_dots_in_the_graph_are_targets_of_24_pixels_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 664})
    open_analysis(page, kinds_with_analysis()[0])
    page.locator(".graph .plot").evaluate(
        "plot => { plot.innerHTML += '<a href=?ply=1><circle cx=50% cy=50% r=12 class=reach></a>' }"
    )
    box = page.locator(".graph a .reach").last.bounding_box() or {"width": 0, "height": 0}
    assert min(box["width"], box["height"]) >= 24


def test_the_board_stays_in_view_on_a_phone_while_the_list_scrolls(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 664})
    open_analysis(page, kinds_with_analysis()[0])
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator(".past .grid")).to_be_in_viewport(ratio=0.9)


def test_the_list_of_an_analysis_is_shown_beside_the_board(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_analysis(page, kinds_with_analysis()[0])
    box = page.locator(".analysed").bounding_box() or {"height": 0}
    assert box["height"] > 60
