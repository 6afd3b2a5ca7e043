"""Games that are closed while watchers have them open."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.support.browser.accessibility import faults_in_all_looks
from tests.support.browser.play import TIMEOUT_MS, NewContext, open_page_per_seat, show_more
from tests.support.kinds import seat_keys, two_player_rules


def test_watchers_lose_the_board_at_once_when_the_host_closes_the_game(
    new_context: NewContext,
) -> None:
    rules = two_player_rules()
    first, second = seat_keys(rules)
    pages = open_page_per_seat(new_context, rules.slug, [first, second])
    host, player, watcher = pages[first], pages[second], new_context().new_page()
    watcher.set_default_timeout(TIMEOUT_MS)
    with watcher.expect_request("**/events/**"):
        watcher.goto(urlsplit(host.url).path)
    expect(watcher.locator("#board")).to_be_visible()
    show_more(host)
    host.locator("#b-watchers").press("Enter")
    expect(watcher.get_by_text("This game is private.")).to_be_visible()
    expect(watcher.locator("#board")).to_have_count(0)
    expect(host.locator("#watch")).to_have_count(0)
    expect(player.locator("#board .game-banner")).to_have_text(re.compile("private"))
    assert faults_in_all_looks(watcher) + faults_in_all_looks(host) == []
    show_more(host)
    host.locator("#b-watchers").press("Enter")
    expect(host.locator("#watch")).to_have_count(1)
    watcher.reload()
    expect(watcher.locator("#board")).to_be_visible()
