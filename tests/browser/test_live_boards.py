"""Boards that follow the game, in real browsers: without a reload, through lost connections,
sleeping tabs and servers that come back."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from games.registry import all_rules
from tests.support.browser_play import next_step_button
from tests.support.site_process import Site, query_database, share_static

SOON = 15_000
"""Milliseconds that a test waits for what is bound to come."""

# A page keeps its streams, its beats and its sounds where a test can count them, and is as
# hidden as the test says: a headless browser shows all its tabs at once.
WATCHED = """
window.streams = []; window.beats = 0; window.sounds = 0; window.asleep = false;
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    window.streams.push(this);
    this.addEventListener("beat", () => { window.beats++; });
  }
};
window.AudioContext = class extends AudioContext {
  constructor() { super(); window.sounds++; }
};
Object.defineProperty(document, "hidden", { get: () => window.asleep });
"""
OPEN = "streams.filter(stream => stream.readyState === 1).length"
NewContext = Callable[..., BrowserContext]


@pytest.fixture
def visit(new_context: NewContext) -> Callable[..., Page]:
    """Opens a browser of its own, for another visitor."""

    def visit(address: str = "", **how: Any) -> Page:
        context = new_context(**how)
        context.add_init_script(WATCHED)
        page = context.new_page()
        page.set_default_timeout(SOON)
        if address:
            page.goto(address)
        return page

    return visit


def plain_kinds() -> list[str]:
    """The kinds of game whose seats all see the same."""
    return [
        slug
        for slug, rules in all_rules().items()
        if not any(spec.secret for spec in rules.seats(rules.clean({})))
    ]


def start(page: Page, site: str, slug: str = "", *, others: str = "me") -> str:
    """Set up a game with the first seat on this device and the others as told."""
    page.goto(f"{site}/new/{slug or plain_kinds()[0]}/")
    for number, seat in enumerate(page.locator(".seat-setup select:visible").all()):
        seat.select_option(others if number else "me")
    page.locator(".setup-form button.big").click()
    expect(page.locator("#board")).to_be_visible()
    page.wait_for_load_state()
    return page.url.split("?")[0]


def sit_down(page: Page, host: Page) -> None:
    """Take the seat that the host's page invites to."""
    page.goto(host.locator("#links input.link").first.input_value())
    page.locator("main form button.big").click()
    expect(page.locator("#board")).to_be_visible()


def board(page: Page, **data: str) -> Locator:
    """The board, if its data are these."""
    return page.locator(
        "#board" + "".join(f'[data-{key}="{value}"]' for key, value in data.items())
    )


def click_a_step(page: Page) -> None:
    """Click, and wait until the answer stands on the board: a next click would meet the old one."""
    page.evaluate(
        "delete document.body.dataset.settled; document.addEventListener("
        "'htmx:afterSettle', () => { document.body.dataset.settled = 'yes' }, {once: true})"
    )
    next_step_button(page).click()
    expect(page.locator("body")).to_have_attribute("data-settled", "yes")


def ply_of(page: Page) -> str:
    return page.locator("#board").get_attribute("data-ply") or ""


def make_a_move(page: Page) -> str:
    """Click until a move is made, and give the ply."""
    before = ply_of(page)
    for _ in range(5):
        if ply_of(page) == before:
            click_a_step(page)
    assert ply_of(page) != before
    return ply_of(page)


def has_ply(page: Page, ply: str) -> None:
    expect(board(page, ply=ply)).to_be_visible(timeout=SOON)


def count(page: Page, what: str) -> int:
    return int(page.evaluate(what))


