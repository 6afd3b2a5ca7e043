"""Presence on pages: a dot beside each other player, and the number of watchers."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser.play import NewContext, open_page_per_seat
from tests.support.kinds import seat_keys, two_player_rules


def test_a_player_is_shown_as_here_while_the_board_is_open(new_context: NewContext) -> None:
    rules = two_player_rules()
    first, second = seat_keys(rules)
    pages = open_page_per_seat(new_context, rules.slug, [first, second])
    owner, other = pages[first], pages[second]
    dot = owner.locator(f"#board [data-seat={second}]")
    expect(dot).to_have_attribute("data-here", "true")
    expect(dot.locator(".seat-player")).to_have_attribute("title", "looks at the board")
    expect(owner.locator(f"#board [data-seat={first}]")).not_to_have_attribute("data-here", "true")
    expect(owner.locator("#watching")).to_be_hidden()
    other.context.close()
    expect(dot).to_have_attribute("data-here", "false")
    expect(dot.locator(".seat-player")).to_have_attribute("title", "is away")


def test_watchers_are_counted_without_names(new_context: NewContext) -> None:
    rules = two_player_rules()
    first, second = seat_keys(rules)
    owner = open_page_per_seat(new_context, rules.slug, [first, second])[first]
    address = owner.url.split("?")[0]
    watchers = [new_context(locale="nl").new_page() for _ in range(2)]
    for watcher in watchers:
        watcher.goto(address)
    expect(owner.locator("#watching")).to_have_text("Watching: 2")
    expect(watchers[0].locator("#watching")).to_have_text(re.compile("Kijkers: 2"))
    watchers[1].close()
    expect(owner.locator("#watching")).to_have_text("Watching: 1")
