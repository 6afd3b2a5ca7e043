"""Who may keep an answer: what is shown to one browser no proxy gives to another one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game
from games.registry import all_rules
from games.services import invitation_token
from tests.support.game_factory import make_game_with_open_seat
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def told(answer, header: str) -> set[str]:
    return {each.strip() for each in answer.get(header, "").split(",")}


PAGES = ("/", "/settings/", f"/rules/{next(iter(all_rules()))}/", "/nowhere/")


@pytest.mark.parametrize("path", [*PAGES, "{}", "{}board/", "{}seats/", "{}0/", "{}hint/"])
def test_what_one_browser_is_shown_no_other_gets(owner, game, path):
    answer = owner.client.get(path.format(game.get_absolute_url()))
    assert "Cookie" in told(answer, "Vary")
    assert told(answer, "Cache-Control") in ({"private"}, {"no-store"})


@pytest.mark.parametrize("name", ["join", "join_code"])
def test_no_browser_keeps_an_invitation(client, game, name):
    token = invitation_token(game.seats.get(holders__isnull=True))
    assert told(client.get(reverse(name, args=[token])), "Cache-Control") == {"no-store"}


def test_no_browser_keeps_the_links_to_seats(owner, game):
    answer = owner.client.get(reverse("seats", args=[game.id]))
    assert told(answer, "Cache-Control") == {"no-store"}


def test_a_picture_is_for_everybody(owner, game):
    answer = owner.client.get(f"{game.get_absolute_url()}0/picture.png")
    assert told(answer, "Cache-Control") == {"public", "max-age=300"}
