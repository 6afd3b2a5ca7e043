"""Requests with the character NUL, which PostgreSQL cannot store, are refused."""

from __future__ import annotations

import pytest

from tests.support.game_factory import make_game
from tests.support.players import new_person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.mark.parametrize("path", ["/g/%00/", "/join/a%00/", "/new/%00/", "/g/x%00/move/"])
def test_a_path_with_a_nul_byte_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_a_query_with_a_nul_byte_is_refused(client):
    assert client.get("/?a=b%00").status_code == 400


@pytest.mark.parametrize("field", ["seat", "move", "ply", "name"])
def test_a_form_with_a_nul_byte_is_refused(field):
    owner = new_person("Olive")
    game = make_game(owner)
    for content_type in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        body = f"{field}=%00"
        if "boundary" in content_type:
            body = f'--x\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n\0\r\n--x--\r\n'
        for address in ("move", "sit", "device"):
            path = f"/g/{game.id}/{address}/"
            response = owner.client.post(path, body.encode(), content_type=content_type)
            assert response.status_code == 400


def test_a_cookie_with_an_escaped_nul_byte_is_refused(client):
    assert client.get("/admin/", headers={"Cookie": 'sessionid="a\\000b"'}).status_code == 400


def test_a_text_that_resembles_an_escaped_nul_byte_is_accepted(client):
    assert client.get("/?a=%2500").status_code == 200
