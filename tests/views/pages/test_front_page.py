"""The front page: the kinds of games, and the lists of games."""

from __future__ import annotations

import re

import pytest

from games.core.registry import all_rules
from games.state import lists
from games.state.lists import SHOWN
from tests.support.game_factory import make_finished_game, make_game
from tests.support.game_requests import post_move
from tests.support.kinds import seat_keys, two_player_rules

pytestmark = pytest.mark.django_db


def test_the_front_page_shows_every_kind_with_a_picture(client):
    page = client.get("/").text
    for slug in all_rules():
        assert f'href="/new/{slug}/"' in page
        card = next(card for card in page.split("<li") if f'href="/new/{slug}/"' in card)
        assert "<svg" in card.split("<form")[0]


def test_the_front_page_lists_my_running_games_with_my_turn_first(owner, opponent):
    waiting, other = make_game(owner, opponent), make_game(owner, opponent)
    post_move(owner, other)
    page = owner.client.get("/").text
    assert page.index(waiting.id) < page.index(other.id)
    assert "Otto" in page


def test_the_front_page_lists_an_old_game_with_my_turn_before_newer_ones(owner, opponent):
    waiting = make_game(owner, opponent)
    for _ in range(SHOWN + 1):
        post_move(owner, make_game(owner, opponent))
    assert waiting.id in owner.client.get("/").text.split("<details")[0]


def test_the_front_page_lists_all_games_with_my_turn_unfolded(owner, opponent):
    games = [make_game(owner, opponent) for _ in range(SHOWN + 2)]
    unfolded = owner.client.get("/").text.split("<details")[0]
    assert all(game.id in unfolded for game in games)


def test_the_front_page_folds_the_older_of_many_running_games(owner, opponent):
    games = [make_game(owner, opponent) for _ in range(SHOWN + 2)]
    for game in games:
        post_move(owner, game)
    page = owner.client.get("/").text
    assert "2 more games" in page
    unfolded, folded = page.split("</details>")[0].split("<details")
    assert [game.id in folded for game in games] == [True] * 2 + [False] * SHOWN
    assert all(game.id in unfolded for game in games[2:])


def test_the_front_page_limits_the_number_of_listed_games(owner, monkeypatch):
    monkeypatch.setattr(lists, "MOST_RUNNING", 6)  # two seats a game
    games = [make_game(owner) for _ in range(4)]
    page = owner.client.get("/").text
    assert [game.id in page for game in games] == [False, True, True, True]


def test_the_front_page_does_not_list_the_games_of_others(owner, opponent, client):
    game = make_game(owner, opponent)
    assert game.id not in client.get("/").text


def test_the_kinds_stand_in_the_order_of_their_places_whatever_is_played(client, owner):
    by_place = sorted(all_rules().values(), key=lambda rules: rules.place)
    for rules in by_place[1:]:
        make_game(owner, rules=rules)
    shown = re.findall(r'action="/new/([a-z-]+)/start/"', client.get("/").text)
    assert shown == [rules.slug for rules in by_place]


def test_open_games_stand_above_the_kinds_and_finished_ones_below(owner, opponent):
    first, second = seat_keys(two_player_rules())
    offered = make_game(opponent, seating={first: "me", second: "listed"})
    finished = make_finished_game(owner, opponent)
    page = owner.client.get("/").text
    kinds = page.index('class="kinds"')
    assert page.index(offered.id) < kinds < page.index(finished.id)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("/rules/x/", "/rules/x/"),
        ("x", "/"),
        ("", "/"),
        ("//x.example/", "/"),
        ("https://x.example", "/"),
    ],
)
def test_a_hidden_line_on_seekers_leads_back_to_a_page_of_the_site(client, typed, address):
    assert client.post("/seek/", {"quiet": "1", "next": typed})["Location"] == address
