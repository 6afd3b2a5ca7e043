"""Stored games of a kind whose folder was removed."""

from __future__ import annotations

import pytest

from games.live.source import Database
from games.models import Game
from games.presentation.visibility import Viewer
from games.storage.cache import clear_all
from tests.support.game_factory import (
    invitation_path,
    make_game_with_moves,
    make_game_with_open_seat,
    open_seat,
)
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 2)


@pytest.fixture
def removed(game: Game) -> Game:
    """Return a game whose kind is not installed."""
    Game.objects.filter(pk=game.pk).update(kind="ludo")
    clear_all()
    return game


PAGES = ["", "board/", "seats/", "1/", "1/picture.png", "hint/", "analysis/"]


POSTS = ["hint/", "analysis/", "rematch/", "sit/", "device/"]


MOVES = ["move/", "resign/", "undo/", "undo/answer/"]


@pytest.mark.parametrize("address", PAGES)
def test_a_game_of_a_removed_kind_is_not_found_with_a_sentence(removed, owner, address):
    response = owner.client.get(f"/g/{removed.id}/{address}")
    assert response.status_code == 404
    assert "This game is no longer available here." in response.text


@pytest.mark.parametrize("address", [*POSTS, *MOVES])
def test_every_post_to_a_game_of_a_removed_kind_is_not_found(removed, owner, address):
    sent = {"seat": "N", "move": "a1", "ply": 2, "undone": 0, "agree": "yes"}
    assert owner.client.post(f"/g/{removed.id}/{address}", sent).status_code == 404


def test_an_invitation_to_a_game_of_a_removed_kind_is_gone(owner, client):
    game = make_game_with_open_seat(owner)
    address = invitation_path(open_seat(game))
    Game.objects.filter(pk=game.pk).update(kind="ludo")
    assert client.get(address).status_code == 410


def test_the_stream_of_a_game_of_a_removed_kind_is_not_found(removed):
    assert Database().versions([removed.id]) == {}
    assert Database().boards(removed.id, [Viewer()]) is None
