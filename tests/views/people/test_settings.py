"""The page of settings, and the choice of a language."""

from __future__ import annotations

import re

import pytest

from games.core.registry import all_rules
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page
from tests.support.kinds import seat_keys, two_player_rules

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


def test_settings_lead_back_to_the_page_that_asked_for_them(client):
    page = client.get("/").text
    assert 'href="/settings/?next=/"' in page
    page = client.get("/settings/?next=/new/x/").text
    assert 'name="next" value="/new/x/"' in page
    assert '<a class="button quiet back" href="/new/x/">' in page
    saved = client.post("/settings/", {"theme": "dark", "next": "/new/x/"})
    assert saved["Location"] == "/new/x/"


@pytest.mark.parametrize("path", ["//elsewhere.example/", "https://elsewhere.example/", "x", ""])
def test_settings_lead_to_no_other_site(client, path):
    saved = client.post("/settings/", {"theme": "dark", "next": path})
    assert saved["Location"] == "/settings/?saved"


def test_the_menu_of_settings_is_answered_without_a_page(client):
    headers = {"HX-Request": "true"}
    saved = client.post("/settings/", {"sound": "on", "next": "/"}, headers=headers)
    assert (saved.status_code, saved.content) == (204, b"")
    assert 'data-sound="' in client.get("/").text


def test_the_link_to_the_settings_names_no_invitation(owner):
    game = make_game(owner, seating=dict.fromkeys(seat_keys(two_player_rules()), "invite"))
    [link, *_] = re.findall(r"/join/[^/\"]+/", get_game_page(owner, game))
    assert 'href="/settings/"' in owner.client.get(link).text


def test_saved_settings_are_confirmed(client):
    response = client.post("/settings/", {"theme": "dark"})
    assert '<p class="whose" role="status">Saved.' in client.get(response["Location"]).text
    assert "Saved." not in client.get("/settings/").text


LOOKS = [
    (slug, value, value == rules.look.default)
    for slug, rules in all_rules().items()
    if rules.look
    for value, _label in rules.look.choices
]


@pytest.mark.parametrize(("slug", "value", "is_default"), LOOKS)
def test_the_look_of_a_game_is_named_on_every_page_unless_it_is_the_default(
    client, slug, value, is_default
):
    client.post("/settings/", {f"look-{slug}": value})
    expected = [] if is_default else [f"{slug}-{value}"]
    assert re.findall(r'data-looks="([^"]*)"', client.get("/").text) == expected
    field = rf'name="look-{slug}" value="{value}" checked'
    assert re.search(field, client.get("/settings/").text)


def test_an_unknown_look_is_ignored(client):
    client.post("/settings/", {f"look-{slug}": '"><script>' for slug in all_rules()})
    client.cookies["preferences"] = "looks=nowhere-plan"
    assert "data-looks" not in client.get("/").text
