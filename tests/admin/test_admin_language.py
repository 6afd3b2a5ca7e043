"""The admin's pages and messages in Dutch."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db.models import JSONField, Value
from django.test import Client
from django.utils.translation import override

from games.core.translation import translate
from games.models import Game, Move
from games.storage.cache import clear_all
from tests.support.game_factory import make_game_with_moves
from tests.support.players import Person
from tests.support.staff import GAME_LIST, change_page, verify_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def dutch_superuser() -> Client:
    """Return a client with all permissions and the Dutch language."""
    client = Client()
    client.force_login(User.objects.create_superuser("clerk"))
    client.cookies["django_language"] = "nl"
    return client


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 6)


def verify(clerk: Client, game: Game) -> str:
    """Verify a game, and return the page with the messages."""
    return clerk.post(verify_page(game), follow=True).text


def test_faults_of_a_game_are_reported_in_the_users_language(dutch_superuser, game):
    Game.objects.filter(pk=game.pk).update(ply=9)
    assert "partij telt 9 zetten, maar er zijn er 6 opgeslagen" in verify(dutch_superuser, game)


def test_the_reason_that_a_move_does_not_replay_is_translated(dutch_superuser, game):
    Move.objects.filter(game=game, ply=3).update(text="z99")
    page = verify(dutch_superuser, game)
    assert "Zet 3 kan niet worden nagespeeld: z99" in page
    assert "geen" in page.split("z99 (", 1)[1][:80]


@pytest.mark.parametrize(
    ("ply", "changes", "message"),
    [
        (4, {"text": "z99"}, "“z99”"),
        (6, {"ply": 99}, "Zet 6 ontbreekt."),
    ],
)
def test_the_reason_that_no_board_can_be_shown_is_translated(
    dutch_superuser, game, ply, changes, message
):
    Move.objects.filter(game=game, ply=ply).update(**changes)
    clear_all()
    page = dutch_superuser.get(change_page(game)).text
    assert message in page
    assert "has no ply" not in page and "is not a square" not in page


def test_the_message_of_a_removed_kind_is_translated(dutch_superuser, game):
    Game.objects.filter(pk=game.pk).update(kind="ludo")
    page = dutch_superuser.get(change_page(game)).text
    assert "Deze site heeft geen spel “ludo”." in page
    assert "Deze site heeft geen spel “ludo”." in verify(dutch_superuser, game)


@pytest.mark.parametrize("setup", [{}, None, {"size": -1}])
def test_the_message_of_an_unreadable_setup_is_translated(dutch_superuser, game, setup):
    Game.objects.filter(pk=game.pk).update(setup=Value(setup, JSONField()))
    clear_all()
    page = dutch_superuser.get(change_page(game)).text
    message = "De opzet van deze partij is onleesbaar."
    assert message in page
    assert message in verify(dutch_superuser, game)


def test_the_dutch_page_of_a_game_names_its_creator_and_movers(dutch_superuser, game):
    page = dutch_superuser.get(change_page(game)).text
    with override("nl"):
        seats = {spec.key: translate(spec.name) for spec in game.specs}
    assert "Gemaakt door:" in page
    assert "Created by" not in page
    for key, name in seats.items():
        assert f"<td>{name}</td>" in page
        assert f"<td>{key}</td>" not in page


def test_the_dutch_list_and_page_use_the_same_word_for_a_game(dutch_superuser, game):
    for address in (GAME_LIST, change_page(game)):
        page = dutch_superuser.get(address).text
        assert re.search(r"<h1>[^<]*[Pp]artij", page)
