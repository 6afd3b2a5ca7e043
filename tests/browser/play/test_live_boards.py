"""Boards that follow their game without a reload, in one or several browsers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.support.browser.page_spies import open_streams, set_hidden, tones, wait_until
from tests.support.browser.play import (
    NewContext,
    claim_seat,
    expect_ply,
    make_move,
    offer_seat,
    show_more,
    shown_ply,
    start_game,
)
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.servers.site_process import query_database


def test_a_move_appears_in_another_browser_without_a_reload(visit, site):
    mine = visit()
    watcher = visit(start_game(mine, site))
    watcher.evaluate("window.same = true")
    for _ in range(2):
        make_move(mine)
        expect_ply(watcher, shown_ply(mine))
        expect(watcher.locator("#status")).to_have_text(re.compile(r"\w"))
        expect(watcher).to_have_title(mine.title().removeprefix("● "))
    assert watcher.evaluate("window.same")
    assert watcher.locator("#board").count() == 1


def test_focus_stays_on_the_board_when_another_player_moves(visit, site):
    mine = visit()
    watcher = visit(start_game(mine, site))
    watcher.locator("#c-1-1").focus()
    make_move(mine)
    expect_ply(watcher, shown_ply(mine))
    expect(watcher.locator("#c-1-1")).to_be_focused()


COME_BACK = """() => {
    const before = streams.length;
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    return streams.length - before;
}"""


def test_a_page_that_back_restores_asks_for_the_newest_board_at_once(visit, site):
    mine = visit()
    watcher = visit(start_game(mine, site))
    wait_until(watcher, lambda: open_streams(watcher) == 1)
    # The browser has cut the stream of a page that it put aside, without telling the page.
    watcher.evaluate("streams.at(-1).close()")
    assert watcher.evaluate(COME_BACK) == 1
    make_move(mine)
    expect_ply(watcher, 1)


def test_back_asks_for_the_newest_board_before_it_opens_a_stream(visit, site):
    mine = visit()
    watcher = visit(start_game(mine, site))
    watcher.goto(site)
    make_move(mine)
    asked: list[str] = []
    watcher.on(
        "request", lambda request: asked.append(request.url.rpartition("?")[0] or request.url)
    )
    watcher.route("**/events/**", lambda route: route.abort())
    watcher.go_back()
    expect_ply(watcher, 1)
    (first, *_) = [url for url in asked if url.endswith(("/board/", "/events/"))]
    assert first.endswith("/board/")


def test_a_hidden_tab_has_no_stream_and_shows_the_newest_board_when_visible(visit, site):
    mine = visit()
    watcher = visit(start_game(mine, site))
    wait_until(watcher, lambda: open_streams(watcher) == 1)
    set_hidden(watcher, True)
    assert open_streams(watcher) == 0
    make_move(mine)
    watcher.wait_for_timeout(300)
    assert shown_ply(watcher) == 0
    set_hidden(watcher, False)
    expect_ply(watcher, 1)


def test_the_title_of_a_hidden_tab_marks_the_players_turn(visit, site):
    mine, friend = visit(), visit()
    start_game(mine, site, others="invite")
    claim_seat(friend, mine)
    make_move(mine)
    mine.clock.install()
    mine.reload()
    set_hidden(mine, True)
    make_move(friend)
    # The move is shown before the server has it, and this clock asks the server once.
    expect(friend.locator("#board:not(.waits)")).to_have_count(1)
    assert not mine.title().startswith("●")
    mine.clock.fast_forward(21_000)
    expect(mine).to_have_title(re.compile("^● "))
    assert open_streams(mine) == 0


def test_ten_tabs_of_one_browser_all_show_the_newest_board(visit, site):
    first = visit()
    address = start_game(first, site)
    tabs = [first]
    for _ in range(9):
        set_hidden(tabs[-1], True)
        tabs.append(first.context.new_page())
        tabs[-1].goto(address)
    make_move(tabs[-1])
    set_hidden(tabs[-1], True)
    for tab in tabs:
        set_hidden(tab, False)
        expect_ply(tab, 1)
        set_hidden(tab, True)


@pytest.mark.parametrize("status", [404, 429])
def test_a_page_polls_where_streams_are_refused(visit, site, status):
    def refuse(route: Route) -> None:
        route.fulfill(status=status)

    mine = visit()
    address = start_game(mine, site)
    watcher = visit()
    watcher.route("**/events/*", refuse)
    watcher.goto(address)
    for _ in range(2):
        make_move(mine)
        expect_ply(watcher, shown_ply(mine))
    expect(watcher.locator("#offline")).to_be_hidden()


def test_your_turn_is_shown_by_the_icon_and_by_a_sound_if_sounds_are_on(visit, site):
    mine, other = visit(), visit()
    start_game(mine, site, others="invite")
    other.goto(f"{site}/settings/")
    other.locator("label:has([name=sound][value=on])").click()
    other.locator(".setup-form button.big").click()
    claim_seat(other, mine)
    assert "turn" not in other.locator("#icon").get_attribute("href")
    make_move(mine)
    expect(other.locator("#board.my-turn")).to_be_visible()
    assert "turn" in other.locator("#icon").get_attribute("href")
    wait_until(other, lambda: tones(other) == [520, 700])
    assert tones(mine) == []
    expect(mine.locator("#icon")).not_to_have_attribute("href", re.compile("turn"))


def delete_game(data: Path, game_id: str) -> None:
    """Delete a game that has no moves, as the admin does."""
    seats = "SELECT id FROM games_seat WHERE game_id = ?"
    query_database(data, f"DELETE FROM games_holder WHERE seat_id IN ({seats})", game_id)
    query_database(data, "DELETE FROM games_seat WHERE game_id = ?", game_id)
    query_database(data, "DELETE FROM games_game WHERE id = ?", game_id)


def test_the_open_page_of_a_deleted_game_leads_to_the_games(visit, site, site_data):
    mine = visit()
    address = start_game(mine, site)
    wait_until(mine, lambda: open_streams(mine) == 1)
    delete_game(site_data, address.rstrip("/").split("/")[-1])
    expect(mine.get_by_role("link", name="All games")).to_be_visible()


def test_a_device_whose_seat_moved_to_another_says_so_and_accepts_no_move(
    site: str, new_context: NewContext
) -> None:
    old, new = new_context().new_page(), new_context().new_page()
    start_game(old, site, others="invite")
    show_more(old)
    expect(old.locator("#typed-move")).to_be_visible()
    offer_seat(old, seat_keys(two_player_rules())[0])
    link = old.locator(".invite", has_text="open this link on your other device").locator(
        "input.link"
    )
    new.goto(link.input_value())
    new.locator("main form button.big").click()
    expect(new.locator("#board .seat.mine")).to_have_count(1)
    expect(old.locator("#board .seat.mine")).to_have_count(0)
    expect(old.locator("#links")).to_contain_text("This device no longer has this seat.")
    expect(old.locator("#links")).not_to_contain_text("open this link on your other device")
    expect(old.get_by_role("status")).to_contain_text("no longer has")
    expect(old.locator("#typed-move")).to_be_hidden()
