"""Moving a seat to another device, and cancelling that."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse

from games.models import Game, Seat
from games.services import seats
from tests.support.game_factory import (
    invitation_path,
    make_game,
    make_game_with_open_seat,
    open_seat,
)
from tests.support.game_requests import get_game_page
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def invitation_link(game: Game) -> str:
    return invitation_path(open_seat(game))


def test_a_seat_moves_to_another_device_and_leaves_the_first(game, owner, client):
    seat = game.seats.get(players=owner.player)
    owner.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    seat.refresh_from_db()
    address = invitation_path(seat)
    assert address in get_game_page(owner, game)
    client.post(address, {"name": "Olive’s phone"})
    assert [str(player) for player in seat.players.all()] == ["Olive’s phone"]


@pytest.fixture
def moving(game: Game, owner: Person) -> Seat:
    """Return the owner's seat, with a link that moves it to another device."""
    seat = game.seats.get(players=owner.player)
    owner.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    seat.refresh_from_db()
    return seat


def test_the_link_for_another_device_greets_the_player_by_name(moving, client):
    page = client.get(invitation_path(moving)).text
    assert "Continue " in page
    assert 'value="Olive"' in page
    assert "invited" not in page


def test_the_link_for_another_device_is_shown_to_the_holder_alone(owner, opponent, stranger):
    game = make_game(owner, opponent)
    seat = game.seats.get(players=opponent.player)
    seat = seats.offer_seat(game_id=game.id, seat_key=seat.key, player=opponent.player)
    shown = [
        invitation_path(seat) in get_game_page(person, game)
        for person in (owner, opponent, stranger)
    ]
    assert shown == [False, True, False]


def test_the_link_for_another_device_opened_on_the_same_one_moves_nothing(moving, owner):
    address = invitation_path(moving)
    assert "Continue " in owner.client.get(address).text
    assert owner.client.post(address)["Location"] == moving.game.get_absolute_url()
    assert [str(player) for player in moving.players.all()] == ["Olive"]


def test_an_unknown_seat_cannot_move_to_another_device(game, owner):
    for sent in ({"seat": "nowhere"}, {"stay": "nowhere"}, {}):
        assert owner.client.post(f"/g/{game.id}/device/", sent).status_code == 404


def test_a_moved_seat_keeps_its_players_name(moving, client):
    client.post(invitation_path(moving), {"name": ""})
    assert [str(player) for player in moving.players.all()] == ["Olive"]


def test_a_device_with_a_name_keeps_it_when_a_seat_arrives(moving, stranger):
    stranger.client.post(invitation_path(moving), {"name": ""})
    assert [str(player) for player in moving.players.all()] == ["Stan"]


def test_the_device_that_a_seat_left_is_told_of_the_move(moving, owner, client):
    address = re.search(r'hx-get="(/g/\w+/seats/[^"]*)"', get_game_page(owner, moving.game))[1]
    assert "no longer has" not in owner.client.get(address).text
    client.post(invitation_path(moving), {})
    assert "This device no longer has this seat." in owner.client.get(address).text
    reloaded = re.search(r'hx-get="(/g/\w+/seats/[^"]*)"', get_game_page(owner, moving.game))[1]
    assert "no longer has" not in owner.client.get(reloaded).text


def cancel_move(person: Person, seat: Seat) -> HttpResponse:
    """Post that a seat stays on its device after all."""
    return person.client.post(f"/g/{seat.game_id}/device/", {"stay": seat.key})


def test_cancelling_the_move_keeps_the_seat_and_revokes_the_link(moving, owner, client):
    address = invitation_path(moving)
    assert "Cancel" in get_game_page(owner, moving.game)
    for _ in range(2):
        assert cancel_move(owner, moving).get("Location") == moving.game.get_absolute_url()
    page = get_game_page(owner, moving.game)
    assert address not in page and "Cancel" not in page
    assert client.get(address).status_code == client.post(address).status_code == 410
    assert client.get(f"{address}code.svg").status_code == 404
    assert [str(player) for player in moving.players.all()] == ["Olive"]


def test_after_a_cancelled_move_a_new_link_moves_the_seat(moving, owner, client):
    spent = seats.invitation_token(moving)
    cancel_move(owner, moving)
    seats.offer_seat(game_id=moving.game.id, seat_key=moving.key, player=owner.player)
    moving.refresh_from_db()
    client.post(invitation_path(moving), {"name": "Nora"})
    assert seats.invitation_token(moving) != spent
    assert [str(player) for player in moving.players.all()] == ["Nora"]


def test_only_the_holder_can_cancel_the_move_of_a_seat(moving, stranger, client):
    address = invitation_path(moving)
    assert cancel_move(stranger, moving).status_code == 403
    assert client.post(f"/g/{moving.game_id}/device/", {"stay": moving.key}).status_code == 403
    assert client.get(address).status_code == 200


def test_cancelling_after_the_move_does_not_return_the_seat(moving, owner, stranger):
    stranger.client.post(invitation_path(moving))
    assert cancel_move(owner, moving).status_code == 403
    assert [str(player) for player in moving.players.all()] == ["Stan"]


def test_an_invitation_cannot_be_cancelled_as_a_move_of_a_seat(game, owner):
    address = invitation_link(game)
    assert "Cancel" not in get_game_page(owner, game)
    assert cancel_move(owner, open_seat(game)).status_code == 403
    assert address in get_game_page(owner, game)


def test_a_player_cannot_move_the_seat_of_another(game, owner, stranger):
    seat = game.seats.get(players=owner.player)
    response = stranger.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    assert response.status_code == 403


def test_a_seat_of_a_shared_device_may_move_to_another_one(owner):
    assert "Continue on another device" in get_game_page(owner, make_game(owner))


def test_a_player_of_one_seat_is_led_to_the_devices_with_all_games(game, owner, stranger):
    page = get_game_page(owner, game)
    assert "Continue on another device" not in page
    assert page.count('href="/me/devices/"') == 1
    assert 'href="/me/devices/"' not in get_game_page(stranger, game)


def test_a_spent_link_does_not_return_a_seat_that_moved_to_another_device(game, client, stranger):
    address = invitation_link(game)
    stranger.client.post(address)
    seat = game.seats.get(players=stranger.player)
    stranger.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    seat.refresh_from_db()
    moved = invitation_path(seat)
    client.post(moved, {"name": "Nora"})
    for spent in (address, moved):
        assert stranger.client.get(spent).status_code == 410
        assert stranger.client.post(spent).status_code == 410
    assert client.get(moved).get("Location") == game.get_absolute_url()
    assert [str(player) for player in seat.players.all()] == ["Nora"]
