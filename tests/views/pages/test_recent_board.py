"""The board of a recent game on the front page."""

from __future__ import annotations

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.models import Game
from games.services.play import play_move
from games.storage.cache import clear_all
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.kinds import kinds_with_computers, seat_keys
from tests.support.players import Person

pytestmark = pytest.mark.django_db
BOARD = 'class="recent-board"'


def front_page(client: Client) -> str:
    clear_all()
    return client.get("/").text


def game_with_a_move(person: Person, slug: str) -> Game:
    """Return a game of one person, on all seats but the last, against a computer."""
    rules = all_rules()[slug]
    *mine, last = seat_keys(rules)
    seating = dict.fromkeys(mine, "me") | {last: "computer-1"}
    game = make_game(person, rules=rules, seating=seating)
    return play(person, game)


def play(person: Person, game: Game) -> Game:
    """Make the first move, for whichever seat it is."""
    position = game.rules.start(game.setup)
    seat = min(position.to_move())
    move = next(iter(position.legal_moves(seat)), None) or "clue zebra 1"
    player = person.player if game.seats.filter(key=seat, players=person.player).exists() else None
    play_move(game_id=game.id, seat=seat, text=move, ply=0, player=player)
    return game


@pytest.mark.parametrize("slug", kinds_with_computers())
def test_a_game_against_the_computer_is_shown_to_everybody_without_its_player(slug, owner, client):
    game = game_with_a_move(owner, slug)
    page = front_page(client)
    assert BOARD in page
    assert game.id not in page
    assert "Olive" not in page


def test_nobody_is_shown_a_board_of_their_own(owner, opponent):
    slug = kinds_with_computers()[0]
    game_with_a_move(owner, slug)
    assert BOARD not in front_page(owner.client)
    game_with_a_move(opponent, slug)
    assert BOARD in front_page(owner.client)
    assert BOARD in front_page(opponent.client)


def test_no_board_is_shown_before_the_first_game(client):
    assert BOARD not in front_page(client)


def test_games_among_people_and_on_one_device_are_not_shown(owner, opponent, client):
    for game in (make_game(owner, opponent), make_game(owner)):
        post_move(owner, game)
    assert BOARD not in front_page(client)


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        (slug, option.name)
        for slug in kinds_with_computers()
        for option in all_rules()[slug].options
        if option.kind == "text" and not option.secret
    ],
)
def test_a_game_with_a_text_of_its_own_is_not_shown(slug, name, owner, client):
    game = game_with_a_move(owner, slug)
    Game.objects.filter(pk=game.pk).update(options={**game.options, name: "rude, words"})
    assert BOARD not in front_page(client)


@pytest.mark.parametrize("options", [[], None, "x", {}])
def test_a_damaged_game_leaves_the_front_page_whole(options, owner, client):
    game = game_with_a_move(owner, kinds_with_computers()[-1])
    Game.objects.filter(pk=game.pk).update(options=options or [], setup={})
    assert 'class="kinds"' in front_page(client)


def test_a_closed_game_is_not_shown(owner, client):
    game = game_with_a_move(owner, kinds_with_computers()[0])
    owner.client.post(f"/g/{game.id}/watchers/", {"watchers": "close"})
    assert BOARD not in front_page(client)
