"""The behaviour in which browsers differ, in Firefox."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.core.registry import all_rules
from scripts.firefox import find
from tests.support.browser.firefox import Firefox, start_firefox
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.servers.http_client import HTTPClient

KIND = two_player_rules().slug
SHOWN = "document.getElementById('board')"
OFFLINE = "document.getElementById('offline').checkVisibility()"
LONGEST = 150
"""More moves than any of these games has."""
OVER = "!!document.querySelector('#board.over')"
PLY = f"{SHOWN}?.dataset.ply === String(arguments[0])"
# Chooses as `next_step_button` of the tests in Chromium does.
NEXT = """(() => {
  const visible = (selector) =>
    [...document.querySelectorAll(selector)].find((found) => found.checkVisibility());
  const reveal = visible("#b-reveal");
  if (reveal) return reveal;
  const { chosen } = document.getElementById("board").dataset;
  const more = chosen ? `[value^='${chosen} ']` : ":not(#b-back)";
  return (
    visible(
      `#board button:is([name=move], [name=mark], [name=chosen]${more}):not([aria-disabled=true])`,
    ) ??
    visible(".secret-screen a") ??
    visible(".hand-over > button:not(.quiet)")
  );
})()"""
LOOK = f"[{SHOWN}.outerHTML, location.href, !!document.querySelector('.secret-screen a')].join()"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Run one Firefox for all these tests."""
    path = find()
    if path is None:
        stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        stop("there is no Firefox: run `python -m scripts.firefox` for help")
    with start_firefox(path, Path(tmp_path_factory.mktemp("firefox"))) as found:
        yield found


def begin(firefox: Firefox, site: str, slug: str, opponent: str = "device") -> str:
    """Begin a game with one click on the front page, and return its address."""
    firefox.open(site)
    firefox.click(f"form[action='/new/{slug}/start/'] button[value={opponent}]")
    firefox.wait_for("document.querySelector('#board, #lobby')")
    firefox.wait_for("document.readyState === 'complete'")
    address: str = firefox.ask("location.href")
    return address


def click_next(firefox: Firefox) -> None:
    """Click the next step, and wait until the page shows it. Do nothing if the game is over, which
    the page may show a moment after the last move."""
    firefox.wait_for(f"{NEXT} || {OVER}")
    before, button = firefox.ask(LOOK), firefox.ask(NEXT)
    if button is None:
        return
    try:
        firefox.click_on(button)
    except RuntimeError as error:
        # A new board came between the look and the click, and replaced the button or hid it.
        if "stale" not in str(error) and "scrolled into view" not in str(error):
            raise
    firefox.wait_for(f"{LOOK} !== arguments[0]", before)


def choose_all_but_last_step(firefox: Firefox) -> None:
    """Click until the next step makes the move."""
    firefox.wait_for(NEXT)
    while firefox.ask(f"{NEXT}.name") != "move":
        click_next(firefox)


@pytest.mark.parametrize("slug", all_rules())
def test_a_whole_game_of_every_kind_is_played_by_clicks(
    firefox: Firefox, site: str, slug: str
) -> None:
    begin(firefox, site, slug)
    firefox.ask("window.faults = [], addEventListener('error', (e) => faults.push(e.message))")
    while not firefox.ask(OVER):
        assert int(firefox.ask(f"{SHOWN}.dataset.ply")) < LONGEST
        click_next(firefox)
    firefox.wait_for("document.querySelector('#board .result').checkVisibility()")
    assert firefox.ask("window.faults") == []


def test_a_move_made_offline_is_sent_by_itself_after_the_reconnect(
    firefox: Firefox, site: str
) -> None:
    begin(firefox, site, KIND)
    choose_all_but_last_step(firefox)
    firefox.ask("window.same = true")
    with firefox.cut_network():
        firefox.click_on(firefox.ask(NEXT))
        firefox.wait_for(OFFLINE)
    firefox.wait_for(PLY, 1)
    firefox.wait_for(f"!{OFFLINE}")
    assert firefox.ask("window.same")


def test_a_board_follows_again_after_the_reconnect(firefox: Firefox, site: str) -> None:
    address = begin(firefox, site, KIND)
    firefox.ask("window.same = true")
    with firefox.cut_network():
        firefox.wait_for(OFFLINE)
    first = firefox.new_tab()
    firefox.open(address)
    while not firefox.ask(PLY, 1):
        click_next(firefox)
    firefox.close_tab(first)
    firefox.wait_for(PLY, 1)
    assert firefox.ask("window.same")


def invitation(site: str) -> str:
    """Return the link to the free seat of a new game of another visitor."""
    first, second = seat_keys(two_player_rules())
    host = HTTPClient(site)
    host.get(f"/new/{KIND}/")
    seating = {f"seat-{first}": "me", f"seat-{second}": "invite", "lobby": ""}
    page = host.post(f"/new/{KIND}/", seating).text
    return site + re.findall(r"/join/[0-9a-f]{32}/", page)[0]


def test_a_double_click_of_a_new_browser_takes_the_seat(firefox: Firefox, site: str) -> None:
    firefox.open(site)
    firefox.forget()
    firefox.open(invitation(site))
    firefox.double_click("main form button.big", 60)
    firefox.wait_for("document.querySelector('#board') && document.querySelector('.mine')")
    assert "/g/" in firefox.ask("location.pathname")


def test_back_shows_the_newest_board(firefox: Firefox, site: str) -> None:
    address = begin(firefox, site, KIND)
    firefox.open(f"{site}/rules/{KIND}/")
    first = firefox.new_tab()
    firefox.open(address)
    while not firefox.ask(PLY, 1):
        click_next(firefox)
    firefox.close_tab(first)
    firefox.back()
    firefox.wait_for(PLY, 1)
