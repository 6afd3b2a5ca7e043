"""The announcement of a player claiming a seat."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game
from tests.support.game_factory import invitation_path, make_game_with_open_seat, open_seat
from tests.support.game_requests import post_move
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def announcement(person: Person, game: Game) -> str:
    """Return the text that the board announces."""
    return person.client.get(f"/g/{game.id}/board/").text.split('<div id="status"')[1]


def test_a_new_player_is_announced_until_the_next_move(game, owner, stranger):
    seat = open_seat(game)
    name = next(spec.name for spec in game.specs if spec.key == seat.key)
    stranger.client.post(invitation_path(seat))
    assert f"Stan joined ({name})." in announcement(owner, game)
    post_move(owner, game)
    assert "joins" not in announcement(owner, game)


def test_a_player_without_a_name_is_a_guest_in_the_readers_language(game, owner):
    Client().post(invitation_path(open_seat(game)))
    owner.client.cookies["django_language"] = "nl"
    assert "Gast doet mee (" in announcement(owner, game)


def test_a_seat_that_moves_to_another_device_is_not_announced(game, owner, stranger):
    stranger.client.post(invitation_path(open_seat(game)))
    seat = game.seats.get(players=stranger.player)
    post_move(owner, game)
    stranger.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    seat.refresh_from_db()
    Client().post(invitation_path(seat), {})
    assert "joins" not in announcement(owner, game)
