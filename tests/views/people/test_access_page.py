"""Who can act for a player: one page lists it all, and one button ends all others."""

from __future__ import annotations

import logging
from copy import deepcopy
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from games.core.registry import all_rules
from games.models import ApiToken, Bot, Device, DeviceLink, PushSubscription, SecurityEvent, WebHook
from games.notices.channels import channels_of, players_after, set_hook
from games.people import access, devices
from games.people.bots import find_token, make_bot, make_token
from games.people.devices import device_token, offer_device
from tests.support.players import Person

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD, NEW_PASSWORD = "four wise otters", "five wise otters"
HOOK = "https://example.com/hook"
PAGE = "/me/access/"


def make_account(person: Person, name: str = "Olive") -> None:
    sent = {"name": name, "password": PASSWORD}
    assert person.client.post("/me/account/create/", sent).status_code == 200


def sign_in(client: Client, password: str = PASSWORD) -> Any:
    return client.post("/me/account/sign-in/", {"name": "Olive", "password": password})


def change_password(person: Person, **more: str) -> Any:
    sent = {"password": PASSWORD, "new": NEW_PASSWORD, **more}
    return person.client.post("/me/account/password/", sent)


def copy_of(client: Client) -> Client:
    """Return a browser with the cookies that another one has now, as a thief has them."""
    thief = Client()
    thief.cookies = deepcopy(client.cookies)
    return thief


def cookie(client: Client) -> str:
    return client.cookies[settings.PLAYER_COOKIE].value


def is_olive(client: Client) -> bool:
    return "signed in as <strong>Olive" in client.get("/me/account/").text


def token(person: Person, *, of_bot: bool = False) -> str:
    kinds = list(all_rules())
    bot = make_bot(owner=person.player, name="Ada", about="", kinds=kinds) if of_bot else None
    return make_token(player=person.player, name="script", bot=bot)


def add_hook(person: Person) -> None:
    set_hook(player=person.player, url=HOOK, site="https://boards.example/")


def notes(person: Person) -> list[str]:
    return [event.kind for event in access.last_events(person.player)]


def test_the_page_lists_devices_tokens_bots_hook_link_and_events(owner: Person) -> None:
    make_account(owner)
    token(owner, of_bot=True)
    add_hook(owner)
    offer_device(player=owner.player)
    sign_in(Client(headers={"User-Agent": "Mozilla/5.0 (Android 14) Firefox/140.0"}))
    page = owner.client.get(PAGE).text
    for listed in ("Firefox, Android", "script", "Ada (bot)", HOOK, "Link for another device"):
        assert listed in page
    assert "Signed in" in page and "A token was made" in page


def test_a_stranger_has_an_empty_page(client: Client) -> None:
    page = client.get(PAGE)
    assert page.status_code == 200 and "End all others" not in page.text


def test_the_old_address_is_answered(owner: Person) -> None:
    assert owner.client.get("/me/tokens/").text.count("Who can act for me")


def test_the_button_ends_other_devices_programs_and_links(owner: Person) -> None:
    make_account(owner)
    phone = Client()
    sign_in(phone)
    tokens = [token(owner), token(owner, of_bot=True)]
    add_hook(owner)
    offer_device(player=owner.player)
    assert owner.client.post(PAGE, {"end": "1"}).status_code == 302
    assert is_olive(owner.client) and not is_olive(phone)
    assert [find_token(each) for each in tokens] == [None, None]
    assert not channels_of(owner.player.pk) and players_after(None) == []
    assert not DeviceLink.objects.exists()


def test_the_button_ends_a_copy_of_the_cookie_itself(owner: Person) -> None:
    make_account(owner)
    thief = copy_of(owner.client)
    owner.client.post(PAGE, {"end": "1"})
    assert is_olive(owner.client) and not is_olive(thief)


def test_a_guest_keeps_the_only_way_in(owner: Person) -> None:
    before = cookie(owner.client)
    other = devices.add_device(player=owner.player, name="phone")
    owner.client.post(PAGE, {"end": "1"})
    assert cookie(owner.client) == before
    assert Device.objects.get(pk=other.pk).signed_out


