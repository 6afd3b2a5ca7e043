"""The public page of a player: off by default, and without closed games."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client, TestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Holder
from games.people import forgetting
from games.services import lobby
from games.state import lists
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.kinds import two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db


def publish(person: Person, public: str = "yes") -> str:
    """Switch the public page of a person, and return its address; '' without one."""
    response = person.client.post("/me/public/", {"public": public})
    assert response.status_code == 302
    assert response["Location"].startswith("/me/account/")
    person.player.refresh_from_db()
    public_id = person.player.public_id
    return reverse("player_page", args=[public_id]) if public_id else ""


def read(address: str, **query: str) -> str:
    """Return the page as it is without a player, and without the random values of its forms."""
    response = Client().get(address, query)
    assert response.status_code == 200
    return re.sub(r'(?<=name="csrfmiddlewaretoken" value=")\w+', "", response.text)


def test_a_player_has_no_public_page_by_default(owner):
    assert owner.player.public_id is None
    assert Client().get(f"/players/{owner.player.pk}/").status_code == 404
    assert Client().get("/players/None/").status_code == 404
    assert "Make a public page" in owner.client.get("/me/account/").text


def test_a_public_page_has_the_name_and_the_games_of_its_player(owner, opponent):
    running, over = make_game(owner, opponent), make_finished_game(owner, opponent)
    page = read(publish(owner))
    assert "<bdi>Olive</bdi>" in page and '<meta name="robots" content="noindex">' in page
    assert running.get_absolute_url() in page and over.get_absolute_url() in page
    assert "Your turn" not in page and "against Otto" in page


def test_a_public_page_tells_who_won_as_whom_with_the_boards(owner, opponent):
    game = make_finished_game(opponent, owner)
    [won_by] = {spec.name for spec in game.specs if spec.key in game.result.winners}
    page = read(publish(owner))
    assert f"Won as {won_by}" in page
    assert page.count('<span class="picture" aria-hidden="true"><svg') == 1
    assert "Won as" not in read(publish(opponent))


def test_the_preview_of_a_public_page_has_its_name_and_a_board(owner, opponent):
    page = read(publish(owner))
    assert '<meta property="og:title" content="Olive">' in page
    assert "share.png" in page
    game = make_finished_game(opponent, owner)
    page = read(reverse("player_page", args=[owner.player.public_id]))
    assert f"/g/{game.id}/{game.ply}/picture.png" in page


def test_a_public_page_that_is_removed_is_gone_for_good(owner):
    first = publish(owner)
    assert first in owner.client.get("/me/account/").text
    assert publish(owner, "no") == ""
    assert Client().get(first).status_code == 404
    assert publish(owner) != first
    assert Client().get(first).status_code == 404


def test_a_public_page_shows_nothing_of_closed_games_and_lobbies(owner, opponent):
    address = publish(owner)
    empty = read(address)
    games = [make_game(owner, opponent), make_finished_game(owner, opponent)]
    for game in games:
        lobby.close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    make_lobby(owner)
    assert read(address) == empty
    lobby.close_to_watchers(game_id=games[0].id, player=owner.player, closed=False)
    assert games[0].get_absolute_url() in read(address)


def test_finished_games_are_narrowed_by_kind_and_result(owner, opponent):
    lost, won = make_finished_game(owner, opponent), make_finished_game(opponent, owner)
    address, kind = publish(owner), two_player_rules().slug
    other = next(slug for slug in all_rules() if slug != kind)
    for query, shown in (
        ({"result": "won"}, [won]),
        ({"result": "lost"}, [lost]),
        ({"result": "drawn"}, []),
        ({"kind": kind}, [won, lost]),
        ({"kind": other}, []),
    ):
        page = read(address, **query)
        assert [game for game in (won, lost) if game.id in page] == shown


def test_a_public_page_goes_on_by_keyset(owner, opponent, monkeypatch):
    monkeypatch.setattr(lists, "SHOWN", 2)
    games = [make_finished_game(owner, opponent) for _ in range(3)]
    for age, game in enumerate(games):
        ended = timezone.now() - timedelta(hours=age)
        Holder.objects.filter(seat__game=game).update(ended=ended)
    address = publish(owner)
    page = Client().get(address)
    assert [game.id in page.text for game in games] == [True, True, False]
    rest = read(address, before=page.context["older"])
    assert [game.id in rest for game in games] == [False, False, True]
    assert "Running games" not in rest


def test_a_browser_without_a_player_publishes_nothing(client):
    assert client.post("/me/public/").status_code == 302
    assert "Public page" not in client.get("/me/").text


def test_a_deleted_player_has_no_page(owner):
    address = publish(owner)
    forgetting.forget_player(player=owner.player)
    assert Client().get(address).status_code == 404


def test_the_boards_of_a_public_page_need_no_query_once_they_are_known(owner):
    for _ in range(6):
        make_game(owner)
    for _ in range(6):
        make_finished_game(owner)
    address = publish(owner)
    with TestCase.captureOnCommitCallbacks(execute=True):
        first = read(address)
    with CaptureQueriesContext(connection) as queries:
        again = read(address)
    assert again == first and again.count("<svg") >= 12
    assert len(queries) < 10
