"""Pages with the secrets of a seat are never stored, and are not opened by an address."""

from __future__ import annotations

import pytest

from games.core.registry import all_rules
from games.models import Game
from tests.support.game_factory import make_game
from tests.support.kinds import default_specs, kinds_with_secrets, kinds_with_two_information_sets
from tests.support.players import Person

pytestmark = pytest.mark.django_db

PAGES = ("", "0/")


def make_game_on_several_devices(slug: str, owner: Person, seat: str) -> Game:
    """Return a game in which the owner holds one seat and the others are open."""
    rules = all_rules()[slug]
    seating = {spec.key: "me" if spec.key == seat else "invite" for spec in default_specs(rules)}
    return make_game(owner, rules=rules, seating=seating)


def first_seat(slug: str, *, secret: bool) -> str:
    """Return the key of the first seat with or without secrets."""
    return next(spec.key for spec in default_specs(all_rules()[slug]) if spec.secret == secret)


def may_be_stored(person: Person, address: str) -> bool:
    return "no-store" not in person.client.get(address).get("Cache-Control", "")


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_a_page_with_secrets_is_never_stored(slug, owner):
    game = make_game_on_several_devices(slug, owner, first_seat(slug, secret=True))
    assert not any(may_be_stored(owner, game.get_absolute_url() + page) for page in PAGES)


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_a_page_without_secrets_may_be_stored(slug, owner, stranger):
    game = make_game_on_several_devices(slug, owner, first_seat(slug, secret=False))
    assert all(
        may_be_stored(person, game.get_absolute_url() + page)
        for person in (owner, stranger)
        for page in PAGES
    )


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_a_shared_device_cannot_open_secrets_of_a_past_position(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    secret = first_seat(slug, secret=True)
    address = f"{game.get_absolute_url()}0/"
    plain, opened = (owner.client.get(address, query) for query in ({}, {"seat": secret}))
    assert board_of(opened) == board_of(plain)


def board_of(response) -> str:
    return response.text.partition('class="board-side"')[2].partition("</table>")[0]
