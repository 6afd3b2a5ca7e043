"""Names of people on a shared device, and the sentences that use them."""

from __future__ import annotations

import re

import pytest

from games.core.refusals import BadName, NotYourSeat
from games.models import Game
from games.services import players
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page, post_move
from tests.support.html import select, text_of
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db

FIRST, SECOND = seat_keys(two_player_rules())


@pytest.fixture
def game(owner: Person) -> Game:
    """Return a game of two people on the owner's device."""
    return make_game(owner)


def turn(person: Person, game: Game) -> str:
    """Return the sentence that tells whose turn it is, without its invisible characters."""
    found = re.search(r'<p class="whose">(.*?)</p>', get_game_page(person, game))
    return re.sub("[\u2068\u2069]", "", found[1]) if found else ""


def test_each_seat_of_a_shared_device_has_a_name_of_its_own(game, owner):
    players.name_seats(game_id=game.pk, player=owner.player, names={SECOND: " Bea "})
    places = read_snapshot(game.pk).seating.places
    assert list(places[FIRST].players.values()) == ["Olive"]
    assert list(places[SECOND].players.values()) == ["Bea"]


def test_sentences_name_the_people_of_a_shared_device(game, owner):
    names = [str(spec.name) for spec in game.specs]
    assert turn(owner, game) == f"{names[0]} to move."
    owner.client.post(f"/g/{game.id}/names/", {f"name-{FIRST}": "Ada", f"name-{SECOND}": "Bea"})
    assert turn(owner, game) == "Ada to move."
    post_move(owner, game)
    assert turn(owner, game) == "Bea to move."


def test_an_empty_name_is_the_players_own(game, owner):
    for name in ("Bea", ""):
        players.name_seats(game_id=game.pk, player=owner.player, names={SECOND: name})
    assert list(read_snapshot(game.pk).seating.places[SECOND].players.values()) == ["Olive"]


def test_only_own_seats_are_named_and_only_with_good_names(game, owner, stranger):
    with pytest.raises(NotYourSeat):
        players.name_seats(game_id=game.pk, player=stranger.player, names={FIRST: "Ada"})
    with pytest.raises(BadName):
        players.name_seats(game_id=game.pk, player=owner.player, names={FIRST: "x" * 31})


def test_a_bad_name_is_refused_on_the_board(game, owner):
    response = owner.client.post(f"/g/{game.id}/names/", {f"name-{FIRST}": "x" * 31})
    assert response.status_code == 422
    assert "A name can have at most 30 characters." in response.text


def test_the_menu_offers_names_to_a_shared_device_alone(game, owner, opponent):
    assert 'id="b-names"' in get_game_page(owner, game)
    assert 'id="b-names"' not in get_game_page(owner, make_game(owner, opponent))


def test_a_player_of_one_seat_has_a_new_name_in_mid_game(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert "/settings/" in get_game_page(owner, game)
    owner.client.post("/settings/", {"name": "Ada"})
    page = get_game_page(opponent, game)
    assert "Ada" in page and "Olive" not in page


def test_the_people_of_a_shared_device_are_renamed_in_mid_game(game, owner, stranger):
    post_move(owner, game)
    owner.client.post(f"/g/{game.id}/names/", {f"name-{FIRST}": "Ada", f"name-{SECOND}": "Bea"})
    owner.client.post(f"/g/{game.id}/names/", {f"name-{SECOND}": "Cas"})
    # Not in the whole page, whose tokens contain any three letters at times.
    names = [text_of(name) for name in select(get_game_page(stranger, game), "bdi")]
    assert names == ["Cas", "Ada"]


def test_a_player_waits_for_the_opponent_by_name(owner, opponent):
    game = make_game(owner, opponent)
    assert turn(opponent, game) == "Waiting for Olive."
    assert turn(owner, game) == "Your turn."
