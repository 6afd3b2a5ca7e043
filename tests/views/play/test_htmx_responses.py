"""Headers and errors of the responses to htmx and to the page's own script."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.players import Person

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game(owner)


def poll(owner: Person, game: Game, tag: str = "", encoding: str = "gzip"):
    headers = HTMX | {"Accept-Encoding": encoding} | ({"If-None-Match": tag} if tag else {})
    return owner.client.get(f"/g/{game.id}/board/", headers=headers)


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_an_unchanged_board_is_answered_with_304(owner, game, encoding):
    first = poll(owner, game, encoding=encoding)
    assert first.headers.get("Content-Encoding", "identity") == encoding
    again = poll(owner, game, first["ETag"], encoding)
    assert (again.status_code, again.content) == (304, b"")


def test_a_changed_board_is_sent_again(owner, game):
    first = poll(owner, game)
    post_move(owner, game)
    again = poll(owner, game, first["ETag"])
    assert again.status_code == 200
    assert again["ETag"] != first["ETag"]


def vary(response) -> set[str]:
    return {name.strip() for name in response.get("Vary", "").split(",")}


@pytest.mark.parametrize("path", ["", "board/", "seats/", "analysis/", "hint/"])
def test_a_partial_is_never_stored_in_place_of_its_page(owner, game, path):
    partial, page = (
        owner.client.get(f"/g/{game.id}/{path}", headers=headers) for headers in (HTMX, {})
    )
    assert partial["Cache-Control"] == "no-store"
    assert "HX-Request" in vary(partial) & vary(page)


def test_a_picture_is_the_same_for_htmx(owner, game):
    picture = owner.client.get(f"/g/{game.id}/0/picture.png")
    assert "HX-Request" not in vary(picture)


def test_an_expired_form_is_reported_above_the_board(owner, game):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.client.cookies
    response = post_move(Person(owner.player, strict), game, htmx=True)
    assert response.status_code == 403
    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#trouble", "innerHTML")
    assert "Reload it" in response.text
    assert "<html" not in response.text


@pytest.mark.parametrize("htmx", [True, False])
def test_a_browser_without_cookies_is_told_that_they_are_needed(owner, game, htmx):
    unknown = Person(owner.player, Client(enforce_csrf_checks=True))
    response = post_move(unknown, game, htmx=htmx)
    assert response.status_code == 403
    assert "didn’t send this site’s cookies" in response.text
    assert "expired" not in response.text


@pytest.mark.parametrize("htmx", [True, False])
def test_a_server_error_is_a_partial_for_htmx_and_a_page_for_others(owner, game, monkeypatch, htmx):
    def fail(**_):
        raise RuntimeError("a defect")

    owner.client.raise_request_exception = False
    monkeypatch.setattr("games.services.play.play_move", fail)
    response = post_move(owner, game, htmx=htmx)
    assert response.status_code == 500
    assert "Sorry, that’s our fault." in response.text
    assert ("<html" in response.text) is not htmx
