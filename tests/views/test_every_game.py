"""Every game, played through the site's pages."""

from __future__ import annotations

from random import Random
from urllib.parse import urlsplit

import pytest
from django.test import Client

from games.contract import Rules
from games.core.registry import all_rules
from games.models import Game
from tests.support.random_games import random_legal_move
from tests.support.snapshots import position_at

pytestmark = [pytest.mark.django_db, pytest.mark.services]

PLIES = 12

each_kind = pytest.mark.parametrize("rules", all_rules().values(), ids=all_rules())


def solo_form(client: Client, rules: Rules) -> dict[str, str]:
    """Return the default fields of the form of a new game, with every seat on this device."""
    fields = list(client.get(f"/new/{rules.slug}/").context["form"])
    defaults = {
        field.name: str(field.value()) for field in fields if field.value() not in (None, False)
    }
    seats = {field.name: "me" for field in fields if field.name.startswith("seat-")}
    return {**defaults, **seats}


def new_game(client: Client, rules: Rules) -> Game:
    response = client.post(f"/new/{rules.slug}/", solo_form(client, rules))
    assert response.status_code == 302
    return Game.objects.get(pk=urlsplit(response.url).path.strip("/").split("/")[-1])


def play(client: Client, game: Game, seat: str, move: str) -> int:
    """Post a move, and return the status."""
    address = f"/g/{game.pk}/move/"
    return client.post(address, {"seat": seat, "move": move, "ply": game.ply}).status_code


@each_kind
@pytest.mark.parametrize("folder", ["new", "rules"])
def test_every_kind_has_its_setup_and_rules_pages(
    client: Client, rules: Rules, folder: str
) -> None:
    response = client.get(f"/{folder}/{rules.slug}/")
    assert response.status_code == 200
    assert str(rules.name) in response.text


@each_kind
def test_a_game_is_set_up_played_and_resigned_through_its_pages(
    client: Client, rules: Rules
) -> None:
    rng, game = Random(1), new_game(client, rules)
    for ply in range(PLIES):
        position = position_at(game, game.ply)
        if not position.to_move():
            break
        assert play(client, game, *random_legal_move(position, rng)) == 302
        game.refresh_from_db()
        assert game.ply == ply + 1
        assert client.get(f"/g/{game.pk}/").status_code == 200
    for seat in sorted(position_at(game, game.ply).to_move()):
        client.post(f"/g/{game.pk}/resign/", {"seat": seat, "ply": game.ply})
        game.refresh_from_db()
    assert client.get(f"/g/{game.pk}/").status_code == 200


@each_kind
def test_every_position_of_a_game_has_an_address(client: Client, rules: Rules) -> None:
    game = new_game(client, rules)
    play(client, game, *random_legal_move(position_at(game, 0), Random(2)))
    assert [client.get(f"/g/{game.pk}/{ply}/").status_code for ply in (0, 1, 2)] == [200, 200, 404]
