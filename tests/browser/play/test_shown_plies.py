"""The plies of others are shown one by one, in order, and a win is celebrated."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import Page, expect

from games.core.registry import all_rules
from tests.support.browser.page_spies import open_streams, set_hidden, wait_until
from tests.support.browser.play import (
    expect_ply,
    is_over,
    make_move,
    make_moves,
    open_page_per_seat,
    set_up_game,
    shown_ply,
    start_game,
)
from tests.support.kinds import default_specs, one_step_rules_with_hints, three_player_options
from tests.support.random_games import Variant, play_randomly
from tests.support.repeats import SOAK

PAUSE_MS = 600

RECORD_PLIES = """
window.shown = [[Number(board.dataset.ply), performance.now()]];
new MutationObserver(() => {
  const ply = Number(document.getElementById("board").dataset.ply);
  if (ply !== window.shown.at(-1)[0]) window.shown.push([ply, performance.now()]);
}).observe(document.getElementById("board"), { attributes: true });
"""


def record_plies(page: Page) -> None:
    """Record from now on when the page shows which ply."""
    page.evaluate(RECORD_PLIES)


def recorded_plies(page: Page) -> list[int]:
    """Return the plies in the order in which the page has shown them."""
    return [ply for ply, _ in page.evaluate("window.shown")]


def shortest_pause(page: Page) -> float:
    """Return the shortest time between two plies, from the first on, in milliseconds."""
    times = [time for ply, time in page.evaluate("window.shown") if ply]
    return min(after - before for before, after in pairwise(times))


def delay_plies(page: Page) -> None:
    """Let the next ply of another player wait for a minute."""
    page.evaluate("document.getElementById('board').dataset.pause = 60000")


def watch(visit, address: str) -> Page:
    """Return a spectator's page with an open stream."""
    watcher = visit(address)
    wait_until(watcher, lambda: open_streams(watcher) == 1)
    return watcher


def test_the_plies_of_two_computers_are_shown_in_order_and_apart(visit, site):
    rules, options = three_player_options()
    mine = visit(f"{site}/")
    seats = [spec.key for spec in rules.seats({**rules.clean({}), **options})]
    seating = dict.fromkeys(seats, "computer-1") | {seats[0]: "me"}
    set_up_game(mine, rules.slug, seating, {name: str(n) for name, n in options.items()})
    record_plies(mine)
    make_move(mine)
    expect_ply(mine, 3)
    assert recorded_plies(mine) == [0, 1, 2, 3]
    assert shortest_pause(mine) >= PAUSE_MS - 1


def test_missed_plies_are_shown_in_order_and_apart(visit, site):
    mine = visit()
    watcher = watch(visit, start_game(mine, site))
    record_plies(watcher)
    set_hidden(watcher, True)
    make_moves(mine, 3)
    set_hidden(watcher, False)
    expect_ply(watcher, 3)
    assert recorded_plies(watcher) == [0, 1, 2, 3]
    assert shortest_pause(watcher) >= PAUSE_MS - 1


def test_a_page_that_missed_many_plies_shows_the_newest_at_once(visit, site):
    mine = visit()
    watcher = watch(visit, start_game(mine, site, one_step_rules_with_hints().slug))
    record_plies(watcher)
    set_hidden(watcher, True)
    make_moves(mine, 13)
    set_hidden(watcher, False)
    expect_ply(watcher, 13)
    assert recorded_plies(watcher) == [0, 13]


def test_a_missed_ply_that_cannot_be_fetched_is_skipped(visit, site):
    mine = visit()
    watcher = watch(visit, start_game(mine, site))
    watcher.route("**/board/?ply=*", lambda route: route.abort())
    set_hidden(watcher, True)
    make_moves(mine, 2)
    set_hidden(watcher, False)
    expect_ply(watcher, 2)


def test_a_page_that_is_hidden_shows_the_waiting_ply_at_once(visit, site):
    mine = visit()
    watcher = watch(visit, start_game(mine, site))
    delay_plies(watcher)
    make_move(mine)
    watcher.wait_for_timeout(300)
    assert shown_ply(watcher) == 0
    set_hidden(watcher, True)
    expect_ply(watcher, 1)


def test_a_players_own_move_is_shown_without_a_pause(visit, site):
    mine = visit()
    start_game(mine, site)
    delay_plies(mine)
    make_move(mine)
    delay_plies(mine)
    make_move(mine)
    expect_ply(mine, 2)


MOTION = "document.getAnimations().map(({ animationName }) => animationName).filter(Boolean)"


@pytest.mark.parametrize("slug", list(all_rules())[:: 1 if SOAK else 2])
def test_a_win_is_celebrated_for_the_winner_alone(new_context, slug):
    specs = default_specs(all_rules()[slug])
    pages = open_page_per_seat(new_context, slug, [spec.key for spec in specs])
    opponent = next(spec for spec in specs if spec.side != specs[0].side)
    loser, winner = pages[specs[0].key], pages[opponent.key]
    loser.locator("#b-resign").evaluate("button => button.click()")
    expect(loser.locator("#board.is-lost")).to_be_visible()
    assert not [name for name in loser.evaluate(MOTION) if name.startswith("win-")]
    expect(winner.locator("#board.is-won")).to_be_visible()
    assert "gradient" in winner.locator(".result").evaluate(
        "result => getComputedStyle(result).backgroundImage"
    )
    assert (
        loser.locator(".result").evaluate("result => getComputedStyle(result).backgroundImage")
        == "none"
    )


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_the_winning_cells_are_ringed_and_move_unless_motion_is_reduced(visit, site, motion, moves):
    page = visit(reduced_motion=motion)
    rules = one_step_rules_with_hints()
    played = play_randomly(Variant(rules, rules.clean({})).start(), Random(1))
    start_game(page, site, rules.slug, moves=[move for _seat, move in played[:-1]])
    page.evaluate("window.names = new Set()")
    page.evaluate(
        "document.addEventListener('animationstart', event => names.add(event.animationName))"
    )
    while not is_over(page):
        make_move(page)
    expect(page.locator("#board .mark-won")).not_to_have_count(0)
    page.wait_for_timeout(300)
    assert page.evaluate("names.has('win-ring')") == moves