def wait_for(page: Page, true: Callable[[], bool]) -> None:
    for _ in range(SOON // 50):
        if true():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never came")


def sleep(page: Page, asleep: bool) -> None:
    page.evaluate("asleep => { window.asleep = asleep }", asleep)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_move_appears_in_another_browser_without_a_reload(visit, site):
    mine = visit()
    watcher = visit(start(mine, site))
    watcher.evaluate("window.same = true")
    for _ in range(2):
        has_ply(watcher, make_a_move(mine))
        expect(watcher.locator("#status")).to_have_text(re.compile(r"\w"))
        expect(watcher).to_have_title(mine.title().removeprefix("● "))
    assert watcher.evaluate("window.same")
    assert watcher.locator("#board").count() == 1


def test_focus_stays_on_the_board_when_another_player_moves(visit, site):
    mine = visit()
    watcher = visit(start(mine, site))
    watcher.locator("#c-1-1").focus()
    has_ply(watcher, make_a_move(mine))
    expect(watcher.locator("#c-1-1")).to_be_focused()


def test_a_hidden_tab_has_no_stream_and_shows_the_newest_board_when_visible(visit, site):
    mine = visit()
    watcher = visit(start(mine, site))
    wait_for(watcher, lambda: count(watcher, OPEN) == 1)
    sleep(watcher, True)
    assert count(watcher, OPEN) == 0
    ply = make_a_move(mine)
    watcher.wait_for_timeout(300)
    assert board(watcher, ply="0").count() == 1
    sleep(watcher, False)
    has_ply(watcher, ply)


def test_the_title_of_a_hidden_tab_marks_the_players_turn(visit, site):
    mine, friend = visit(), visit()
    start(mine, site, others="invite")
    sit_down(friend, mine)
    make_a_move(mine)
    mine.clock.install()
    mine.reload()
    sleep(mine, True)
    make_a_move(friend)
    assert not mine.title().startswith("●")
    mine.clock.fast_forward(21_000)
    expect(mine).to_have_title(re.compile("^● "))
    assert count(mine, OPEN) == 0


def test_ten_tabs_of_one_browser_all_show_the_newest_board(visit, site):
    first = visit()
    address = start(first, site)
    tabs = [first]
    for _ in range(9):
        sleep(tabs[-1], True)
        tabs.append(first.context.new_page())
        tabs[-1].goto(address)
    ply = make_a_move(tabs[-1])
    sleep(tabs[-1], True)
    for tab in tabs:
        sleep(tab, False)
        has_ply(tab, ply)
        sleep(tab, True)


@pytest.mark.parametrize("status", [404, 429])
def test_a_page_polls_where_streams_are_refused(visit, site, status):
    def refuse(route: Route) -> None:
        route.fulfill(status=status)

    mine = visit()
    address = start(mine, site)
    watcher = visit()
    watcher.route("**/events/*", refuse)
    watcher.goto(address)
    for _ in range(2):
        has_ply(watcher, make_a_move(mine))
    expect(watcher.locator("#offline")).to_be_hidden()


def two_steps(page: Page, site: str, others: str) -> str:
    """A game whose moves are chosen in steps, with one of them chosen."""
    for slug in plain_kinds():
        address = start(page, site, slug, others=others)
        if next_step_button(page).get_attribute("name") == "chosen":
            click_a_step(page)
            return address
    raise LookupError("no game has moves of several steps")


def test_a_half_chosen_move_outlives_a_heartbeat(visit, site):
    mine = visit()
    two_steps(mine, site, "me")
    chosen = mine.locator("#board").get_attribute("data-chosen")
    beats = count(mine, "beats")
    wait_for(mine, lambda: count(mine, "beats") > beats)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_a_half_chosen_move_outlives_a_player_who_joins(visit, site):
    mine, other = visit(), visit()
    two_steps(mine, site, "invite")
    chosen = mine.locator("#board").get_attribute("data-chosen")
    version = mine.locator("#board").get_attribute("data-version")
    sit_down(other, mine)
    expect(mine.locator(f"#board:not([data-version='{version}'])")).to_be_visible(timeout=SOON)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_a_half_chosen_move_outlives_the_late_response_to_the_move_before(visit, site):
    mine, held = visit(), []

    def hold(route: Route) -> None:
        held.append((route, route.fetch()))

    two_steps(mine, site, "me")
    mine.route("**/move/", hold)
    while next_step_button(mine).get_attribute("name") == "chosen":
        click_a_step(mine)
    next_step_button(mine).click()
    has_ply(mine, "1")
    click_a_step(mine)
    chosen = mine.locator("#board").get_attribute("data-chosen")
    assert chosen
    with mine.expect_event("requestfinished"):
        held[0][0].fulfill(response=held[0][1])
    mine.wait_for_timeout(300)
    expect(mine.locator("#board")).to_have_attribute("data-chosen", chosen)


def test_your_turn_is_shown_by_the_icon_and_told_by_a_sound_if_it_is_on(visit, site):
    mine, other = visit(), visit()
    start(mine, site, others="invite")
    other.goto(f"{site}/settings/")
    other.locator("label:has([name=sound][value=on])").click()
    other.locator(".setup-form button.big").click()
    sit_down(other, mine)
    assert "turn" not in other.locator("#icon").get_attribute("href")
    make_a_move(mine)
    expect(other.locator("#board.my-turn")).to_be_visible(timeout=SOON)
    assert "turn" in other.locator("#icon").get_attribute("href")
    assert count(other, "sounds") == 1
    assert count(mine, "sounds") == 0
    expect(mine.locator("#icon")).not_to_have_attribute("href", re.compile("turn"))


# --- servers that go away -------------------------------------------------------------------


@pytest.fixture
def own_site(tmp_path: Path, site: str, site_data: Path) -> Iterator[Site]:
    """A site that a test may stop."""
    share_static(tmp_path, site_data)
    own = Site(tmp_path, "--computers", "0")
    yield own
    own.stop(signal.SIGKILL)


def test_open_pages_reconnect_to_a_server_that_was_killed_and_restarted(visit, own_site):
    mine = visit()
    address = own_site.start()
    watcher = visit(start(mine, address))
    wait_for(watcher, lambda: count(watcher, OPEN) == 1)
    own_site.stop(signal.SIGKILL)
    for page in (mine, watcher):
        expect(page.locator("#offline")).to_be_visible(timeout=SOON)
    own_site.start()
    for page in (mine, watcher):
        expect(page.locator("#offline")).to_be_hidden(timeout=SOON)
    has_ply(watcher, make_a_move(mine))


def test_the_open_page_of_a_deleted_game_leads_to_the_games(visit, site, site_data):
    mine = visit()
    address = start(mine, site)
    wait_for(mine, lambda: count(mine, OPEN) == 1)
    delete(site_data, address.rstrip("/").split("/")[-1])
    expect(mine.get_by_role("link", name="To the games")).to_be_visible(timeout=SOON)


def delete(data: Path, game_id: str) -> None:
    """Remove a game without a move, as the admin does."""
    seats = "SELECT id FROM games_seat WHERE game_id = ?"
    query_database(data, f"DELETE FROM games_holder WHERE seat_id IN ({seats})", game_id)
    query_database(data, "DELETE FROM games_seat WHERE game_id = ?", game_id)
    query_database(data, "DELETE FROM games_game WHERE id = ?", game_id)


def go_back(data: Path, moves: tuple[int, int]) -> None:
    """As a backup does that is restored: the only game stands at a ply and version again."""
    query_database(data, "DELETE FROM games_move WHERE ply > ?", moves[0])
    query_database(data, "UPDATE games_game SET ply = ?, version = ?", *moves)


def stand(data: Path) -> tuple[int, int]:
    """Ply and version of the only game."""
    (found,) = query_database(data, "SELECT ply, version FROM games_game")
    return found[0], found[1]


def test_open_pages_show_the_older_board_of_a_restored_backup(visit, own_site, tmp_path):
    mine = visit()
    watcher = visit(start(mine, own_site.start()))
    make_a_move(mine)
    backup = stand(tmp_path)
    for _ in range(2):
        has_ply(watcher, make_a_move(mine))
    own_site.stop()
    go_back(tmp_path, backup)
    own_site.start()
    for page in (mine, watcher):
        has_ply(page, "1")
    has_ply(watcher, make_a_move(mine))


def test_a_move_on_a_board_newer_than_the_restored_backup_is_refused(visit, own_site, tmp_path):
    mine = visit()
    mine.route("**/events/**", lambda route: route.abort())
    start(mine, own_site.start())
    make_a_move(mine)
    backup = stand(tmp_path)
    for _ in range(2):
        make_a_move(mine)
    own_site.stop()
    go_back(tmp_path, backup)
    own_site.start()
    mine.fill("#typed-move", "whatever")
    mine.press("#typed-move", "Enter")
    has_ply(mine, "1")
    expect(mine.locator("#typed .refused")).to_be_visible()


def test_missing_heartbeats_show_that_a_server_is_silent(visit, own_site):
    watcher = visit(start(visit(), own_site.start()))
    wait_for(watcher, lambda: count(watcher, "beats") > 0)
    own_site.process.send_signal(signal.SIGSTOP)
    expect(watcher.locator("#offline")).to_be_visible(timeout=SOON)
    own_site.process.send_signal(signal.SIGCONT)
    expect(watcher.locator("#offline")).to_be_hidden(timeout=SOON)


def test_a_device_whose_seat_moved_to_another_says_so_and_accepts_no_move(
    site: str, new_context: NewContext
) -> None:
    old, new = new_context().new_page(), new_context().new_page()
    start(old, site, others="invite")
    expect(old.locator("#typed-move")).to_be_visible()
    old.locator("#b-device").click()
    link = old.locator(".invite", has_text="open this on your other device").locator("input.link")
    new.goto(link.input_value())
    new.locator("main form button.big").click()
    expect(new.locator("#board .seat.mine")).to_have_count(1)
    expect(old.locator("#board .seat.mine")).to_have_count(0)
    expect(old.locator("#links")).to_contain_text("This seat has moved to another device.")
    expect(old.locator("#links")).not_to_contain_text("open this on your other device")
    expect(old.get_by_role("status")).to_contain_text("has moved")
    expect(old.locator("#typed-move")).to_be_hidden()
