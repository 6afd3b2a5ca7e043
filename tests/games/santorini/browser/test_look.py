"""The two looks of Santorini's board: towers with height, and seen from above."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.support.browser.play import set_up_game


def box(part: Locator) -> dict[str, float]:
    found = part.bounding_box()
    assert found is not None
    return dict(found)


def start(page: Page) -> None:
    set_up_game(page, "santorini", {"p1": "me", "p2": "me"}, {"players": "2"})
    for cell in ("c-2-2", "c-2-4", "c-0-0", "c-4-4"):
        page.locator(f".legal > #{cell}").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", "2")
    for cell in ("c-2-2", "c-3-2", "c-2-2"):
        page.locator(f".legal > #{cell}").click()
    expect(page.locator("#c-2-2 .house")).to_be_visible()


WORKER_IN_ITS_SPACE = """([space, lent]) => {
    const cell = document.getElementById(space);
    const worker = lent ? lent.cloneNode(true) : cell.querySelector('.worker');
    if (lent) cell.append(worker);
    const top = worker.getBoundingClientRect().y - cell.getBoundingClientRect().y;
    if (lent) worker.remove();
    return top;
}"""
"""The distance of a worker from the top of its space: looked at in one go, since the board that the
stream brings takes away a worker that it does not know."""


def test_a_worker_stands_higher_on_a_house_than_on_the_ground(page: Page) -> None:
    start(page)
    worker = page.locator("#c-0-0 .worker").element_handle()
    on_ground = page.evaluate(WORKER_IN_ITS_SPACE, ["c-0-0", None])
    on_house = page.evaluate(WORKER_IN_ITS_SPACE, ["c-2-2", worker])
    assert on_house < on_ground - 5


def test_the_spaces_lie_alike_in_both_looks(page: Page) -> None:
    start(page)
    cells = page.locator("#board td.cell > button")
    raised = [box(cell) for cell in cells.all()]
    page.evaluate("document.documentElement.dataset.looks = 'santorini-plan'")
    assert [box(cell) for cell in cells.all()] == raised


def test_the_view_from_above_is_chosen_beside_the_game_and_kept(page: Page) -> None:
    start(page)
    house = page.locator("#c-2-2 .house")
    expect(house).to_have_css("background-image", re.compile("towers"))
    page.locator("#b-settings").click()
    with page.expect_response("**/settings/"):
        page.get_by_label("From above").check()
    expect(house).not_to_have_css("background-image", re.compile("towers"))
    page.reload()
    expect(house).not_to_have_css("background-image", re.compile("towers"))


def test_forced_colours_show_the_towers_from_above(page: Page) -> None:
    start(page)
    page.emulate_media(forced_colors="active")
    expect(page.locator("#c-2-2 .house")).not_to_have_css("background-image", re.compile("towers"))
