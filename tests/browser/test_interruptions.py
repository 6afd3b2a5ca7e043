"""What somebody is doing at a table is not disturbed by what the others do, nor by the network."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

from games.contract import Rules
from games.registry import all_rules
from tests.support.browser_play import (
    TIMEOUT_MS,
    NewContext,
    click_next_step,
    open_page_per_seat,
    set_up_game,
    shown_ply,
)
from tests.support.kinds import two_player_rules


def seats_of(rules: Rules) -> list[str]:
    return [spec.key for spec in rules.seats(rules.clean({}))]


def in_steps() -> Rules:
    """A kind of game of two plain seats whose moves are of several steps."""
    for rules in all_rules().values():
        position = rules.start(rules.deal(rules.clean({}), Random(1)))
        specs = rules.seats(rules.clean({}))
        plain = len(specs) == 2 and rules.undo and not any(spec.secret for spec in specs)
        if plain and all(" " in move for move in position.legal_moves(min(position.to_move()))):
            return rules
    raise LookupError("no game has moves of several steps")


def make_a_move(page: Page) -> None:
    before = shown_ply(page)
    while shown_ply(page) == before:
        click_next_step(page)


@pytest.fixture
def table(new_context: NewContext) -> tuple[Page, ...]:
    """Two browsers at a game of moves in steps: who moves first, and the other."""
    rules = in_steps()
    return tuple(open_page_per_seat(new_context, rules.slug, seats_of(rules)).values())


def test_a_half_chosen_move_outlives_an_undo_request_and_its_refusal(table) -> None:
    asker, mine = table
    make_a_move(asker)
    expect(mine.locator("#board.my-turn")).to_be_visible(timeout=TIMEOUT_MS)
    click_next_step(mine)
    chosen = mine.locator("#board").get_attribute("data-chosen") or ""
    assert chosen
    asker.locator("#b-undo").click()
    expect(mine.locator("#b-refuse")).to_be_visible(timeout=TIMEOUT_MS)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)
    expect(mine.locator("#status")).to_contain_text("asks to take")
    mine.locator("#b-refuse").click()
    expect(mine.locator("#b-refuse")).to_have_count(0)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_a_half_chosen_move_outlives_a_refusal_that_the_stream_brings_first(table) -> None:
    asker, mine = table

    def answer_late(route: Route) -> None:
        answer = route.fetch()
        expect(mine.locator("#b-refuse")).to_have_count(0, timeout=TIMEOUT_MS)
        route.fulfill(response=answer)

    make_a_move(asker)
    expect(mine.locator("#board.my-turn")).to_be_visible(timeout=TIMEOUT_MS)
    click_next_step(mine)
    chosen = mine.locator("#board").get_attribute("data-chosen") or ""
    asker.locator("#b-undo").click()
    expect(mine.locator("#b-refuse")).to_be_visible(timeout=TIMEOUT_MS)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)
    mine.route("**/undo/answer/", answer_late)
    with mine.expect_event("requestfinished", lambda request: "/answer/" in request.url):
        mine.locator("#b-refuse").click()
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_details_beside_the_board_stay_open_or_closed_when_another_player_moves(table) -> None:
    mover, mine = table
    mine.locator("details.resign summary").focus()
    mine.keyboard.press("Enter")
    mine.keyboard.press("Tab")
    expect(mine.locator("#b-resign")).to_be_focused()
    mine.locator("details.moves").evaluate("list => { list.open = false }")
    make_a_move(mover)
    expect(mine.locator("#board")).to_have_attribute("data-ply", "1", timeout=TIMEOUT_MS)
    expect(mine.locator("#b-resign")).to_be_focused()
    expect(mine.locator("details.moves .move-list")).to_be_hidden()


def test_on_a_shared_device_the_resign_menu_closes_for_the_next_player(
    new_context: NewContext,
) -> None:
    page = new_context().new_page()
    set_up_game(
        page, two_player_rules().slug, dict.fromkeys(seats_of(two_player_rules()), "me"), {}
    )
    make_a_move(page)
    page.locator("details.resign summary").click()
    expect(page.locator("#b-resign")).to_be_visible()
    make_a_move(page)
    expect(page.locator("#b-resign")).to_be_hidden()


def test_a_move_list_that_was_scrolled_up_stays_there(new_context: NewContext) -> None:
    mine, watcher = new_context().new_page(), new_context().new_page()
    set_up_game(
        mine, two_player_rules().slug, dict.fromkeys(seats_of(two_player_rules()), "me"), {}
    )
    watcher.goto(mine.url)
    rule = "#board .move-list { height: 2em; width: 4em }"
    watcher.evaluate("rule => { document.styleSheets[0].insertRule(rule, 0) }", rule)
    moves, first = watcher.locator(".move-list"), 4
    for number in range(1, first + 2):
        make_a_move(mine)
        expect(watcher.locator("#board")).to_have_attribute("data-ply", str(number))
        at = "list => list.scrollTop + list.clientHeight > list.scrollHeight - 9"
        assert moves.evaluate(at) == (number <= first)
        if number == first:
            moves.evaluate("list => { list.scrollTop = 0 }")


def test_an_open_qr_code_stays_open_when_another_player_joins(
    new_context: NewContext,
) -> None:
    rules = next(rules for rules in all_rules().values() if len(seats_of(rules)) > 2)
    first, second, *_, last = seats_of(rules)
    host, guest = new_context().new_page(), new_context().new_page()
    set_up_game(host, rules.slug, dict.fromkeys(seats_of(rules), "invite") | {first: "me"}, {})
    code = host.locator(".invite", has=host.locator(f"#link-{last}")).locator("details")
    code.locator("summary").click()
    host.locator(f"#link-{last}").focus()
    secret = host.locator(f"#link-{last}").input_value()
    guest.goto(host.locator(f"#link-{second}").input_value())
    guest.locator("form.field button").click()
    expect(host.locator(f"#links #link-{second}")).to_have_count(0, timeout=TIMEOUT_MS)
    expect(code.locator("img")).to_be_visible()
    expect(host.locator(f"#link-{last}")).to_be_focused()
    expect(host.locator(f"#link-{last}")).to_have_value(secret)


def test_open_further_invitations_stay_open_when_another_player_joins(
    new_context: NewContext,
) -> None:
    teams = {
        rules.slug: [spec.key for spec in rules.seats(rules.clean({})) if spec.shared]
        for rules in all_rules().values()
    }
    rules = next(rules for rules in all_rules().values() if teams[rules.slug])
    first, *others = seats_of(rules)
    team = next(key for key in others if key in teams[rules.slug])
    other = next(key for key in others if key != team)
    host = new_context().new_page()
    set_up_game(host, rules.slug, dict.fromkeys(others, "invite") | {first: "me"}, {})
    further = host.locator(f"#more-links #link-{team}")
    for key in (team, other):
        guest = new_context().new_page()
        guest.goto(host.locator(f"#links #link-{key}").input_value())
        guest.locator("form.field button").click()
        expect(host.locator(f"#links #link-{key}")).to_have_count(0, timeout=TIMEOUT_MS)
        if key == team:
            host.locator("#more-links summary").first.click()
        expect(further).to_be_visible()


def test_a_typed_move_that_could_not_be_sent_stays_in_its_field(new_context: NewContext) -> None:
    page = new_context().new_page()
    set_up_game(
        page, two_player_rules().slug, dict.fromkeys(seats_of(two_player_rules()), "me"), {}
    )
    page.route("**/move/", lambda route: route.abort())
    page.locator("#typed-move").fill("whatever")
    page.locator("#typed button").click()
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#typed-move")).to_have_value("whatever")


def test_the_board_does_not_shift_when_the_connection_is_lost(new_context: NewContext) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    set_up_game(
        page, two_player_rules().slug, dict.fromkeys(seats_of(two_player_rules()), "me"), {}
    )
    before = page.locator("#board").bounding_box()
    page.route("**/move/", lambda route: route.abort())
    make = page.locator("#typed-move")
    make.fill("whatever")
    make.press("Enter")
    expect(page.locator("#offline")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("#board").bounding_box() == before


def test_a_browser_without_a_stream_polls_for_the_board(new_context: NewContext) -> None:
    mine, watcher = new_context().new_page(), new_context().new_page()
    set_up_game(
        mine, two_player_rules().slug, dict.fromkeys(seats_of(two_player_rules()), "me"), {}
    )
    watcher.route("**/events/**", lambda route: route.abort("connectionreset"))
    watcher.goto(mine.url)
    make_a_move(mine)
    expect(watcher.locator("#board")).to_have_attribute("data-ply", "1", timeout=TIMEOUT_MS)
    expect(watcher.locator("#offline")).to_be_hidden(timeout=TIMEOUT_MS)
