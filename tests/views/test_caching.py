"""Cache-Control and Vary: pages are private to a browser, pictures public."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.core.registry import all_rules
from games.models import Game
from games.services.seats import invitation_token
from tests.support.game_factory import make_game_with_open_seat, open_seat
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def header_values(response, header: str) -> set[str]:
    return {value.strip() for value in response.get(header, "").split(",")}


PAGES = ("/", "/settings/", f"/rules/{next(iter(all_rules()))}/", "/nowhere/")


@pytest.mark.parametrize("path", [*PAGES, "{}", "{}board/", "{}seats/", "{}0/", "{}hint/"])
def test_pages_are_private_to_a_browser(owner, game, path):
    response = owner.client.get(path.format(game.get_absolute_url()))
    assert "Cookie" in header_values(response, "Vary")
    assert header_values(response, "Cache-Control") in ({"private"}, {"no-store"})


@pytest.mark.parametrize("name", ["join", "join_code"])
def test_an_invitation_is_never_stored(client, game, name):
    token = invitation_token(open_seat(game))
    assert header_values(client.get(reverse(name, args=[token])), "Cache-Control") == {"no-store"}


def test_a_page_with_seat_links_is_never_stored(owner, game):
    response = owner.client.get(reverse("seats", args=[game.id]))
    assert header_values(response, "Cache-Control") == {"no-store"}


def test_a_picture_may_be_cached_publicly(owner, game):
    response = owner.client.get(f"{game.get_absolute_url()}0/picture.png")
    assert header_values(response, "Cache-Control") == {"public", "max-age=300"}
