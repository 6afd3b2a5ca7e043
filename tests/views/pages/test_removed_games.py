"""Games that a player removes from the own lists, and the games that the header counts."""

from __future__ import annotations

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.models import Game
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_finished_game, make_game
from tests.support.game_requests import post_move
from tests.support.kinds import default_specs, seat_keys
from tests.support.players import Person

pytestmark = pytest.mark.django_db

RULES = next(
    rules
    for rules in all_rules().values()
    if len(rules.ladder) > 1 and len(default_specs(rules)) == 2
)


def make_game_against_computer(owner: Person) -> Game:
    mine, computer = seat_keys(RULES)
    return make_game(owner, rules=RULES, seating={mine: "me", computer: "computer-1"})


def lists(person: Person, path: str = "/me/") -> str:
    """Return the content of a page of lists, without the removed game."""
    return person.client.get(path).text.split("<main")[1]


def remove(person: Person, game: Game, path: str = "/me/") -> str:
    response = person.client.post(f"/me/remove/{game.pk}/", {"next": path}, follow=True)
    return response.text


@pytest.mark.parametrize("path", ["/me/", "/"])
def test_a_removed_game_leaves_the_lists_and_its_seat_stays(owner, opponent, path):
    game = make_game(owner, opponent)
    assert game.get_absolute_url() in lists(owner, path)
    assert "was removed from your games" in remove(owner, game)
    assert game.get_absolute_url() not in lists(owner, path)
    assert game.get_absolute_url() in lists(opponent, path)
    assert read_snapshot(game.pk).seats_of(owner.player.pk)
    assert post_move(owner, game).status_code in {200, 302}


def test_a_removal_is_undone_by_the_button_beside_its_sentence(owner, opponent):
    game = make_game(owner, opponent)
    assert 'id="b-undo-remove"' in remove(owner, game)
    owner.client.post(f"/me/remove/{game.pk}/", {"next": "/me/", "back": ""})
    assert game.get_absolute_url() in lists(owner)


def test_a_finished_game_is_removed_from_its_list(owner, opponent):
    game = make_finished_game(owner, opponent)
    assert game.get_absolute_url() in lists(owner, "/me/finished/")
    assert "was removed from your games" in remove(owner, game, "/me/finished/")
    assert game.get_absolute_url() not in lists(owner, "/me/finished/")
    assert game.get_absolute_url() not in lists(owner, "/")


def test_a_removal_leads_to_no_other_site(owner, opponent):
    game = make_game(owner, opponent)
    response = owner.client.post(f"/me/remove/{game.pk}/", {"next": "https://elsewhere.example/"})
    assert response["Location"].startswith("/me/")


def test_only_players_of_a_game_remove_it(owner, stranger):
    game = make_game(owner)
    for client in (stranger.client, Client()):
        assert client.post(f"/me/remove/{game.pk}/").status_code == 404
    assert game.get_absolute_url() in lists(owner)


def header(person: Person) -> str:
    return person.client.get("/rules/" + RULES.slug + "/").text.split("</header>")[0]


def test_the_header_counts_only_games_in_which_people_wait(owner, opponent):
    make_game_against_computer(owner)
    make_game(owner)
    assert "<b>" not in header(owner).split('class="quiet icon me"')[1]
    assert "<title>●" not in owner.client.get("/").text
    assert "<title>●" not in owner.client.get("/me/").text
    make_game(owner, opponent)
    assert "<b>1</b>" in header(owner)
    assert "<title>●" in owner.client.get("/me/").text


def test_the_header_does_not_count_removed_games(owner, opponent):
    game = make_game(owner, opponent)
    remove(owner, game)
    assert "<b>1</b>" not in header(owner)
