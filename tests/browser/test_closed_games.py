"""Games that are closed to watchers while they look."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.test_axe import faults
from tests.support.browser_play import TIMEOUT_MS, NewContext, open_page_per_seat
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
    host.locator("#b-watchers").press("Enter")
    expect(watcher.get_by_text("This game is closed to watchers.")).to_be_visible()
    expect(watcher.locator("#board")).to_have_count(0)
    expect(host.locator("#watch")).to_have_count(0)
    expect(player.locator("#board .notice")).to_have_text(re.compile("closed to watchers"))
    host.locator("#b-watchers").press("Enter")
    expect(host.locator("#watch")).to_be_visible()
    watcher.reload()
    expect(watcher.locator("#board")).to_be_visible()


def test_the_page_of_a_closed_game_is_accessible(new_context: NewContext) -> None:
    found = []
    rules = two_player_rules()
    host = open_page_per_seat(new_context, rules.slug, seat_keys(rules)[:1])
    page = host[seat_keys(rules)[0]]
    page.locator("#b-watchers").press("Enter")
    expect(page.locator("#watch")).to_have_count(0)
    address = urlsplit(page.url).path
    for width, theme in ((320, "light"), (1280, "dark")):
        view = {"width": width, "height": 800}
        watcher = new_context(viewport=view, color_scheme=theme).new_page()
        watcher.goto(address)
        found += faults(watcher, f"watcher {width}")
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme="light" if theme == "light" else "dark")
        found += faults(page, f"host {width}")
    assert found == []
