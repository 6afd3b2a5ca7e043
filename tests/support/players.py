"""A player of a test, and the browser that holds its cookie."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.test import Client

from games.models import Player
from games.services import players
from games.web.player_cookie import set_player_cookie


@dataclass
class Person:
    """A player and the test client that holds its signed cookie."""

    player: Player
    client: Client


def new_person(name: str) -> Person:
    """Return a new player of this name, with a browser that holds its cookie."""
    player = players.new_player(name=name)
    client = Client()
    client.cookies = set_player_cookie(HttpResponse(), player).cookies
    return Person(player, client)
