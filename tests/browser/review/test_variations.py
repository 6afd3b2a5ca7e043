"""Moves tried out on the board of an analysis, by mouse, keys and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.support.browser import accessibility
from tests.support.browser.analyses import open_analysis
from tests.support.browser.play import NewContext
from tests.support.kinds import kinds_with_analysis, one_step_rules_with_hints

ONE_STEP = one_step_rules_with_hints().slug
each_kind = pytest.mark.parametrize("slug", kinds_with_analysis())
STEPS = ":is(#steps, .tried-steps) button:not(#b-back):not([value$=' '])"


def open_ply(page: Page, slug: str, ply: int) -> None:
    open_analysis(page, slug)
    page.goto(page.url.split("?")[0] + f"?ply={ply}")


def try_moves(page: Page, count: int = 1) -> None:
    """Click until so many moves are tried, the first of which is not the game's."""
    while len(tried_moves(page)) < count:
        before = page.url
        page.locator(STEPS).last.click()
        expect(page).not_to_have_url(before)


def tried_moves(page: Page) -> list[str]:
    return page.locator(".variation a:not(.button):not(.ahead)").all_inner_texts()


@each_kind
def test_a_tried_move_is_shown_with_its_value(page: Page, slug: str) -> None:
    open_ply(page, slug, 1)
    page.evaluate("window.same = true")
    try_moves(page)
    expect(page.locator(".explored .whose")).to_contain_text(re.compile(r"^\s*2\. .+: "))
    assert page.evaluate("window.same") is True
    assert "waiting=" not in page.url


@each_kind
@pytest.mark.browser_context_args(viewport={"width": 320, "height": 664}, locale="nl")
def test_the_steps_of_a_move_stand_in_one_row_on_a_phone(page: Page, slug: str) -> None:
    open_ply(page, slug, 1)
    steps = page.locator(".tried-steps .step").evaluate_all(
        "steps => steps.map(step => step.getBoundingClientRect().top)"
    )
    assert len(set(steps)) <= 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_keys_step_through_the_moves_that_were_tried(page: Page) -> None:
    open_ply(page, ONE_STEP, 1)
    try_moves(page, 2)
    expect(page.locator(".explored .whose")).to_contain_text(re.compile(r"^\s*3\. .+: "))
    current = page.locator(".variation [aria-current=step]")
    page.keyboard.press("ArrowLeft")
    expect(current).to_contain_text("2. ")
    page.keyboard.press("ArrowRight")
    expect(current).to_contain_text("3. ")
    page.keyboard.press("Home")
    expect(page.locator(".plies")).to_have_attribute("data-ply", "0")
    page.keyboard.press("End")
    expect(current).to_contain_text("3. ")
    page.get_by_role("link", name="Close").click()
    expect(page.locator(".variation")).to_have_count(0)


def test_a_move_is_tried_by_keyboard_alone(page: Page) -> None:
    open_ply(page, ONE_STEP, 0)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('#steps') !== null"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("line=|ply=1"))


@each_kind
def test_moves_are_tried_and_scored_without_scripts(
    page: Page, slug: str, new_context: NewContext
) -> None:
    open_ply(page, slug, 1)
    reader = new_context(java_script_enabled=False).new_page()
    reader.goto(page.url)
    try_moves(reader)
    score = reader.get_by_role("button", name="Score the moves here")
    if score.count():
        score.click()
    assert len(tried_moves(reader)) == 1
    reader.get_by_role("link", name="Previous").click()
    assert tried_moves(reader) == []
    reader.get_by_role("link", name="Next").click()
    assert len(tried_moves(reader)) == 1


def test_the_graph_leads_from_a_variation_back_to_the_game(page: Page) -> None:
    open_ply(page, ONE_STEP, 1)
    try_moves(page)
    page.locator(".graph .plot").click(position={"x": 3, "y": 70})
    expect(page.locator(".variation")).to_have_count(0)
    expect(page.locator(".plies")).to_have_attribute("data-ply", "0")


def test_a_game_is_played_on_from_a_variation(page: Page) -> None:
    open_ply(page, ONE_STEP, 1)
    try_moves(page)
    page.get_by_role("button", name="This device").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", "2")


@each_kind
def test_axe_finds_no_violation_on_a_variation(page: Page, slug: str) -> None:
    open_ply(page, slug, 1)
    try_moves(page)
    expect(page.locator("#analysis .waiting")).to_have_count(0)
    assert accessibility.faults_of_a_board_in_all_looks(page) == []


@each_kind
def test_the_links_through_a_game_are_in_view(page: Page, slug: str) -> None:
    open_analysis(page, slug)
    game = page.url.split("analysis/")[0]
    for width, height in ((1280, 800), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        for past in ("2/", "analysis/?ply=2"):
            page.goto(game + past)
            expect(page.locator(".plies")).to_be_in_viewport(ratio=1)


PRESS_HOME_BEFORE_VALUES_ARE_ASKED_FOR = """
addEventListener("htmx:afterSettle", () => {
  if (!document.querySelector("form.ask") || window.pressed) return;
  window.pressed = true;
  const home = new KeyboardEvent("keydown", { key: "Home", bubbles: true });
  setTimeout(() => document.body.dispatchEvent(home));
});
addEventListener("htmx:confirm", ({ detail }) => { window.asked ||= detail.verb === "post"; });
"""


def test_values_are_requested_once_a_reader_stops_stepping(page: Page) -> None:
    open_ply(page, ONE_STEP, 2)
    sent: list[str] = []

    def note(request: Request) -> None:
        sent.append("POST" if request.method == "POST" else request.url.split("&")[-1])

    page.on("request", note)
    # This request is never answered, because the next step replaces it.
    page.route("**/*made=0", lambda _: None)
    page.evaluate(PRESS_HOME_BEFORE_VALUES_ARE_ASKED_FOR)
    try_moves(page)
    page.wait_for_function("() => window.asked")
    with page.expect_request("**/analysis/position/"):
        page.keyboard.press("End")
    steps = [step for step in sent if step in {"made=0", "made=1", "POST"}]
    assert steps == ["made=0", "made=1", "POST"]
