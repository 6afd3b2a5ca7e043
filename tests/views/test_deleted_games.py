"""What is gone by the time it is looked at: moves that are taken back meanwhile, kinds of games."""

from __future__ import annotations

from typing import Any

import pytest

from games import snapshot as snapshot_module
from games.live.source import Database
from games.models import Game
from games.presentation.visibility import Viewer
from games.registry import all_rules
from games.services import invitation_token
from games.storage.cache import clear_all
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move, post_undo
from tests.support.kinds import two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(owner: Person) -> Game:
    """A game of two moves, in which hints are allowed."""
    rules = next(
        rules
        for rules in all_rules().values()
        if rules.analysis and rules.undo and len(rules.seats(rules.clean({}))) == 2
    )
    game = make_game(owner, rules=rules)
    Game.objects.filter(pk=game.pk).update(hints=True)
    for _ in range(2):
        post_move(owner, game)
    return game


def undo_after_reading(monkeypatch: Any, owner: Person, game: Game) -> None:
    """Undo a move just after the game's row was first read."""
    own, to_come = snapshot_module._read_game, [1]

    def read(game_id: str) -> Game:
        found = own(game_id)
        if to_come:
            to_come.clear()
            post_undo(owner, game)
            clear_all()
        return found

    monkeypatch.setattr(snapshot_module, "_read_game", read)


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("address", ["", "board/", "1/", "1/picture.png", "analysis/"])
def test_a_list_leaves_out_a_move_undone_during_the_request(
    game, owner, monkeypatch, address, headers
):
    undo_after_reading(monkeypatch, owner, game)
    response = owner.client.get(f"/g/{game.id}/{address}", headers=headers)
    assert response.status_code == 200
    game.refresh_from_db()
    assert game.ply == 1


@pytest.mark.parametrize("address", ["2/", "2/picture.png"])
def test_the_position_of_a_move_undone_during_the_request_is_not_found(
    game, owner, monkeypatch, address
):
    undo_after_reading(monkeypatch, owner, game)
    assert owner.client.get(f"/g/{game.id}/{address}").status_code == 404


def test_a_stream_leaves_out_a_move_undone_during_its_query(game, owner, monkeypatch):

    clear_all()
    undo_after_reading(monkeypatch, owner, game)
    snapshot = Database().boards(game.id, [Viewer()])
    game.refresh_from_db()
    assert snapshot.version == game.version


@pytest.fixture
def unknown(game: Game) -> Game:
    """A game whose kind's folder is gone."""
    Game.objects.filter(pk=game.pk).update(kind="ludo")
    clear_all()
    return game


PAGES = ["", "board/", "seats/", "1/", "1/picture.png", "hint/", "analysis/"]
DEEDS = ["hint/", "analysis/", "rematch/", "sit/", "device/"]
MOVES = ["move/", "resign/", "undo/", "undo/answer/"]


@pytest.mark.parametrize("address", PAGES)
def test_a_game_of_a_removed_kind_is_not_found_with_a_sentence(unknown, owner, address):
    response = owner.client.get(f"/g/{unknown.id}/{address}")
    assert response.status_code == 404
    assert "This game is no longer available here." in response.text


@pytest.mark.parametrize("address", [*DEEDS, *MOVES])
def test_every_post_to_a_game_of_a_removed_kind_is_not_found(unknown, owner, address):
    sent = {"seat": "N", "move": "a1", "ply": 2, "undone": 0, "agree": "yes"}
    assert owner.client.post(f"/g/{unknown.id}/{address}", sent).status_code == 404


def test_an_invitation_to_a_game_of_a_removed_kind_is_not_found(owner, client):
    first, second = (spec.key for spec in two_player_rules().seats(two_player_rules().clean({})))
    game = make_game(owner, seating={first: "me", second: "invite"})
    token = invitation_token(game.seats.get(key=second))
    Game.objects.filter(pk=game.pk).update(kind="ludo")
    assert client.get(f"/join/{token}/").status_code == 404


def test_the_stream_of_a_game_of_a_removed_kind_is_not_found(unknown):
    assert Database().versions([unknown.id]) == {}
    assert Database().boards(unknown.id, [Viewer()]) is None
