"""What a page shows to one seat alone: no browser keeps it, and nothing opens it by chance."""

from __future__ import annotations

import pytest

from games.models import Game
from games.registry import all_rules
from tests.support.game_factory import make_game
from tests.support.kinds import default_specs, kinds_with_secrets
from tests.support.players import Person

pytestmark = pytest.mark.django_db

PAGES = ("", "0/")


def at_their_own_devices(slug: str, owner: Person, seat: str) -> Game:
    """A game in which the owner has one seat and nobody another one."""
    rules = all_rules()[slug]
    seating = {spec.key: "me" if spec.key == seat else "invite" for spec in default_specs(rules)}
    return make_game(owner, rules=rules, seating=seating)


def seat_of(slug: str, *, secret: bool) -> str:
    return next(spec.key for spec in default_specs(all_rules()[slug]) if spec.secret == secret)


def kept(who: Person, address: str) -> bool:
    return "no-store" not in who.client.get(address).get("Cache-Control", "")


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_a_page_with_secrets_is_never_stored(slug, owner):
    game = at_their_own_devices(slug, owner, seat_of(slug, secret=True))
    assert not any(kept(owner, game.get_absolute_url() + page) for page in PAGES)


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_a_page_without_secrets_may_be_stored(slug, owner, stranger):
    game = at_their_own_devices(slug, owner, seat_of(slug, secret=False))
    assert all(
        kept(who, game.get_absolute_url() + page) for who in (owner, stranger) for page in PAGES
    )


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_a_shared_device_cannot_open_secrets_of_a_past_position(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    secret = seat_of(slug, secret=True)
    address = f"{game.get_absolute_url()}0/"
    plain, asked = (owner.client.get(address, query) for query in ({}, {"seat": secret}))
    assert board_of(asked) == board_of(plain)


def board_of(response) -> str:
    return response.text.partition('class="board-side"')[2].partition("</table>")[0]
