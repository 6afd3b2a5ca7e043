"""Passkeys: adding one with the password, signing in with one, and no signed answer works twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from games.core.rate_limits import RateLimit
from games.core.webauthn import NotVerified, RelyingParty, creation_options, verify_creation
from games.models import Account, Passkey, PasskeyChallenge, Player
from games.people import accounts
from games.services import players
from games.views.people import passkeys
from tests.support.browser.authenticator import Authenticator
from tests.support.game_factory import make_game
from tests.support.players import Person

pytestmark = [
    pytest.mark.django_db(transaction=True),
]

PASSWORD = "four wise otters"
ACCOUNT = "/me/account/"


def create_account(person: Person, name: str = "Olive") -> None:
    person.client.post("/me/account/create/", {"name": name, "password": PASSWORD})


def offer(client: Client, password: str = PASSWORD) -> HttpResponse:
    client.get(ACCOUNT)
    return client.post("/me/account/passkeys/offer/", {"password": password})


def send(client: Client, answer: str, **headers: str) -> HttpResponse:
    return client.post("/me/account/passkeys/add/", {"credential": answer}, **headers)


def add(client: Client, authenticator: Authenticator) -> HttpResponse:
    return send(client, authenticator.create(offer(client).json()))


def ask(client: Client) -> dict:
    client.get(ACCOUNT)
    return client.post("/me/account/sign-in/passkey/ask/").json()


def use(client: Client, answer: str, **headers: str) -> HttpResponse:
    return client.post("/me/account/sign-in/passkey/", {"credential": answer}, **headers)


def sign_in(client: Client, authenticator: Authenticator) -> HttpResponse:
    return use(client, authenticator.get(ask(client)))


def is_signed_in(client: Client) -> bool:
    return "You are signed in as" in client.get(ACCOUNT).text


@pytest.fixture
def key(owner: Person) -> Authenticator:
    """Return the authenticator of a passkey of the owner's account."""
    create_account(owner)
    authenticator = Authenticator()
    assert add(owner.client, authenticator).status_code == 302
    return authenticator


@pytest.mark.services
def test_a_passkey_opens_the_games_in_another_browser(owner: Person, key: Authenticator) -> None:
    game = make_game(owner)
    phone = Client()
    assert sign_in(phone, key).url == "/me/"
    assert game.get_absolute_url() in phone.get("/me/").text
    assert sign_in(Client(), key).status_code == 302


def test_the_games_of_a_browser_are_added_by_a_passkey(
    owner: Person, stranger: Person, key: Authenticator
) -> None:
    game = make_game(stranger)
    assert sign_in(stranger.client, key).status_code == 302
    assert game.get_absolute_url() in owner.client.get("/me/").text
    assert Player.objects.get() == owner.player


def test_a_passkey_does_not_mix_two_accounts(
    owner: Person, stranger: Person, key: Authenticator
) -> None:
    create_account(stranger, "Stan")
    response = sign_in(stranger.client, key)
    assert response.status_code == 422
    assert "another account" in response.text


def test_only_the_password_offers_a_passkey(owner: Person, stranger: Person) -> None:
    create_account(owner)
    response = offer(owner.client, "wrong")
    assert (response.status_code, response.json()) == (
        403,
        {"refused": "That’s not your password."},
    )
    assert offer(stranger.client).status_code == 422
    assert offer(Client()).status_code == 403
    assert not PasskeyChallenge.objects.exists()


def test_the_passwords_for_passkeys_are_limited(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_account(owner)
    monkeypatch.setattr(passkeys, "PASSWORDS_PER_PLAYER", RateLimit(1, 3600.0))
    assert [offer(owner.client, "wrong").status_code for _ in range(2)] == [403, 429]


def test_the_passkeys_of_an_address_are_limited(
    key: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passkeys, "PASSKEYS_PER_ADDRESS", RateLimit(3, 3600.0))
    assert sign_in(Client(), key).status_code == 302
    phone = Client()
    assert use(phone, key.get(ask(phone))).status_code == 429


def test_an_answer_signs_in_once(key: Authenticator) -> None:
    phone = Client()
    answer = key.get(ask(phone))
    assert use(phone, answer).status_code == 302
    assert use(phone, answer).status_code == 409
    # Its challenge is gone, and the answer does not match another challenge.
    ask(phone)
    assert use(phone, answer).status_code == 403


def test_a_wrong_answer_spends_the_challenge(key: Authenticator) -> None:
    phone = Client()
    answer = key.get(ask(phone))
    assert use(phone, "{}").status_code == 403
    assert use(phone, answer).status_code == 409


def test_an_answer_of_another_browser_is_refused(key: Authenticator) -> None:
    thief = Client()
    thief.get(ACCOUNT)
    answer = key.get(ask(Client()))
    assert use(thief, answer).status_code == 409
    assert use(Client(), answer).status_code == 409
    ask(thief)
    assert use(thief, answer).status_code == 403


def test_an_answer_that_comes_late_is_refused(key: Authenticator) -> None:
    phone = Client()
    answer = key.get(ask(phone))
    PasskeyChallenge.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert use(phone, answer).status_code == 409


@pytest.mark.parametrize("origin", ["https://testserver", "http://testserver.example", "null"])
def test_an_answer_for_another_origin_is_refused(key: Authenticator, origin: str) -> None:
    phone = Client()
    key.origin = origin
    assert sign_in(phone, key).status_code == 403
    assert not is_signed_in(phone)


def test_an_answer_for_another_host_is_refused(key: Authenticator, settings) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "boards.example"]
    phone = Client()
    options = ask(phone)
    assert use(phone, key.get(options), HTTP_HOST="boards.example").status_code == 409
    assert use(phone, key.get({**options, "rpId": "boards.example"})).status_code == 403