def test_a_new_password_ends_a_stolen_cookie_and_all_programs(owner: Person) -> None:
    make_account(owner)
    thief = copy_of(owner.client)
    tokens = [token(owner), token(owner, of_bot=True)]
    add_hook(owner)
    assert change_password(owner).status_code == 302
    assert is_olive(owner.client) and not is_olive(thief)
    assert [find_token(each) for each in tokens] == [None, None]
    assert not channels_of(owner.player.pk)


def test_a_new_password_keeps_bots_running_on_request_and_no_token_of_the_player(
    owner: Person,
) -> None:
    make_account(owner)
    own, of_bot = token(owner), token(owner, of_bot=True)
    change_password(owner, keep_bots="on")
    assert find_token(own) is None
    assert find_token(of_bot)


def test_recovery_ends_all_programs(owner: Person) -> None:
    make_account(owner)
    own = token(owner)
    add_hook(owner)
    (code, *_) = access_codes(owner)
    sent = {"name": "Olive", "code": code, "password": NEW_PASSWORD}
    assert Client().post("/me/account/recover/", sent).status_code == 302
    assert find_token(own) is None and not channels_of(owner.player.pk)


def access_codes(person: Person) -> list[str]:
    from games.people.accounts import new_codes

    return new_codes(player=person.player, password=PASSWORD)


def test_signing_in_changes_the_cookie_and_ends_copies_of_the_old_one(
    owner: Person, stranger: Person
) -> None:
    make_account(owner)
    planted, before = copy_of(stranger.client), cookie(stranger.client)
    sign_in(stranger.client)
    assert cookie(stranger.client) != before
    assert is_olive(stranger.client) and not is_olive(planted)
    again = cookie(stranger.client)
    sign_in(stranger.client)
    assert cookie(stranger.client) != again


def test_a_device_link_changes_the_cookie_and_ends_copies_of_the_old_one(
    owner: Person, stranger: Person
) -> None:
    make_account(owner)
    planted = copy_of(stranger.client)
    link = device_token(offer_device(player=owner.player))
    stranger.client.post(f"/device/{link}/")
    assert is_olive(stranger.client) and not is_olive(planted)


@pytest.mark.parametrize("by_link", [False, True])
def test_programs_planted_before_signing_in_stop_and_are_asked_about(
    by_link: bool, owner: Person, stranger: Person
) -> None:
    make_account(owner)
    tokens = [token(stranger), token(stranger, of_bot=True)]
    add_hook(stranger)
    if by_link:
        link = device_token(offer_device(player=owner.player))
        answer = stranger.client.post(f"/device/{link}/")
    else:
        answer = sign_in(stranger.client)
    assert answer["Location"] == PAGE
    assert [find_token(each) for each in tokens] == [None, None]
    assert not channels_of(owner.player.pk)
    page = stranger.client.get(PAGE).text
    assert page.count("Stopped") == 3 and "Programs have stopped" in page


def test_each_program_goes_on_by_itself(owner: Person, stranger: Person) -> None:
    make_account(owner)
    first, second = token(stranger), token(stranger, of_bot=True)
    add_hook(stranger)
    sign_in(stranger.client)
    row = ApiToken.objects.order_by("pk")[0]
    stranger.client.post(PAGE, {"allow": str(row.pk)})
    assert find_token(first) and find_token(second) is None
    assert not channels_of(owner.player.pk)
    stranger.client.post(PAGE, {"hook": "allow"})
    assert [channel.url for channel in channels_of(owner.player.pk)] == [HOOK]


def test_nobody_lets_the_program_of_another_go_on(owner: Person, stranger: Person) -> None:
    own = token(owner)
    owner.client.post(PAGE, {"end": "1"})
    stranger.client.post(PAGE, {"allow": str(ApiToken.objects.get().pk)})
    assert find_token(own) is None


