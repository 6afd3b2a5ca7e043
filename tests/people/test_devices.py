"""Devices join a player by a link that works once, and are signed out again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Device, DeviceLink, Player
from games.people import devices
from games.state.identity import clear_player_cache, player_of
from tests.support.game_factory import make_game
from tests.support.players import Person

pytestmark = pytest.mark.django_db(transaction=True)


def claim(token: str, *, claimant: str = "a browser", device: Device | None = None) -> Device:
    return devices.claim_device(token=token, device=device, claimant=claimant, name="Firefox")


def link_token(person: Person) -> str:
    return devices.device_token(devices.offer_device(player=person.player))


def first_device(person: Person) -> Device:
    return devices.register_device(player=person.player, device_id=person.player.pk, name="Edge")


def test_a_device_id_without_a_row_is_the_id_of_its_player(owner: Person) -> None:
    assert player_of(owner.player.pk) == owner.player.pk
    assert not Device.objects.exists()


def test_a_link_joins_a_browser_to_its_player(owner: Person) -> None:
    device = claim(link_token(owner))
    assert player_of(device.pk) == owner.player.pk
    assert len(devices.devices_of(owner.player)) == 2


def test_a_used_link_is_refused(owner: Person) -> None:
    token = link_token(owner)
    claim(token)
    with pytest.raises(devices.LinkSpent):
        claim(token, claimant="another browser")
    assert len(devices.devices_of(owner.player)) == 2


@pytest.mark.services
def test_a_form_sent_twice_joins_one_device(owner: Person) -> None:
    token = link_token(owner)
    assert claim(token) == claim(token)


def test_a_withdrawn_link_is_refused(owner: Person) -> None:
    token = link_token(owner)
    devices.withdraw_device(player=owner.player)
    with pytest.raises(devices.LinkSpent):
        claim(token)


def test_a_link_that_was_replaced_is_refused(owner: Person) -> None:
    token = link_token(owner)
    devices.offer_device(player=owner.player)
    with pytest.raises(devices.LinkSpent):
        claim(token)


def test_an_old_link_is_refused(owner: Person) -> None:
    token = link_token(owner)
    DeviceLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(devices.LinkSpent):
        claim(token)
    assert devices.open_device_link(owner.player) is None


def test_the_token_of_a_link_is_not_stored(owner: Person) -> None:
    token = link_token(owner)
    stored = DeviceLink.objects.values_list("salt", "hash", "claimant").get()
    assert token not in stored


def test_a_device_that_is_signed_out_has_no_player(owner: Person) -> None:
    device = claim(link_token(owner))
    devices.sign_out(player=owner.player, device_id=device.pk)
    assert player_of(device.pk) is None
    assert devices.devices_of(owner.player) == [Device.objects.get(pk=owner.player.pk)]


def test_the_first_device_can_be_signed_out_by_another(owner: Person) -> None:
    first_device(owner)
    device = claim(link_token(owner))
    devices.sign_out(player=owner.player, device_id=owner.player.pk)
    assert player_of(owner.player.pk) is None
    assert player_of(device.pk) == owner.player.pk


def test_nobody_signs_out_the_device_of_another_player(owner: Person, stranger: Person) -> None:
    device = claim(link_token(owner))
    devices.sign_out(player=stranger.player, device_id=device.pk)
    assert player_of(device.pk) == owner.player.pk


def test_a_process_that_hears_of_a_change_looks_devices_up_again(owner: Person) -> None:
    device = claim(link_token(owner))
    assert player_of(device.pk) == owner.player.pk
    Device.objects.update(signed_out=timezone.now())
    assert player_of(device.pk) == owner.player.pk
    clear_player_cache()
    assert player_of(device.pk) is None


@pytest.mark.services
def test_a_browser_with_games_brings_them_and_gets_another_id(
    owner: Person, opponent: Person
) -> None:
    game = make_game(opponent)
    device = claim(link_token(owner), device=first_device(opponent))
    assert player_of(device.pk) == owner.player.pk
    assert player_of(opponent.player.pk) is None
    assert set(game.seats.values_list("players", flat=True)) == {owner.player.pk}
    assert not Player.objects.filter(pk=opponent.player.pk).exists()
