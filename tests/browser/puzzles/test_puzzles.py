"""Puzzles in the browser: solved by mouse, touch and keyboard, readable for all, and light."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from games.core.registry import all_rules
from games.puzzles import catalogue
from games.puzzles.catalogue import Entry
from games.puzzles.views import write_tried
from tests.support.browser import accessibility
from tests.support.browser.play import DOUBLE_CLICK_MS
from tests.support.repeats import SOAK

KINDS = [rules.slug for rules in all_rules().values() if rules.puzzles]
LANGUAGES = ["en", "nl"]
MAX_BYTES, MAX_REQUESTS = 30_000, 6
"""The limits of a first visit to a puzzle."""

Press = Callable[[Locator], None]


def first(slug: str, language: str = "en") -> Entry:
    return catalogue.entries(all_rules()[slug], language)[0]


def theme_of(slug: str) -> str:
    book = all_rules()[slug].puzzles
    return next(iter(book.themes)) if book else ""


def looked_at(language: str) -> list[str]:
    """Return the kinds whose pages are read in a language: half of them, with SOAK=1 all."""
    return KINDS if SOAK else KINDS[LANGUAGES.index(language) :: 2]


def wrong_move(entry: Entry) -> str:
    """Return a legal move that is in no solution."""
    position = entry.puzzle.position(entry.rules.start)
    right = {move for turn in entry.puzzle.turns for move in turn.right}
    legal = position.legal_moves(min(position.to_move()))
    return next(move for move in legal if move not in right)


def play(page: Page, move: str, press: Press) -> None:
    """Choose the steps of a move one after the other, and confirm it where it has to be."""
    ply = page.locator("#board").get_attribute("data-ply")
    steps = move.split(" ")
    for done in range(1, len(steps) + 1):
        step = page.locator(f'#board button[value="{" ".join(steps[:done])}"]').first
        press(step)
    if press is by_touch and page.locator("#board td.armed [name=move]").count():
        press(step)
    elif page.locator(".reveal:not([hidden])").count():
        page.wait_for_timeout(DOUBLE_CLICK_MS)
        press(page.locator("#b-reveal"))
    expect(page.locator("#board")).not_to_have_attribute("data-ply", ply or "")


def solve(page: Page, entry: Entry, press: Press) -> None:
    """Solve a puzzle, after a wrong try."""
    play(page, wrong_move(entry), press)
    expect(page.locator("#board.is-wrong")).to_be_visible()
    expect(page.locator("#status")).to_contain_text(page.locator(".verdict").inner_text())
    press(page.locator("#retry"))
    expect(page.locator("#board.is-open")).to_be_visible()
    for turn in entry.puzzle.turns:
        play(page, turn.right[0], press)
    expect(page.locator("#board.is-solved")).to_be_visible()


def by_mouse(element: Locator) -> None:
    element.click()


def by_touch(element: Locator) -> None:
    element.tap()


def by_key(element: Locator) -> None:
    element.focus()
    element.press("Enter")


MANNERS = (by_mouse, by_touch, by_key)


@pytest.mark.parametrize(
    ("press", "slug", "language"),
    [
        (press, slug, LANGUAGES[(manner + kind) % 2])
        for manner, press in enumerate(MANNERS)
        for kind, slug in enumerate(KINDS)
        if SOAK or manner == kind % len(MANNERS)
    ],
)
def test_a_puzzle_is_solved_by_mouse_touch_and_keys(
    visit: Callable[..., Page], press: Press, slug: str, language: str
) -> None:
    page = visit(locale=language, has_touch=press is by_touch)
    page.goto(first(slug, language).get_absolute_url())
    solve(page, first(slug, language), press)


def test_a_newcomer_solves_the_puzzle_of_the_day_and_finds_the_next_in_few_taps(
    visit: Callable[..., Page],
) -> None:
    page = visit(locale="nl", has_touch=True, viewport={"width": 390, "height": 664})
    taps, loads = list[Locator](), list[Request]()
    page.on("request", lambda sent: loads.append(sent) if sent.is_navigation_request() else None)

    def tap(element: Locator) -> None:
        expect(element).to_be_in_viewport(ratio=1)
        taps.append(element)
        element.tap()

    page.goto("/")
    tap(page.locator(".day-board"))
    tap(page.locator(".button.big"))
    expect(page.locator("#board.is-open")).to_be_visible()
    entry = catalogue.entry_of(page.url.split("/")[-2])
    assert entry
    play(page, wrong_move(entry), by_touch)
    expect(page.locator("#board.is-wrong .verdict")).to_be_in_viewport(ratio=1)
    tap(page.locator("#retry"))
    expect(page.locator("#board.is-open")).to_be_visible()
    for turn in entry.puzzle.turns:
        play(page, turn.right[0], by_touch)
    expect(page.locator("#board.is-solved")).to_be_visible()
    tap(page.locator("#board.is-solved a[href='/puzzles/today/']"))
    expect(page.locator(".squares .sign").first).to_have_class("sign yellow")
    tap(page.locator(".written button").first)
    tap(page.locator(".button.big"))
    expect(page.locator("#board.is-open")).to_be_visible()
    assert entry.id not in page.url
    assert len(taps) == 6
    assert len(loads) == 5


@pytest.mark.parametrize("slug", KINDS if SOAK else KINDS[::2])
def test_the_verdict_is_whole_on_a_small_phone_and_back_goes_one_try_back(
    visit: Callable[..., Page], slug: str
) -> None:
    page, entry = visit(viewport={"width": 390, "height": 480}), first(slug)
    page.goto(entry.get_absolute_url())
    play(page, wrong_move(entry), by_mouse)
    expect(page.locator(".verdict")).to_be_in_viewport(ratio=1)
    expect(page.locator("#retry")).to_be_in_viewport(ratio=1)
    page.go_back()
    expect(page.locator("#board.is-open")).to_be_visible()
    page.go_forward()
    expect(page.locator("#board.is-wrong")).to_be_visible()


@pytest.mark.parametrize(("slug", "language"), [*zip(KINDS, cycle(LANGUAGES), strict=False)])
def test_a_puzzle_is_solved_without_scripts(
    visit: Callable[..., Page], slug: str, language: str
) -> None:
    entry = first(slug, language)
    page = visit(java_script_enabled=False, locale=language)
    page.goto(entry.get_absolute_url())
    for turn in entry.puzzle.turns:
        steps = turn.right[0].split(" ")
        for done in range(1, len(steps) + 1):
            page.locator(f'#board button[value="{" ".join(steps[:done])}"]').first.click()
        if page.locator("#b-reveal").count():
            page.locator("#b-reveal").click()
    expect(page.locator("#board.is-solved")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_puzzles_are_accessible(visit: Callable[..., Page], language: str) -> None:
    page = visit(locale=language)
    faults = []
    for address in (
        "/puzzles/",
        "/puzzles/today/",
        "/puzzles/sheet/",
        *(f"/puzzles/{slug}/?theme={theme_of(slug)}" for slug in looked_at(language)),
        *(first(slug, language).get_absolute_url() for slug in looked_at(language)),
        *(f"/puzzles/{slug}/course/" for slug in all_rules() if catalogue.course(slug)),
        f"/puzzles/{KINDS[0]}/run/",
    ):
        page.goto(address)
        faults += accessibility.faults_of_a_board_in_all_looks(page)
    page.locator("[name=begin]").click()
    expect(page.get_by_role("timer")).to_be_visible()
    faults += accessibility.faults_of_a_board_in_all_looks(page)
    assert faults == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refuted_and_a_solved_puzzle_are_accessible(
    visit: Callable[..., Page], language: str
) -> None:
    page, faults = visit(locale=language), []
    for entry in (first(slug, language) for slug in looked_at(language)):
        solution = [turn.right[0] for turn in entry.puzzle.turns]
        for tried, state in (([wrong_move(entry)], "wrong"), (solution, "solved")):
            page.goto(entry.get_absolute_url() + write_tried(tried))
            expect(page.locator(f"#board.is-{state}")).to_be_visible()
            faults += accessibility.faults_of_a_board_in_all_looks(page)
        page.goto(entry.get_absolute_url())
        page.locator("#b-solution").click()
        expect(page.locator("#board.is-shown")).to_be_visible()
        faults += accessibility.faults_of_a_board_in_all_looks(page)
    assert faults == []


@pytest.mark.parametrize("slug", KINDS)
def test_a_first_visit_to_a_puzzle_loads_few_bytes(page: Page, slug: str) -> None:
    sizes: dict[str, int] = {}

    def measure(request: Request) -> None:
        sizes[request.url] = request.sizes()["responseBodySize"]

    page.on("requestfinished", measure)
    page.goto(first(slug).get_absolute_url(), wait_until="networkidle")
    assert sum(sizes.values()) <= MAX_BYTES, sizes
    assert len(sizes) <= MAX_REQUESTS, sizes


def test_two_clicks_lead_from_the_front_page_to_a_puzzle_of_today(page: Page) -> None:
    page.goto("/")
    page.locator(".day-puzzle a").first.click()
    page.locator(".puzzles .button.big").click()
    expect(page.locator("#board.challenge")).to_be_visible()
