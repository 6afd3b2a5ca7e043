"""Codenames on one device: the key is shown on demand and closed before the device is handed on."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.models import Game
from tests.games.codenames.test_pages import SEATS, cards, page, play, post, start
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db
RED, BLUE = "red-operatives", "blue-operatives"
RED_SPY, BLUE_SPY = "red-spymaster", "blue-spymaster"


# --- one device -----------------------------------------------------------------------------


@pytest.fixture
def host() -> Person:
    return new_person("Host")


def shared(host: Person, **options: Any) -> Game:
    """Return a game in which one device holds every seat."""
    return start(dict.fromkeys(SEATS, host), **options)


def test_a_shared_device_shows_no_key_until_somebody_opens_it(host):
    game = shared(host)
    assert not any("key" in classes for classes in cards(page(host, game)).values())
    assert all("key" in classes for classes in cards(page(host, game, f"?seat={RED_SPY}")).values())


def test_the_device_is_handed_over_to_each_spymaster(host):
    html = page(host, shared(host))
    for seat in (RED_SPY, BLUE_SPY):
        assert f'popovertarget="hand-{seat}"' in html
        assert f'id="hand-{seat}"' in html
        assert f'?seat={seat}"' in html


def test_an_open_key_says_whose_it_is_and_can_be_hidden(host):
    game = shared(host)
    html = page(host, game, f"?seat={RED_SPY}")
    opened = html.split('class="opened"')[1].split("</p>")[0]
    assert "Red spymaster" in opened
    assert f'href="{game.get_absolute_url()}"' in opened


def test_no_browser_keeps_the_page_of_an_open_key(host):
    game = shared(host)
    address = f"{game.get_absolute_url()}?seat={RED_SPY}"
    assert host.client.get(address)["Cache-Control"] == "no-store"


def test_a_clue_given_on_a_shared_device_closes_the_key(host):
    game = shared(host)
    answer = post(host, game, RED_SPY, "clue", "sea", "2")
    assert answer["HX-Redirect"] == game.get_absolute_url()
    assert answer.content == b""


def test_a_clue_given_without_scripts_closes_the_key(host):
    game = shared(host)
    answer = post(host, game, RED_SPY, "clue", "sea", "2", htmx=False)
    assert answer.status_code == 302
    assert answer.url == game.get_absolute_url()


def test_a_refused_clue_leaves_the_key_open(host):
    game = shared(host)
    answer = post(host, game, RED_SPY, "clue", "piano", "2")
    assert answer.status_code == 422
    assert 'class="opened"' in answer.text


def test_no_card_can_be_selected_while_the_key_is_open(host):
    game = shared(host)
    play(dict.fromkeys(SEATS, host), game, (RED_SPY, "clue sea 2"))
    assert page(host, game).count('name="mark" value="') >= 20
    for seat in (RED_SPY, BLUE_SPY):
        board = page(host, game, f"?seat={seat}").split('id="board"')[1].split("</section>")[0]
        assert not re.search('name="(move|mark)"', board)


def test_a_spymaster_with_an_own_device_always_sees_the_key(people):
    game = start(people)
    answer = post(people[RED_SPY], game, RED_SPY, "clue", "sea", "2")
    assert answer.status_code == 200
    assert all("key" in classes for classes in cards(answer.text).values())
    assert "hand-over" not in answer.text


def test_nothing_is_handed_over_once_the_key_is_known_to_all(host):
    game = shared(host)
    play(dict.fromkeys(SEATS, host), game, (RED_SPY, "clue sea 2"), (RED, "c3"))
    assert "hand-over" not in page(host, game)


# --- with spoken clues: the order in which the page asks players ------------------------------


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
