"""An absent player: the opponent claims the win or lets a computer play."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.accessibility import faults_in_all_looks
from tests.support.browser.play import MOVE_BUTTON, NewContext, open_page_per_seat
from tests.support.kinds import one_step_rules_with_hints, seat_keys
from tests.support.servers.site_process import query_database

LONG_AGO = str(datetime.now(UTC) - timedelta(days=60))
"""Before all limits of absence; a game that rests for a year is removed by the site."""


@pytest.fixture
def waiting(new_context: NewContext, site_data: Path) -> Page:
    """Return the page of a player who has waited for the opponent for two months."""
    rules = one_step_rules_with_hints()
    first, second = seat_keys(rules)[:2]
    page = open_page_per_seat(new_context, rules.slug, [first, second])[first]
    page.locator(MOVE_BUTTON).first.press("Enter")
    expect(page.locator("#board")).to_have_attribute("data-ply", "1")
    game = page.url.split("/g/")[1].strip("/")
    # Another version, since a site keeps the row of a version that it has read.
    change = "UPDATE games_game SET updated = ?, version = version + 1 WHERE id = ?"
    query_database(site_data, change, LONG_AGO, game)
    page.reload()
    expect(page.locator("#b-claim")).to_be_visible()
    return page


def test_the_win_is_claimed_by_keyboard(waiting: Page) -> None:
    waiting.locator("#b-claim").press("Enter")
    expect(waiting.locator("#board .result")).to_be_visible()
    expect(waiting.locator("#b-claim")).to_have_count(0)


def test_a_computer_takes_the_absent_seat(waiting: Page) -> None:
    waiting.locator("#b-computer").press("Enter")
    expect(waiting.locator("#board")).to_have_attribute("data-ply", "2")
    expect(waiting.locator("#b-claim")).to_have_count(0)


def test_an_absent_player_is_reminded_by_keyboard(waiting: Page) -> None:
    found = faults_in_all_looks(waiting)
    waiting.locator("#b-remind").press("Enter")
    expect(waiting.locator("#board .asking .notes")).to_have_text("Reminder sent.")
    expect(waiting.locator("#board .game-banner")).to_contain_text("to move.")
    expect(waiting.locator("#b-remind")).to_have_count(0)
    expect(waiting.locator("#b-claim")).to_be_visible()
    assert found + faults_in_all_looks(waiting) == []
