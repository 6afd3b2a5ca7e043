"""The bytes of games from a word pack are the same for two keys, and in a lobby for two deals."""

from __future__ import annotations

import pytest
from django.test import Client

from games.codenames.rules import RULES
from games.models import Game, Pack
from games.services import lobby, packs, seats, setup
from games.storage.cache import clear_all
from tests.games.codenames.test_secrecy import (
    BLUE,
    HTMX,
    KEY,
    OTHER,
    PATHS,
    RED,
    RED_SPY,
    SPOKEN,
    Table,
    recorded,
)
from tests.support.packs import dealt_words, make_pack, pack_options
from tests.support.players import new_person

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.services,
    pytest.mark.usefixtures("still_time"),
]


def pack_pages(pack: Pack) -> list[str]:
    """Return the addresses of pages about a pack, including its link."""
    shared = packs.share_pack(player=pack.player, pack_id=pack.pk, shared=True)
    link = f"/pack/{packs.pack_token(shared)}/"
    return ["/me/packs/", f"/me/packs/{pack.pk}/", link, "/me/", "/me/account/data/"]


def test_no_byte_of_a_game_from_a_pack_depends_on_the_key() -> None:
    table = Table(SPOKEN, cards="pack")
    pages = pack_pages(Pack.objects.get())
    paths = ("", "board/", "seats/", "0/", "2/", "4/picture.png", f"?seat={RED_SPY}")
    addresses = [*pages, *(table.address + path for path in paths)]
    seen = []
    for key in (KEY, OTHER):
        table.with_key(key)
        seen.append(
            {
                f"{who} asks for {address} {headers}": recorded(
                    client.get(address, headers=headers)
                )
                for who, client in table.guessers()
                for address in addresses
                for headers in ({}, HTMX)
            }
        )
    assert len(seen[0]) == 4 * 2 * len(addresses)
    assert [request for request in seen[0] if seen[0][request] != seen[1][request]] == []


def test_no_byte_of_a_lobby_or_of_its_pack_depends_on_the_words_that_were_drawn() -> None:
    host, guest = new_person("host"), new_person(BLUE)
    pack = make_pack(host, RULES, number=60)
    game = setup.create_game(
        player=host.player,
        new=setup.NewGame(
            rules=RULES,
            options=pack_options(pack),
            seating={RED: "me"},
            lobby=True,
        ),
    )
    lobby.sit_down(game_id=game.pk, seat_key=BLUE, player=guest.player)
    game.refresh_from_db()
    invitation = f"/invite/{seats.lobby_token(game)}/"
    addresses = [*pack_pages(pack), invitation, *(f"/g/{game.pk}/{path}" for path in PATHS)]
    seen, words = [], pack.texts
    for drawn in (words[:25], words[35:]):
        Game.objects.filter(pk=game.pk).update(setup={**game.setup, "cards": drawn})
        Pack.objects.filter(pk=pack.pk).update(used=drawn)
        clear_all()
        assert dealt_words(Game.objects.get(pk=game.pk)) == drawn
        seen.append(
            [
                recorded(client.get(address))
                for client in (host.client, guest.client, Client())
                for address in addresses
            ]
        )
    assert seen[0] == seen[1]
