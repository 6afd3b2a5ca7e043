"""The switch of the language leads back to the page on which it was used."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.players import Person

pytestmark = pytest.mark.django_db


def switch_language(client: Client, page: str) -> object:
    """Post the form of the switch on ``page``, and return the response."""
    address = re.search(r'name="next" value="([^"]*)"', page)[1].replace("&amp;", "&")  # type: ignore[index]
    return client.post("/language/", {"language": "nl", "next": address}, follow=True)


def test_a_switch_after_a_refused_move_leads_to_the_game(owner):
    game = make_game(owner)
    refused = post_move(owner, game, move="nonsense")
    assert refused.status_code == 422
    response = switch_language(owner.client, refused.text)
    assert response.status_code == 200
    assert response.request["PATH_INFO"] == f"/g/{game.id}/"
    assert '<html lang="nl"' in response.text


def test_a_switch_after_an_expired_form_leads_to_the_game(owner):
    game = make_game(owner)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.client.cookies
    refused = post_move(Person(owner.player, strict), game)
    assert switch_language(owner.client, refused.text).request["PATH_INFO"] == f"/g/{game.id}/"


def test_a_switch_on_a_page_leads_to_that_page(owner):
    game = make_game(owner)
    path = f"/g/{game.id}/?seat=x&moves="
    response = switch_language(owner.client, owner.client.get(path).text)
    assert f"{response.request['PATH_INFO']}?{response.request['QUERY_STRING']}" == path


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"path": "/?a=%00"}, 400),
        ({"path": "/%00"}, 404),
        ({"path": "/settings/", "data": b"x" * 140_000, "content_type": "text/x"}, 413),
        ({"path": "/", "headers": {"Cookie": 'other="a\\000b"'}}, 400),
    ],
)
def test_a_switch_works_on_the_page_of_a_request_refused_unread(sent, status):
    strict = Client(enforce_csrf_checks=True)
    refused = strict.generic("POST" if "data" in sent else "GET", **sent)
    assert refused.status_code == status
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)', refused.text)[1]
    form = {"language": "nl", "csrfmiddlewaretoken": token}
    assert strict.post("/language/", form).status_code == 302
