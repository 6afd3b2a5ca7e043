"""People of one name at a table are told apart."""

from __future__ import annotations

import pytest

from games.models import Holder
from games.services.players import rename
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("name", ["Olive", "\u041elive", "OLIVE"])
def test_a_guest_who_looks_like_the_host_gets_a_number(owner, opponent, stranger, name):
    rename(player=owner.player, name="Olive")
    rename(player=opponent.player, name=name)
    for host, guest in ((owner, opponent), (opponent, owner)):
        page = get_game_page(stranger, make_game(host, guest))
        assert f"{guest.player.name} (2)" in page
        assert f"{host.player.name} (2)" not in page or host.player.name == guest.player.name
        assert "(3)" not in page


def test_the_same_person_on_two_seats_gets_no_number(owner):
    keys = seat_keys(two_player_rules())
    game = make_game(owner, seating=dict.fromkeys(keys, "me"))
    assert Holder.objects.filter(seat__game=game).count() == len(keys)
    assert "(2)" not in get_game_page(owner, game)


def test_other_names_get_no_number(owner: Person, opponent: Person):
    assert "(2)" not in get_game_page(owner, make_game(owner, opponent))
