"""A player of a test, and the browser that holds its cookie."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

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

    def download(self) -> Any:
        """Return the person's own data, as the file has it."""
        return json.loads(self.client.get("/me/account/data/").getvalue())


def new_person(name: str) -> Person:
    """Return a new player of this name, with a browser that holds its cookie."""
    player = players.new_player(name=name)
    client = Client()
    client.cookies = set_player_cookie(HttpResponse(), player).cookies
    return Person(player, client)
