"""Who may do what: ``access.tsv`` says it for every address and method, and the site agrees.

A line: method, name of the address, and the status that a browser without a player, a stranger, the
opponent and the owner get. The game is running and it is the owner's turn.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from games import services
from games.models import Game
from games.registry import all_rules
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move
from tests.support.kinds import two_player_rules
from tests.support.players import Person, new_person

TABLE = Path(__file__).with_name("access.tsv")
ROLES = ("anonymous", "stranger", "opponent", "owner")


def lines() -> list[tuple[str, ...]]:
    rows = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]]
    return [tuple(row) for row in rows]


def addresses() -> set[str]:
    patterns = get_resolver("games.urls").url_patterns
    return {str(pattern.name) for pattern in patterns}


def test_the_access_table_lists_every_address_and_method():
    wanted = {(method, name) for name in addresses() for method in ("GET", "POST")}
    assert {(line[0], line[1]) for line in lines()} == wanted


class Scene:
    """A game of owner and opponent, and everybody's browser."""

    def __init__(self) -> None:
        owner, opponent, stranger = new_person("Olive"), new_person("Otto"), new_person("Stan")
        self.game: Game = make_game(owner, opponent)
        self.people = {
            "anonymous": Client(),
            "stranger": stranger.client,
            "opponent": opponent.client,
            "owner": owner.client,
        }
        self.owner: Person = owner
        first, second = (
            spec.key for spec in two_player_rules().seats(two_player_rules().clean({}))
        )
        self.open_game = make_game(owner, seating={first: "me", second: "invite"})
        self.token = services.invitation_token(self.open_game.seats.get(key=second))

    def address(self, name: str) -> str:
        slug = next(iter(all_rules()))
        parts = {
            "new": [slug],
            "rules": [slug],
            "join": [self.token],
            "join_code": [self.token],
            "at_ply": [self.game.id, 0],
            "picture": [self.game.id, 0],
            "home": [],
            "settings": [],
            "set_language": [],
        }
        return reverse(name, args=parts.get(name, [self.game.id]))

    def form(self) -> dict[str, str]:
        seat, move = next_legal_move(self.game)
        return {"seat": seat, "move": move, "ply": "0", "agree": "no", "language": "en"}


@pytest.mark.django_db
@pytest.mark.parametrize("line", lines(), ids=lambda line: f"{line[0]} {line[1]}")
@pytest.mark.parametrize("role", ROLES)
def test_the_site_follows_the_access_table(line, role):
    method, name, *statuses = line
    scene = Scene()
    client, address = scene.people[role], scene.address(name)
    response = client.get(address) if method == "GET" else client.post(address, scene.form())
    assert str(response.status_code) == dict(zip(ROLES, statuses, strict=True))[role]
    assert response.status_code < 500
