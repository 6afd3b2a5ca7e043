"""What goes with the answers that htmx and the page's own script ask for."""

from __future__ import annotations

import pytest

from games.models import Game
from tests.cast import Person, a_game, post_move

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(owner: Person) -> Game:
    return a_game(owner)


def poll(owner: Person, game: Game, tag: str = "", encoding: str = "gzip"):
    headers = HTMX | {"Accept-Encoding": encoding} | ({"If-None-Match": tag} if tag else {})
    return owner.client.get(f"/g/{game.id}/board/", headers=headers)


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_who_asks_again_is_told_that_nothing_has_changed(owner, game, encoding):
    first = poll(owner, game, encoding=encoding)
    assert first.headers.get("Content-Encoding", "identity") == encoding
    again = poll(owner, game, first["ETag"], encoding)
    assert (again.status_code, again.content) == (304, b"")


def test_who_asks_again_after_a_move_gets_the_new_board(owner, game):
    first = poll(owner, game)
    post_move(owner, game)
    again = poll(owner, game, first["ETag"])
    assert again.status_code == 200
    assert again["ETag"] != first["ETag"]
