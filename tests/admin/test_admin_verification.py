"""Verification of stored games in the admin."""

from __future__ import annotations

import pytest
from django.conf import settings

from games.models import Game, Move
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.players import Person
from tests.support.staff import GAME_LIST, verify_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 5)


def corrupt(game: Game, ply: int) -> None:
    Move.objects.filter(game=game, ply=ply).update(text="z99")


def test_a_sound_game_verifies(clerk, game):
    response = clerk.post(verify_page(game), follow=True)
    assert "5 moves replayed" in response.text


def test_the_messages_of_verification_set_no_cookie(clerk, game):
    response = clerk.post(verify_page(game))
    assert response.status_code == 302
    assert set(response.cookies) <= {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME}


def test_verification_names_the_first_move_that_does_not_replay(clerk, game):
    corrupt(game, 3)
    corrupt(game, 4)
    response = clerk.post(verify_page(game), follow=True)
    assert "Move 3 can’t be replayed" in response.text
    assert "z99" in response.text


def test_verification_finds_a_missing_move(clerk, game):
    Move.objects.filter(game=game, ply=2).delete()
    response = clerk.post(verify_page(game), follow=True)
    assert "Move 2 is missing." in response.text


def test_verification_finds_a_result_that_differs_from_the_replay(clerk, game):
    Game.objects.filter(pk=game.pk).update(status="over")
    response = clerk.post(verify_page(game), follow=True)
    assert "its replay is not" in response.text


def test_several_games_are_verified_by_one_action(clerk, game, owner):
    good = make_game(owner)
    corrupt(game, 1)
    data = {"action": "verify_selected", "_selected_action": [game.pk, good.pk]}
    response = clerk.post(GAME_LIST, data, follow=True)
    assert f"Game {game.pk}: Move 1 can’t be replayed" in response.text
    assert "1 game is intact." in response.text


def test_games_beyond_the_limit_of_one_verification_are_counted(clerk, game, owner, monkeypatch):
    selected = [game.pk, *(make_game(owner).pk for _ in range(3))]
    for limit, message in (
        (2, "2 more selected games were not checked."),
        (3, "1 more selected game was"),
    ):
        monkeypatch.setattr("games.admin.games.VERIFIED_AT_ONCE", limit)
        data = {"action": "verify_selected", "_selected_action": selected}
        response = clerk.post(GAME_LIST, data, follow=True).text
        assert f"{limit} games are intact." in response
        assert message in response


def test_games_within_the_limit_are_all_verified(clerk, game, owner, monkeypatch):
    monkeypatch.setattr("games.admin.games.VERIFIED_AT_ONCE", 2)
    data = {"action": "verify_selected", "_selected_action": [game.pk, make_game(owner).pk]}
    assert "not checked" not in clerk.post(GAME_LIST, data, follow=True).text


def test_a_get_of_the_verify_address_changes_nothing(clerk, game):
    assert clerk.get(verify_page(game)).status_code == 403
