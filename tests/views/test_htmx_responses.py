"""What goes with the answers that htmx and the page's own script ask for."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game
from tests.support.game_factory import make_game
from tests.support.players import Person
from tests.support.posts import post_move

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game(owner)


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


def vary(answer) -> set[str]:
    return {name.strip() for name in answer.get("Vary", "").split(",")}


@pytest.mark.parametrize("path", ["", "board/", "seats/", "analysis/", "hint/"])
def test_a_part_of_a_page_is_never_kept_in_place_of_the_page(owner, game, path):
    part, page = (
        owner.client.get(f"/g/{game.id}/{path}", headers=headers) for headers in (HTMX, {})
    )
    assert part["Cache-Control"] == "no-store"
    assert "HX-Request" in vary(part) & vary(page)


def test_a_picture_is_the_same_for_htmx(owner, game):
    picture = owner.client.get(f"/g/{game.id}/0/picture.png")
    assert "HX-Request" not in vary(picture)


def test_an_expired_form_is_told_of_above_the_board(owner, game):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.client.cookies
    answer = post_move(Person(owner.player, strict), game, htmx=True)
    assert answer.status_code == 403
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#trouble", "innerHTML")
    assert "Load it again" in answer.text
    assert "<html" not in answer.text


@pytest.mark.parametrize("htmx", [True, False])
def test_a_browser_that_sends_no_cookies_is_told_that_it_is_not_known(owner, game, htmx):
    unknown = Person(owner.player, Client(enforce_csrf_checks=True))
    answer = post_move(unknown, game, htmx=htmx)
    assert answer.status_code == 403
    assert "did not send the cookies" in answer.text
    assert "expired" not in answer.text


@pytest.mark.parametrize("htmx", [True, False])
def test_a_mistake_of_ours_is_told_above_the_board_and_to_others_on_a_page(
    owner, game, monkeypatch, htmx
):
    def fail(**_):
        raise RuntimeError("not foreseen")

    owner.client.raise_request_exception = False
    monkeypatch.setattr("games.views.moves.services.play_move", fail)
    answer = post_move(owner, game, htmx=htmx)
    assert answer.status_code == 500
    assert "This is our mistake." in answer.text
    assert ("<html" in answer.text) is not htmx
