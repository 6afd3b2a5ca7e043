"""The pages of the admin ask the database as little for many rows as for few, and speak the
language of whoever looks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import JSONField, Value
from django.test import Client

from games.models import Game, Move
from games.registry import all_rules
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk() -> Client:
    """Staff who may do everything, in Dutch."""
    client = Client()
    client.force_login(User.objects.create_superuser("clerk"))
    client.cookies["django_language"] = "nl"
    return client


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 6)


def test_the_page_of_a_game_takes_as_many_queries_for_more_moves(
    clerk, game, django_assert_max_num_queries
):
    with django_assert_max_num_queries(12):
        assert clerk.get(f"/admin/games/game/{game.pk}/change/").status_code == 200


def test_the_page_of_a_player_takes_as_many_queries_for_more_games(
    clerk, owner, django_assert_max_num_queries
):
    for _ in range(10):
        make_game(owner)
    with django_assert_max_num_queries(12):
        page = clerk.get(f"/admin/games/player/{owner.player.pk}/change/")
    assert page.status_code == 200


def verified(clerk: Client, game: Game) -> str:
    return clerk.post(f"/admin/games/game/{game.pk}/verify/", follow=True).text


def test_faults_of_a_game_are_reported_in_the_users_language(clerk, game):
    Game.objects.filter(pk=game.pk).update(ply=9)
    assert "de partij zijn het 9 zetten, bewaard zijn er 6" in verified(clerk, game)


def test_the_reason_that_a_move_does_not_replay_is_translated(clerk, game):
    Move.objects.filter(game=game, ply=3).update(text="z99")
    said = verified(clerk, game)
    assert "Zet 3 kan niet worden nagespeeld: z99" in said
    assert "geen" in said.split("z99 (", 1)[1][:80]


@pytest.mark.parametrize(
    ("ply", "changes", "told"),
    [
        (4, {"text": "z99"}, "“z99”"),
        (6, {"ply": 99}, "Er ontbreken zetten van deze partij."),
    ],
)
def test_the_reason_that_no_board_can_be_shown_is_translated(clerk, game, ply, changes, told):
    from games.storage.cache import clear_all

    Move.objects.filter(game=game, ply=ply).update(**changes)
    clear_all()
    page = clerk.get(f"/admin/games/game/{game.pk}/change/").text
    assert told in page
    assert "has no ply" not in page and "is not the name" not in page


def test_the_message_of_a_removed_kind_is_translated(clerk, game):
    Game.objects.filter(pk=game.pk).update(kind="ludo")
    page = clerk.get(f"/admin/games/game/{game.pk}/change/").text
    assert "Er is hier geen spel van de soort “ludo”." in page
    assert "Er is hier geen spel van de soort “ludo”." in verified(clerk, game)


@pytest.mark.parametrize("setup", [{}, None, {"size": -1}])
def test_the_message_of_an_unreadable_setup_is_translated(clerk, game, setup):
    from games.storage.cache import clear_all

    Game.objects.filter(pk=game.pk).update(setup=Value(setup, JSONField()))
    clear_all()
    page = clerk.get(f"/admin/games/game/{game.pk}/change/").text
    told = "De opzet van deze partij kan niet worden gelezen."
    assert told in page
    assert told in verified(clerk, game)


@pytest.mark.parametrize("kind", sorted(all_rules()))
def test_the_admin_gives_a_board_every_variable_of_its_template(kind):
    # One that is wanting makes a size of nothing, and the board too small to be read.
    folder = Path(settings.BASE_DIR)
    board = (folder / "games" / kind / "static" / kind / "board.css").read_text()
    around = (folder / "static" / "site" / "admin.css").read_text()
    used = set(re.findall(r"var\((--[\w-]+)\)", board))
    assert used <= set(re.findall(r"(--[\w-]+):", board + around))
