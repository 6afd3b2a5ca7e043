"""What the script of the board does about hints, taps and forms that have expired."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import BrowserContext, Page, Route, expect

from games.models import Game
from games.registry import all_rules

WAITING = (
    '<div data-for="0-0" hx-get="/hint-of-a-test/" hx-trigger="load delay:50ms" hx-target="#hint"'
    ' hx-swap="innerHTML" hx-sync="this"><p>Thinking</p></div>'
)
LEGAL = "#board button[name=move][data-cell]:not([aria-disabled=true])"


def analysed_and_tapped() -> str:
    """A kind of game with hints and with moves of a single step."""
    for slug, rules in all_rules().items():
        position = rules.start(rules.deal(rules.clean({}), None)) if rules.analysis else None  # type: ignore[arg-type]
        if position and " " not in next(iter(position.legal_moves(min(position.to_move())))):
            return slug
    raise LookupError("no such game")


def start(page: Page) -> None:
    """Set up a game on this device, with hints."""
    page.set_default_timeout(15_000)
    page.goto(f"/new/{analysed_and_tapped()}/")
    for seat in page.locator(".seat-setup select:visible").all():
        seat.select_option("me")
    page.locator("[name=hints]").evaluate("box => { box.checked = true }")
    page.locator(".setup-form button.big").click()
    expect(page.locator("#board")).to_be_visible()
    page.wait_for_load_state()


def ready(ply: int, cell: str = "a1") -> str:
    """A hint for the board of so many moves."""
    return f'<div data-for="{ply}-0" data-cells="{cell}"><p>Hint: anything</p></div>'


def answers(html: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(content_type="text/html", body=html)


def has_ply(page: Page, ply: int) -> None:
    expect(page.locator("#board")).to_have_attribute("data-ply", str(ply))


@pytest.fixture
def phone(new_context: Callable[..., BrowserContext]) -> Page:
    """A screen without a mouse."""
    return new_context(has_touch=True, viewport={"width": 390, "height": 800}).new_page()


def test_a_hint_disappears_with_the_board_it_was_for(page: Page) -> None:
    start(page)
    page.route("**/hint/", answers(ready(0)))
    page.locator("#b-hint").click()
    expect(page.locator("#hint")).to_have_text("Hint: anything")
    page.locator(LEGAL).first.click()
    has_ply(page, 1)
    expect(page.locator("#hint")).to_be_empty()
    page.unroute("**/hint/")
    page.route("**/hint/", answers(ready(1)))
    page.locator("#b-hint").click()
    expect(page.locator("#hint")).to_have_text("Hint: anything")


def test_the_mark_of_a_hint_stays_when_the_board_is_swapped(page: Page) -> None:
    start(page)
    legal = page.locator(LEGAL).last
    cell = legal.get_attribute("data-cell") or ""
    marked = page.locator("#board td.hinted [data-cell]")
    page.route("**/hint/", answers(ready(0, cell)))
    page.locator("#b-hint").click()
    expect(marked).to_have_attribute("data-cell", cell)
    swap = "{source: '#board', target: '#board', swap: 'morph:outerHTML'}"
    page.evaluate(f"htmx.ajax('GET', location.href + 'board/', {swap})")
    expect(marked).to_have_attribute("data-cell", cell)
    expect(page.locator("#hint")).to_have_text("Hint: anything")
    legal.click()
    has_ply(page, 1)
    expect(marked).to_have_count(0)


def test_a_hint_is_in_view_and_is_announced(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    start(page)
    page.route("**/hint/", answers(ready(0)))
    page.locator("#b-hint").click()
    hint = page.get_by_role("status").filter(has_text="Hint: anything")
    expect(hint).to_be_in_viewport(ratio=1)


def test_a_late_hint_does_not_appear_on_a_later_board(page: Page) -> None:
    start(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/hint/", answers(WAITING))
    page.route("**/hint-of-a-test/", hold)
    page.locator("#b-hint").click()
    while not held:
        page.wait_for_timeout(20)
    page.locator(LEGAL).first.click()
    has_ply(page, 1)
    held[0].fulfill(content_type="text/html", body=ready(0))
    page.wait_for_timeout(300)
    expect(page.locator("#hint")).to_be_empty()


def test_a_polled_hint_is_announced_once_before_and_once_when_it_arrives(page: Page) -> None:
    start(page)
    game = Game(id=page.url.rstrip("/").split("/")[-1])
    waits = render_to_string("games/_hint.html", {"game": game, "asked": True, "waiting": True})
    polls: list[Route] = []

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            return answers(waits)(route)
        polls.append(route)
        return route.fulfill(status=204) if len(polls) < 3 else answers(ready(0))(route)

    page.route("**/hint/", answer)
    page.evaluate("""() => {
        window.told = [];
        const hint = document.getElementById("hint");
        const note = new MutationObserver(() => told.push(hint.textContent.trim()));
        note.observe(hint, {childList: true, subtree: true});
    }""")
    page.locator("#b-hint").click()
    expect(page.locator("#hint")).to_have_text("Hint: anything")
    assert page.evaluate("told") == ["Thinking about a hint…", "Hint: anything"]


def test_two_taps_play_a_move_while_a_hint_is_polled(phone: Page) -> None:
    start(phone)
    asked: list[Route] = []

    def think(route: Route) -> None:
        asked.append(route)
        answers(WAITING)(route)

    phone.route("**/hint/", answers(WAITING))
    phone.route("**/hint-of-a-test/", think)
    phone.locator("#b-hint").tap()
    expect(phone.locator("#hint")).to_have_text("Thinking")
    phone.locator(LEGAL).first.tap()
    expect(phone.locator("#board td.armed")).to_have_count(1)
    seen = len(asked)
    while len(asked) < seen + 3:
        phone.wait_for_timeout(20)
    phone.locator("#board td.armed button").tap()
    has_ply(phone, 1)


def test_a_tap_on_another_cell_arms_that_move_instead(phone: Page) -> None:
    start(phone)
    cells = phone.locator(LEGAL)
    cells.nth(0).tap()
    cells.nth(1).tap()
    expect(phone.locator("#board td.armed")).to_have_count(1)
    has_ply(phone, 0)
    chosen = cells.nth(1).get_attribute("value")
    cells.nth(1).tap()
    has_ply(phone, 1)
    expect(phone.locator("#board td.last")).not_to_have_count(0)
    assert chosen in phone.locator("#board").inner_text()


def test_a_first_tap_names_the_move_that_a_second_tap_plays(phone: Page) -> None:
    start(phone)
    prompt, cells = phone.locator("#prompt"), phone.locator(LEGAL)
    before = prompt.inner_text()
    for cell in (cells.nth(0), cells.nth(1)):
        cell.tap()
        does = (cell.get_attribute("aria-label") or "").split("; ")[1]
        expect(prompt).to_have_text(f"{does}. Tap again to play it.")
        expect(phone.locator("#status")).to_have_text(f"{does}. Tap again to play it.")
    phone.locator("h1").tap()
    expect(prompt).to_have_text(before)
    expect(phone.locator("#board td.armed")).to_have_count(0)
    cells.nth(1).tap()
    cells.nth(1).tap()
    has_ply(phone, 1)
    expect(prompt).to_have_text(before)


def start_asking_first(page: Page) -> None:
    """Begin a game in which each move is shown before it is made."""
    page.goto("/settings/")
    page.locator("[name=confirm][value=always]").evaluate("box => { box.checked = true }")
    page.locator("main form button").first.click()
    start(page)


def test_focus_returns_to_the_cell_when_the_pressed_button_is_gone(page: Page) -> None:
    start_asking_first(page)
    page.locator(LEGAL.replace("=move", "=chosen")).first.focus()
    for gone in ("#b-back", "#b-confirm"):
        page.keyboard.press("Enter")
        expect(page.locator("#b-confirm")).to_be_visible()
        page.locator(gone).focus()
        page.keyboard.press("Enter")
        expect(page.locator(gone)).to_have_count(0)
        expect(page.locator("#board [data-cell]:focus")).to_have_count(1)
    has_ply(page, 1)


@pytest.mark.parametrize("status", [500, 503])
def test_a_server_error_is_shown_above_the_board_and_not_as_a_lost_connection(
    page: Page, status: int
) -> None:
    start(page)
    page.route("**/move/", lambda route: route.fulfill(status=status, body="<p>Sorry.</p>"))
    page.locator(LEGAL).first.click()
    expect(page.locator("#trouble")).to_have_text("Sorry.")
    expect(page.locator("#offline")).to_be_hidden()
    has_ply(page, 0)
    page.unroute("**/move/")
    page.locator(LEGAL).first.click()
    has_ply(page, 1)
    expect(page.locator("#trouble")).to_be_empty()


def test_an_expired_form_leaves_the_board_in_place(page: Page) -> None:
    start(page)
    page.context.clear_cookies(name="csrftoken")
    page.locator(LEGAL).first.click()
    expect(page.locator("#trouble")).to_contain_text("Load it again")
    has_ply(page, 0)
    expect(page.locator("h1")).to_have_count(1)
    page.reload()
    page.locator(LEGAL).first.click()
    has_ply(page, 1)
    expect(page.locator("#trouble")).to_be_empty()


def test_a_move_that_is_refused_twice_is_announced_twice(page: Page) -> None:
    start(page)
    page.evaluate("""() => {
        const status = document.getElementById("status");
        window.told = [];
        const note = new MutationObserver(() => told.push(status.textContent));
        note.observe(status, {childList: true});
    }""")
    for _ in range(2):
        page.locator("#typed-move").fill("nonsense")
        page.locator("#typed button").click()
        expect(page.locator("#status")).not_to_be_empty()
        expect(page.locator(".htmx-request")).to_have_count(0)
    told = page.evaluate("told")
    sentence = told[-1]
    assert told.count(sentence) >= 2
    assert "" in told[told.index(sentence) : -1]


def test_escape_closes_the_resign_menu_before_it_takes_a_step_back(page: Page) -> None:
    start_asking_first(page)
    page.locator(LEGAL.replace("=move", "=chosen")).first.click()
    expect(page.locator("#b-confirm")).to_be_visible()
    resign = page.locator(".resign summary")
    resign.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#b-resign")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#b-resign")).to_be_hidden()
    expect(resign).to_be_focused()
    expect(page.locator("#b-confirm")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#b-confirm")).to_have_count(0)