def test_the_options_of_a_new_passkey_sign_nobody_in(owner: Person, key: Authenticator) -> None:
    options = offer(owner.client).json()
    assert use(owner.client, key.get({**options, "rpId": "testserver"})).status_code == 409


def test_the_owner_of_a_passkey_is_checked(key: Authenticator) -> None:
    key.flags &= ~0x04
    assert sign_in(Client(), key).status_code == 403


def test_a_copy_of_a_passkey_that_signed_less_is_refused(key: Authenticator) -> None:
    assert sign_in(Client(), key).status_code == 302
    key.signed = 0
    assert sign_in(Client(), key).status_code == 403


def test_a_passkey_that_does_not_count_signs_in_again(key: Authenticator) -> None:
    for _ in range(2):
        key.signed = -1
        assert sign_in(Client(), key).status_code == 302


def test_another_key_under_a_known_credential_is_refused(key: Authenticator) -> None:
    forged = Authenticator()
    forged.id = key.id
    assert sign_in(Client(), forged).status_code == 403


@pytest.mark.services
def test_a_credential_belongs_to_one_account(
    owner: Person, stranger: Person, key: Authenticator
) -> None:
    create_account(stranger, "Stan")
    assert add(stranger.client, key).status_code == 409
    assert add(owner.client, key).status_code == 409
    assert Passkey.objects.get().account.name == "Olive"


def test_a_passkey_is_added_to_the_account_it_was_offered_to(
    owner: Person, stranger: Person
) -> None:
    create_account(owner)
    create_account(stranger, "Stan")
    answer = Authenticator().create(offer(owner.client).json())
    owner.client.cookies["player"] = stranger.client.cookies["player"].value
    assert send(owner.client, answer).status_code == 403
    assert not Passkey.objects.exists()


@pytest.mark.parametrize("answer", ["", "{}", "[]", "null", '{"id": 1}', "[" * 3000, "x" * 5000])
def test_malformed_answers_are_refused_in_a_sentence(owner: Person, answer: str) -> None:
    create_account(owner)
    offer(owner.client)
    assert send(owner.client, answer).status_code == 403
    phone = Client()
    ask(phone)
    response = use(phone, answer)
    assert response.status_code == 403
    assert "That passkey wasn’t accepted." in response.text


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_changed_byte_raises_no_other_error(at: int, byte: int) -> None:
    authenticator, party = (
        Authenticator(),
        RelyingParty("http://testserver", "testserver", "Boards"),
    )
    options = creation_options(party, b"1" * 32, name="Olive", handle=b"2", known=[])
    answer = json.loads(authenticator.create(options))
    bent = bytearray(base64url_to_bytes(answer["response"]["attestationObject"]))
    bent[at % len(bent)] = byte
    answer["response"]["attestationObject"] = bytes_to_base64url(bytes(bent))
    with suppress(NotVerified):
        verify_creation(party, b"1" * 32, json.dumps(answer))


def test_a_removed_passkey_no_longer_signs_in(
    owner: Person, stranger: Person, key: Authenticator
) -> None:
    form = {"passkey": str(Passkey.objects.get().pk)}
    for client in (stranger.client, Client()):
        client.post("/me/account/passkeys/remove/", form)
    assert "A device" in owner.client.get(ACCOUNT).text
    assert owner.client.post("/me/account/passkeys/remove/", form).status_code == 302
    response = sign_in(Client(), key)
    assert response.status_code == 403
    assert "isn’t known here" in response.text


def test_a_recovered_account_has_no_passkeys(owner: Person, key: Authenticator) -> None:
    account = Account.objects.get()
    code, *_ = accounts.new_codes(player=account.player, password=PASSWORD)
    form = {"name": "Olive", "code": code, "password": "five wise otters"}
    assert Client().post("/me/account/recover/", form).status_code == 302
    assert sign_in(Client(), key).status_code == 403