def test_the_hook_of_an_account_stays_when_a_browser_with_one_signs_in(
    owner: Person, stranger: Person
) -> None:
    make_account(owner)
    add_hook(owner)
    set_hook(player=stranger.player, url="https://evil.example/", site="https://boards.example/")
    sign_in(stranger.client)
    assert [(hook.url, hook.stopped) for hook in WebHook.objects.all()] == [(HOOK, None)]
    assert "that signed in has ended: <bdi>evil.example</bdi>" in stranger.client.get(PAGE).text


def test_a_bot_is_stopped_alone_and_its_token_stays_listed(owner: Person, stranger: Person) -> None:
    own, of_bot = token(owner), token(owner, of_bot=True)
    bot = Bot.objects.get()
    stranger.client.post("/me/access/", {"stop": bot.pk})
    assert find_token(of_bot)
    assert owner.client.post("/me/access/", {"stop": bot.pk}).status_code == 302
    assert find_token(own) and not find_token(of_bot)
    assert "Stopped" in owner.client.get("/me/access/").text


def test_making_an_account_keeps_all_that_the_browser_has(owner: Person) -> None:
    own, before = token(owner), cookie(owner.client)
    add_hook(owner)
    make_account(owner)
    assert find_token(own) and channels_of(owner.player.pk)
    assert cookie(owner.client) == before


def test_a_browser_that_signs_in_keeps_its_push_and_no_other_does(
    owner: Person, stranger: Person
) -> None:
    make_account(owner)
    here = devices.register_device(
        player=stranger.player, device_id=stranger.player.pk, name="Firefox"
    )
    elsewhere = devices.add_device(player=stranger.player, name="phone")
    for device in (here, elsewhere):
        endpoint = f"https://push.example/{device.name}"
        PushSubscription.objects.create(
            device=device, endpoint=endpoint, site="https://boards.example/", language="en"
        )
    sign_in(stranger.client)
    (kept,) = PushSubscription.objects.select_related("device")
    assert kept.endpoint.endswith("Firefox")
    assert kept.device.player == owner.player and not kept.device.signed_out


def test_a_used_link_opens_nothing_once_its_time_is_over(owner: Person) -> None:
    link = device_token(offer_device(player=owner.player))
    phone = Client()
    phone.get(f"/device/{link}/")
    phone.post(f"/device/{link}/")
    DeviceLink.objects.update(expires="2020-01-01T00:00Z")
    phone.cookies.pop(settings.PLAYER_COOKIE)
    assert phone.post(f"/device/{link}/").status_code == 410


def test_wrong_passwords_are_noted_once_an_hour(owner: Person) -> None:
    make_account(owner)
    for _ in range(3):
        sign_in(Client(), "wrong")
    assert notes(owner) == ["wrong"]


def test_a_stopped_token_that_is_used_is_noted(owner: Person) -> None:
    own = token(owner, of_bot=True)
    owner.client.post(PAGE, {"end": "1"})
    sent = {"HTTP_AUTHORIZATION": f"Bearer {own}"}
    assert Client().get("/api/1/games", **sent).status_code == 401
    assert notes(owner)[0] == "refused"


def test_the_use_of_a_token_is_shown(owner: Person) -> None:
    own = token(owner)
    assert Client().get("/api/1/games", HTTP_AUTHORIZATION=f"Bearer {own}").status_code == 200
    assert "Last used" in owner.client.get(PAGE).text


def test_fifty_events_are_kept_and_the_last_ten_are_shown(owner: Person) -> None:
    for number in range(60):
        access.note(owner.player, access.Kind.TOKEN, f"number {number}")
    assert SecurityEvent.objects.count() == access.KEPT
    page = owner.client.get(PAGE).text
    assert "number 50" in page and "number 49" not in page


def test_the_log_has_events_without_secrets(
    owner: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "games.people.access")
    make_account(owner)
    own = token(owner)
    sign_in(Client(), "wrong horse")
    change_password(owner)
    assert "security: wrong" in caplog.text and "security: password" in caplog.text
    for secret in (own, "wrong horse", PASSWORD, NEW_PASSWORD):
        assert secret not in caplog.text


def test_the_events_of_a_player_are_in_the_players_data(owner: Person) -> None:
    token(owner)
    (event,) = owner.download()["security"]
    assert event["kind"] == "token" and event["about"] == "script"
