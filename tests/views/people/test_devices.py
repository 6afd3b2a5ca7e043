"""The pages of one's devices: the link, its claim, and signing out."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Account, Device, DeviceLink
from tests.support.game_factory import make_game
from tests.support.players import Person

pytestmark = pytest.mark.django_db(transaction=True)

LINK = re.compile(r"/device/[0-9a-f]{32}/")


def offered_path(person: Person) -> str:
    """Return the path of a new link on the page of devices."""
    person.client.post("/me/devices/link/")
    found = LINK.search(person.client.get("/me/devices/").text)
    assert found
    return found[0]


def test_a_link_opens_all_games_on_another_browser(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    phone = Client(headers={"User-Agent": "Mozilla/5.0 (Android 14) Firefox/140.0"})
    path = offered_path(owner)
    assert "Olive" in phone.get(path).text
    assert phone.post(path).status_code == 302
    assert game.get_absolute_url() in phone.get("/").text
    assert "Firefox, Android" in owner.client.get("/me/access/").text


def test_the_list_of_devices_tells_when_each_was_last_at_a_game(
    owner: Person, opponent: Person
) -> None:
    game = make_game(owner, opponent)
    phone = Client(headers={"User-Agent": "Mozilla/5.0 (Android 14) Firefox/140.0"})
    phone.post(offered_path(owner))
    phone.get(game.get_absolute_url())
    three_hours = timezone.now() - timedelta(hours=3, minutes=1)
    phones = Device.objects.filter(name__contains="Android")
    assert phones.get().seen_at > three_hours
    phones.update(seen_at=three_hours)
    page = owner.client.get("/me/access/").text.replace("\xa0", " ")
    assert page.count("This device") == 1
    assert "Last seen 3 hours, 1 minute ago" in page


def test_no_link_carries_an_account_away(owner: Person, stranger: Person) -> None:
    game = make_game(owner)
    owner.client.post("/me/account/create/", {"name": "Olive", "password": "four wise otters"})
    path = offered_path(stranger)
    for response in (owner.client.get(path), owner.client.post(path)):
        assert response.status_code == 403
        assert "a link can’t move it" in response.text
        assert "Continue here" not in response.text
    assert Account.objects.get().player == owner.player
    assert game.get_absolute_url() not in stranger.client.get("/me/").text
    assert Client().post(path).status_code == 302


def test_a_guest_is_told_what_a_link_would_move(owner: Person, stranger: Person) -> None:
    make_game(owner)
    page = owner.client.get(offered_path(stranger)).text
    assert "This device brings along" in page
    assert "1 game" in page
    assert "word pack" not in page


def test_opening_a_link_does_not_use_it_up(owner: Person) -> None:
    path = offered_path(owner)
    assert [Client().get(path).status_code for _ in range(2)] == [200, 200]
    assert Client().post(path).status_code == 302


def test_a_used_link_says_so(owner: Person) -> None:
    path = offered_path(owner)
    Client().post(path)
    for response in (Client().get(path), Client().post(path)):
        assert response.status_code == 410
        assert "This link has been used" in response.text


def test_a_withdrawn_link_leaves_the_page(owner: Person) -> None:
    path = offered_path(owner)
    owner.client.post("/me/devices/link/", {"cancel": "1"})
    assert path not in owner.client.get("/me/devices/").text
    assert Client().get(path).status_code == 410


def test_the_link_and_its_code_are_never_stored_by_browsers(owner: Person) -> None:
    path = offered_path(owner)
    for address in ("/me/devices/", path, f"{path}code.svg"):
        assert "no-store" in owner.client.get(address)["Cache-Control"]


def test_the_owner_of_a_link_is_told_to_open_it_elsewhere(owner: Person) -> None:
    assert "already has these games" in owner.client.get(offered_path(owner)).text


def test_a_device_that_is_signed_out_starts_anew(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    phone = Client()
    phone.post(offered_path(owner))
    device = Device.objects.exclude(pk=owner.player.pk).get()
    owner.client.post("/me/devices/sign-out/", {"device": str(device.pk)})
    assert game.get_absolute_url() not in phone.get("/").text
    assert game.get_absolute_url() in owner.client.get("/").text


def test_moves_of_a_device_that_is_signed_out_are_refused(owner: Person) -> None:
    game = make_game(owner)
    phone = Client()
    phone.post(offered_path(owner))
    device = Device.objects.exclude(pk=owner.player.pk).get()
    owner.client.post("/me/devices/sign-out/", {"device": str(device.pk)})
    sent = {"seat": game.to_move[0], "move": "resign", "ply": "0"}
    assert phone.post(f"/g/{game.id}/move/", sent).status_code == 403


def test_a_joined_device_stays_one_when_it_begins_a_game(owner: Person, stranger: Person) -> None:
    phone = Client()
    phone.post(offered_path(owner))
    before = phone.cookies["player"].value
    phone.post("/settings/", {"name": "Olivia"})
    game = make_game(stranger, seating=None)
    assert phone.get(f"/g/{game.id}/").status_code == 200
    assert phone.cookies["player"].value == before
    owner.player.refresh_from_db()
    assert owner.player.name == "Olivia"


def test_a_browser_without_games_is_told_how_to_join(client: Client) -> None:
    assert "open this page there" in client.get("/me/devices/").text
    assert client.post("/me/devices/link/").status_code == 403
    assert not DeviceLink.objects.exists()


@pytest.mark.parametrize("device", ["", "nonsense"])
def test_an_invalid_device_id_is_not_found(owner: Person, device: str) -> None:
    response = owner.client.post("/me/devices/sign-out/", {"device": device})
    assert response.status_code == 404


def test_the_browser_of_a_deleted_player_gets_no_link(owner):
    owner.client.post("/me/account/delete/")
    assert owner.client.post("/me/devices/link/").status_code == 403
