"""Codenames on one shared device with spoken clues: the order in which the page asks players."""

from __future__ import annotations

import pytest

from tests.games.codenames.test_pages import BLUE_SPY, RED, RED_SPY, SEATS, page, play
from tests.games.codenames.test_shared_device import shared
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def host() -> Person:
    return new_person("Host")


def order(html: str, *marks: str) -> list[str]:
    """Return the marks in the order in which the page has them."""
    return sorted(marks, key=html.index)


def test_the_device_goes_to_the_spymaster_before_anything_is_selected(host):
    html = page(host, shared(host, clues="spoken"))
    assert "Wait for your spymaster’s clue" in html
    marks = ('id="prompt"', f'id="b-hand-{RED_SPY}"', 'id="b-stop"')
    assert order(html, *reversed(marks)) == list(marks)


def test_once_the_clue_is_given_the_cards_come_first(host):
    game = shared(host, clues="spoken")
    play(dict.fromkeys(SEATS, host), game, (RED_SPY, "clue sea 2"))
    html = page(host, game)
    marks = ('id="b-stop"', f'id="b-hand-{RED_SPY}"')
    assert order(html, *reversed(marks)) == list(marks)


def test_it_is_the_turn_of_a_team_that_has_given_no_clue(host):
    assert '<p class="whose">Red to move.</p>' in page(host, shared(host, clues="spoken"))


def test_a_spymaster_with_the_key_open_is_asked_only_for_the_clue(host):
    html = page(host, shared(host, clues="spoken"), f"?seat={RED_SPY}")
    assert '<p class="whose">Red spymaster to move.</p>' in html
    assert '<p id="prompt" tabindex="-1" autofocus>Say your clue, or type it here' in html
    assert "hand-over" not in html


def test_a_spymaster_with_the_key_open_out_of_turn_can_hand_the_device_on(host):
    game = shared(host, clues="spoken")
    assert f'id="b-hand-{RED_SPY}"' in page(host, game, f"?seat={BLUE_SPY}")


def test_a_second_guess_waits_for_no_spymaster(host):
    game = shared(host, clues="spoken")
    play(dict.fromkeys(SEATS, host), game, (RED, "a1"))
    assert '<p id="prompt">Pick a card or end your turn.</p>' in page(host, game)
