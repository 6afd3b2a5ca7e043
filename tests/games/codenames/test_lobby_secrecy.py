"""The bytes of a lobby are the same for two keys, for everybody in it and outside."""

from __future__ import annotations

import pytest
from django.test import Client

from games.codenames.rules import RULES
from games.models import Game
from games.services import lobby, seats, setup
from games.storage.cache import clear_all
from tests.games.codenames.test_secrecy import BLUE, KEY, OTHER, RED, RED_SPY, WAYS, recorded
from tests.support.players import new_person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_time")]

PATHS = ("", "board/", "board/?lobby=guest", "0/", "0/picture.png", "seats/", "hint/", "analysis/")


def test_no_byte_of_a_lobby_depends_on_the_key() -> None:
    people = {name: new_person(name) for name in ("host", RED, BLUE)}
    game = setup.create_game(
        player=people["host"].player,
        new=setup.NewGame(
            rules=RULES,
            options={"rows": 4, "columns": 5, "own_key": KEY},
            seating={RED_SPY: "me"},
            lobby=True,
        ),
    )
    for seat in (RED, BLUE):
        lobby.sit_down(game_id=game.id, seat_key=seat, player=people[seat].player)
    game.refresh_from_db()
    invitation = f"/invite/{seats.lobby_token(game)}/"
    addresses = [invitation, *(f"/g/{game.id}/{path}" for path in PATHS)]
    clients = [Client(), *(person.client for person in people.values())]
    seen: dict[str, list[bytes]] = {}
    for key in (KEY, OTHER):
        Game.objects.filter(pk=game.pk).update(setup={**game.setup, "key": key})
        clear_all()
        seen[key] = [
            recorded(client.get(address, query, headers=headers))
            for client in clients
            for address in addresses
            for query, headers in WAYS
        ]
    assert len(seen[KEY]) == len(clients) * len(addresses) * len(WAYS)
    assert seen[KEY] == seen[OTHER]
