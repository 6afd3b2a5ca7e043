"""Seats that several players hold, and seats with secrets."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.contract import BadSetup
from games.core.registry import all_rules
from games.models import Game, Seat
from games.services import setup
from games.services.seats import claim_seat, invitation_token
from tests.support.game_factory import invitation_path, make_game
from tests.support.game_requests import get_game_page
from tests.support.kinds import (
    default_specs,
    kinds_with_shared_seats,
    kinds_with_two_information_sets,
    seat_keys,
    two_player_rules,
)
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def shared_seat(owner: Person, stranger: Person) -> Seat:
    """Return a shared seat that the stranger holds and others can join."""
    rules = all_rules()[kinds_with_shared_seats()[0]]
    specs = default_specs(rules)
    game = make_game(owner, rules=rules, seating={spec.key: "invite" for spec in specs})
    seat = game.seats.get(key=next(spec.key for spec in specs if spec.shared))
    claim_seat(token=invitation_token(seat), player=stranger.player)
    return seat


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_a_holder_without_secrets_cannot_claim_a_seat_with_secrets(slug, owner, client):
    rules = all_rules()[slug]
    specs = default_specs(rules)
    secret = next(spec.key for spec in specs if spec.secret)
    plain = next(spec.key for spec in specs if not spec.secret)
    game = make_game(owner, rules=rules, seating={spec.key: "invite" for spec in specs})
    for key, status in ((plain, 302), (secret, 422)):
        token = invitation_token(game.seats.get(key=key))
        assert client.post(f"/join/{token}/", {}).status_code == status
    assert not game.seats.get(key=secret).holders.exists()


@pytest.mark.parametrize("slug", kinds_with_shared_seats())
def test_the_link_of_a_shared_seat_admits_several_players(slug, owner):
    rules = all_rules()[slug]
    shared = next(spec.key for spec in default_specs(rules) if spec.shared)
    seats = {spec.key: "invite" for spec in default_specs(rules)}
    game = make_game(owner, rules=rules, seating=seats)
    token = invitation_token(game.seats.get(key=shared))
    for name in ("Ann", "Ben"):
        Client().post(f"/join/{token}/", {"name": name})
    assert game.seats.get(key=shared).holders.count() == 2


def test_the_link_of_a_shared_seat_leads_its_holder_to_the_game_and_stays_valid(
    shared_seat, stranger, client
):
    address = invitation_path(shared_seat)
    assert stranger.client.get(address).get("Location") == shared_seat.game.get_absolute_url()
    assert "Take this seat" in client.get(address).text


def test_a_holder_of_a_shared_seat_is_not_offered_to_move_it(shared_seat, stranger):
    page = get_game_page(stranger, shared_seat.game)
    assert "Continue on another device" not in page


def test_moving_a_shared_seat_is_refused_with_a_reference_to_its_invitation(
    shared_seat, stranger, owner
):
    address = invitation_path(shared_seat)
    response = stranger.client.post(f"/g/{shared_seat.game.id}/device/", {"seat": shared_seat.key})
    assert response.status_code == 422
    assert "A team’s invitation link works on any device" in response.text
    assert address in get_game_page(owner, shared_seat.game)


def test_cancelling_leaves_the_invitation_of_a_shared_seat_valid(shared_seat, stranger, client):
    address = invitation_path(shared_seat)
    assert (
        stranger.client.post(
            f"/g/{shared_seat.game_id}/device/", {"stay": shared_seat.key}
        ).status_code
        == 302
    )
    assert "Take this seat" in client.get(address).text


def test_further_invitations_come_after_the_board(shared_seat, owner):
    page = get_game_page(owner, shared_seat.game)
    address = invitation_path(shared_seat)
    assert page.index('id="board"') < page.index("Invite more people") < page.index(address)


def test_refreshed_links_include_the_further_invitations(shared_seat, owner):
    links = owner.client.get(f"/g/{shared_seat.game.id}/seats/").text
    further = re.split('<div id="more-links"[^>]* hx-swap-oob=', links)[1]
    assert invitation_path(shared_seat) in further


def test_no_computer_sits_beside_a_person_on_a_seat_for_one(owner):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    new = setup.NewGame(rules=rules, options={}, seating={first: "me-computer-1", second: "invite"})
    with pytest.raises(BadSetup) as refused:
        setup.create_game(player=owner.player, new=new)
    assert refused.value.option == f"seat-{first}"
    assert not Game.objects.exists()
