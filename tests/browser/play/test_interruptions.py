"""An open game page keeps its state through the moves of others and a lost connection."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.core.registry import all_rules
from tests.support.browser.play import (
    NewContext,
    expect_ply,
    make_move,
    open_game_menu,
    open_page_per_seat,
    set_up_game,
    show_more,
    start_solo_game,
)
from tests.support.kinds import (
    default_specs,
    kinds_with_shared_seats,
    seat_keys,
    stepwise_rules,
    two_player_rules,
)


@pytest.fixture
def players(new_context: NewContext) -> tuple[Page, ...]:
    """Return two players' pages of a game with moves in steps; the first one is to move."""
    rules = stepwise_rules()
    return tuple(open_page_per_seat(new_context, rules.slug, seat_keys(rules)).values())


def test_details_beside_the_board_stay_open_or_closed_when_another_player_moves(players) -> None:
    mover, mine = players
    open_game_menu(mine)
    mine.locator("[id^=resign] summary").focus()
    mine.keyboard.press("Enter")
    mine.keyboard.press("Tab")
    expect(mine.locator("#b-resign")).to_be_focused()
    mine.locator("details.moves").evaluate("list => { list.open = false }")
    make_move(mover)
    expect_ply(mine, 1)
    expect(mine.locator("#b-resign")).to_be_focused()
    expect(mine.locator("details.moves .move-list")).to_be_hidden()


def test_on_a_shared_device_the_resign_menu_closes_for_the_next_player(
    new_context: NewContext,
) -> None:
    # So high that the menu in the middle does not cover the blocks.
    page = new_context(viewport={"width": 1280, "height": 1400}).new_page()
    start_solo_game(page, two_player_rules().slug)
    make_move(page)
    open_game_menu(page)
    page.locator("[id^=resign] summary").click()
    expect(page.locator("#b-resign")).to_be_visible()
    make_move(page)
    expect(page.locator("#b-resign")).to_be_hidden()


def test_a_move_list_that_was_scrolled_up_stays_there(new_context: NewContext) -> None:
    mine, watcher = new_context().new_page(), new_context().new_page()
    start_solo_game(mine, two_player_rules().slug)
    watcher.goto(mine.url)
    rule = "#board .move-list { height: 2em; width: 4em }"
    watcher.evaluate("rule => { document.styleSheets[0].insertRule(rule, 0) }", rule)
    moves, scrolled_up = watcher.locator(".move-list"), 4
    is_at_end = "list => list.scrollTop + list.clientHeight > list.scrollHeight - 9"
    for number in range(1, scrolled_up + 2):
        make_move(mine)
        expect_ply(watcher, number)
        assert moves.evaluate(is_at_end) == (number <= scrolled_up)
        if number == scrolled_up:
            moves.evaluate("list => { list.scrollTop = 0 }")


def test_an_open_qr_code_stays_open_when_another_player_joins(
    new_context: NewContext,
) -> None:
    rules = next(rules for rules in all_rules().values() if len(seat_keys(rules)) > 2)
    first, second, *_, last = seat_keys(rules)
    host, guest = new_context().new_page(), new_context().new_page()
    set_up_game(host, rules.slug, dict.fromkeys(seat_keys(rules), "invite") | {first: "me"}, {})
    invite = host.locator(".invite", has=host.locator(f"#link-{last}"))
    invite.locator("button[popovertarget]").first.click()
    code = host.locator(f"#qr-{last}")
    expect(code.locator("img")).to_be_visible()
    host.locator(f"#link-{last}").focus()
    secret = host.locator(f"#link-{last}").input_value()
    guest.goto(host.locator(f"#link-{second}").input_value())
    guest.locator("form.field button").click()
    expect(host.locator(f"#links #link-{second}")).to_have_count(0)
    expect(code.locator("img")).to_be_visible()
    expect(host.locator(f"#link-{last}")).to_be_focused()
    expect(host.locator(f"#link-{last}")).to_have_value(secret)


def test_open_further_invitations_stay_open_when_another_player_joins(
    new_context: NewContext,
) -> None:
    rules = all_rules()[kinds_with_shared_seats()[0]]
    first, *others = seat_keys(rules)
    team = next(spec.key for spec in default_specs(rules) if spec.shared and spec.key in others)
    other = next(key for key in others if key != team)
    host = new_context().new_page()
    set_up_game(host, rules.slug, dict.fromkeys(others, "invite") | {first: "me"}, {})
    further = host.locator(f"#more-links #link-{team}")
    for key in (team, other):
        guest = new_context().new_page()
        guest.goto(host.locator(f"#links #link-{key}").input_value())
        guest.locator("form.field button").click()
        expect(host.locator(f"#links #link-{key}")).to_have_count(0)
        if key == team:
            show_more(host)
            host.locator("#more-links summary").first.click()
        expect(further).to_be_visible()


def test_a_typed_move_that_could_not_be_sent_stays_in_its_field(new_context: NewContext) -> None:
    page = new_context().new_page()
    start_solo_game(page, two_player_rules().slug)
    page.route("**/move/", lambda route: route.abort())
    show_more(page)
    page.locator("#typed-move").fill("whatever")
    page.locator("#typed button").click()
    # The next heartbeat says that the connection is there.
    expect(page.locator(":is(#lost, #offline):visible")).not_to_have_count(0)
    expect(page.locator("#typed-move")).to_have_value("whatever")


def test_the_board_does_not_shift_when_the_connection_is_lost(new_context: NewContext) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    start_solo_game(page, two_player_rules().slug)
    before = page.locator("#board").bounding_box()
    page.route("**/move/", lambda route: route.abort())
    show_more(page)
    make = page.locator("#typed-move")
    make.fill("whatever")
    make.press("Enter")
    # The next heartbeat says that the connection is there.
    expect(page.locator(":is(#lost, #offline):visible")).not_to_have_count(0)
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("#board").bounding_box() == before


def test_a_browser_without_a_stream_polls_for_the_board(new_context: NewContext) -> None:
    mine, watcher = new_context().new_page(), new_context().new_page()
    start_solo_game(mine, two_player_rules().slug)
    watcher.route("**/events/**", lambda route: route.abort("connectionreset"))
    watcher.goto(mine.url)
    make_move(mine)
    expect_ply(watcher, 1)
    expect(watcher.locator("#offline")).to_be_hidden()
