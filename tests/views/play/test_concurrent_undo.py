"""Requests during which another request undoes a move."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.registry import all_rules
from games.live.source import Database
from games.models import Game
from games.presentation.visibility import Viewer
from games.state import snapshot as snapshot_module
from games.storage.cache import clear_all
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move, post_undo
from tests.support.kinds import default_specs
from tests.support.players import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def game(owner: Person) -> Game:
    """Return a game with two moves, undo and hints."""
    rules = next(
        rules
        for rules in all_rules().values()
        if rules.analysis and rules.undo and len(default_specs(rules)) == 2
    )
    game = make_game(owner, rules=rules)
    Game.objects.filter(pk=game.pk).update(hints=True)
    for _ in range(2):
        post_move(owner, game)
    return game


def undo_after_reading(monkeypatch: Any, owner: Person, game: Game) -> None:
    """Undo a move just after the game's row was first read."""
    original, pending = snapshot_module._read_game, [1]

    def read(game_id: str) -> Game:
        row = original(game_id)
        if pending:
            pending.clear()
            post_undo(owner, game)
            clear_all()
        return row

    monkeypatch.setattr(snapshot_module, "_read_game", read)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
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