def test_passkeys_stay_with_a_new_password_and_are_listed(
    owner: Person, key: Authenticator
) -> None:
    sent = {"password": PASSWORD, "new": "five wise otters"}
    assert owner.client.post("/me/account/password/", sent).status_code == 302
    assert "Passkeys stay." in owner.client.get("/me/account/").text
    assert "Passkey: " in owner.client.get("/me/access/").text
    assert sign_in(Client(), key).status_code == 302


def test_a_suspended_player_is_refused(owner: Person, key: Authenticator) -> None:
    options = offer(owner.client).json()
    players.suspend(player=owner.player, suspended=True)
    assert sign_in(Client(), key).status_code == 403
    assert offer(owner.client).status_code == 403
    assert send(owner.client, Authenticator().create(options)).status_code == 403
    assert Passkey.objects.count() == 1


def test_an_account_has_a_limited_number_of_passkeys(
    owner: Person, key: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Authenticator().create(offer(owner.client).json())
    monkeypatch.setattr("games.people.passkeys.MOST_PASSKEYS", 1)
    assert "1 passkeys already" in offer(owner.client).json()["refused"]
    assert send(owner.client, answer).status_code == 422


def test_the_browser_is_told_which_passkeys_there_are(owner: Person, key: Authenticator) -> None:
    first, second = offer(owner.client).json(), offer(owner.client).json()
    assert [credential["id"] for credential in first["excludeCredentials"]] == [
        Passkey.objects.get().credential_id
    ]
    assert first["user"]["id"] == second["user"]["id"]
    assert first["challenge"] != second["challenge"]
    assert ask(Client())["allowCredentials"] == []


def test_the_data_of_a_player_name_the_passkeys(owner: Person, key: Authenticator) -> None:
    (passkey,) = owner.download()["passkeys"]
    assert passkey["id"] == Passkey.objects.get().credential_id
    assert "public_key" not in passkey


@pytest.mark.services
def test_deleting_the_account_removes_its_passkeys(owner: Person, key: Authenticator) -> None:
    offer(owner.client)
    owner.client.post("/me/account/delete/", {"password": PASSWORD})
    assert not Passkey.objects.exists()
    assert not PasskeyChallenge.objects.exists()


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]:8000"])
def test_an_address_without_a_name_offers_no_passkeys(client: Client, host: str, settings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "[::1]"]
    assert 'id="passkey"' not in client.get(ACCOUNT, HTTP_HOST=host).text
    assert client.post("/me/account/sign-in/passkey/ask/", HTTP_HOST=host).status_code == 404


def test_a_site_without_the_library_offers_no_passkeys(
    owner: Person, key: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.views.people.account.AVAILABLE", False)
    page = owner.client.get(ACCOUNT).text
    assert 'id="passkey"' not in page
    assert 'name="passkey"' in page
    assert Client().post("/me/account/sign-in/passkey/ask/").status_code == 404


def test_only_a_script_shows_the_forms_of_passkeys(owner: Person) -> None:
    create_account(owner)
    form = re.compile(r'<form id="passkey"[^>]*\shidden>')
    assert form.search(Client().get(ACCOUNT).text)
    page = owner.client.get(ACCOUNT).text
    assert form.search(page)
    assert re.search(r'id="passkeys"\s+hidden>', page)


def test_passkeys_need_the_token_of_the_form(key: Authenticator) -> None:
    phone = Client(enforce_csrf_checks=True)
    phone.get(ACCOUNT)
    assert phone.post("/me/account/sign-in/passkey/ask/").status_code == 403
    assert use(phone, "{}").status_code == 403
    assert not PasskeyChallenge.objects.filter(account=None).exists()


def test_a_browser_without_cookies_is_refused(key: Authenticator) -> None:
    answer = key.get(Client().post("/me/account/sign-in/passkey/ask/").json())
    assert use(Client(), answer).status_code == 409


def at_once(act: Callable[[], HttpResponse]) -> list[int]:
    """Return the statuses of two calls at the same time."""

    def in_thread(_: int) -> int:
        try:
            return act().status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        return sorted(pool.map(in_thread, range(2)))


@pytest.mark.services
def test_of_two_uses_of_a_challenge_one_signs_in(key: Authenticator) -> None:
    for _ in range(10):
        phone = Client()
        answer = key.get(ask(phone))
        cookies = phone.cookies.output(header="", sep=";")

        def act(answer: str = answer, cookies: str = cookies) -> HttpResponse:
            return use(Client(HTTP_COOKIE=cookies), answer)

        assert at_once(act) == [302, 409]
