"""The page of settings, and the choice of a language."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


def test_settings_are_stored_in_cookies(client):
    client.post("/settings/", {"theme": "dark", "confirm": "always", "sound": "on"})
    assert 'data-theme="dark"' in client.get("/").text


def test_unknown_settings_are_ignored(client):
    client.post("/settings/", {"theme": '"><script>', "confirm": "٣"})
    assert 'data-theme="auto"' in client.get("/").text


def test_a_player_is_renamed(owner):
    owner.client.post("/settings/", {"name": "Olivia"})
    owner.player.refresh_from_db()
    assert owner.player.name == "Olivia"


def test_a_name_with_hidden_characters_is_refused(owner):
    response = owner.client.post("/settings/", {"name": "a\u202eb"})
    assert response.status_code == 422
    assert "invisible" in response.text


def test_the_visitor_chooses_the_language(client):
    client.post("/language/", {"language": "nl", "next": "/"})
    assert '<html lang="nl"' in client.get("/").text


def test_saved_settings_are_confirmed(client):
    response = client.post("/settings/", {"theme": "dark"})
    assert '<p class="whose" role="status">Saved.' in client.get(response["Location"]).text
    assert "Saved." not in client.get("/settings/").text
