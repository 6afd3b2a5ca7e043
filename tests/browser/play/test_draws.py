"""Draws by agreement between two browsers: offered, accepted and declined by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.core.registry import all_rules
from tests.support.browser.accessibility import faults_in_all_looks
from tests.support.browser.play import NewContext, open_page_per_seat
from tests.support.kinds import seat_keys


@pytest.fixture
def players(new_context: NewContext) -> tuple[Page, Page]:
    """Return the pages of two players of a game that knows draws by agreement."""
    rules = next(rules for rules in all_rules().values() if rules.draws)
    first, second = seat_keys(rules)[:2]
    pages = open_page_per_seat(new_context, rules.slug, [first, second])
    return pages[first], pages[second]


def offer_draw(page: Page) -> None:
    page.locator("#b-menu").press("Enter")
    page.locator("#b-offer-draw").press("Enter")
    expect(page.locator("#b-cancel-draw")).to_be_visible()
    # The menu would cover the offer on a phone.
    expect(page.locator(":popover-open")).to_have_count(0)


def test_an_accepted_offer_ends_the_game_on_both_screens(players: tuple[Page, Page]) -> None:
    owner, opponent = players
    offer_draw(owner)
    opponent.locator("#b-yes-draw").press("Enter")
    for page in players:
        expect(page.locator("#board .result")).to_contain_text("Draw")


def test_a_declined_offer_is_gone_on_both_screens(players: tuple[Page, Page]) -> None:
    owner, opponent = players
    offer_draw(owner)
    expect(opponent.locator(".asking")).to_be_visible()
    assert faults_in_all_looks(owner) + faults_in_all_looks(opponent) == []
    opponent.locator("#b-no-draw").press("Enter")
    expect(owner.locator("#b-cancel-draw")).to_have_count(0)
    expect(opponent.locator("#b-yes-draw")).to_have_count(0)
    expect(owner.locator("#board .result")).to_have_count(0)
