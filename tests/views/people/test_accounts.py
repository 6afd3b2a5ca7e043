"""Accounts: made, signed in to, recovered and deleted; limits lock nobody out."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.core import rate_limits
from games.core.rate_limits import RateLimit
from games.models import Account, Device, Player, RecoveryCode
from games.people import own_games
from games.state.identity import player_of
from games.views.people import account
from tests.support.game_factory import make_finished_game, make_game, make_game_with_moves
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import Person

pytestmark = [
    pytest.mark.django_db(transaction=True),
]

PASSWORD, NEW_PASSWORD = "four wise otters", "five wise otters"
CODE = re.compile(r"<code>([a-z0-9-]+)</code>")


def create(client: Client, name: str = "Olive", password: str = PASSWORD):
    return client.post("/me/account/create/", {"name": name, "password": password})


def sign_in(client: Client, name: str = "Olive", password: str = PASSWORD, **extra: str):
    return client.post("/me/account/sign-in/", {"name": name, "password": password}, **extra)


def recover(client: Client, code: str, password: str = NEW_PASSWORD, name: str = "Olive"):
    sent = {"name": name, "code": code, "password": password}
    return client.post("/me/account/recover/", sent)


def sign_out(person: Person) -> None:
    """Press the button on the page of the account."""
    page = person.client.get("/me/account/").text
    found = re.search(r'name="device" value="([^"]+)"', page)
    assert found
    assert person.client.post("/me/devices/sign-out/", {"device": found[1]}).status_code == 302


def test_the_only_device_of_an_account_is_signed_out_and_in_again(owner: Person) -> None:
    game = make_game(owner)
    create(owner.client)
    sign_out(owner)
    assert "Sign in" in owner.client.get("/me/account/").text
    assert game.get_absolute_url() not in owner.client.get("/me/").text
    assert sign_in(owner.client).status_code == 302
    assert game.get_absolute_url() in owner.client.get("/me/").text


@pytest.mark.parametrize(("before", "after"), [("", "Oliver"), ("Olive", "Olive")])
def test_the_name_of_an_account_fills_an_empty_name_of_its_player(
    owner: Person, before: str, after: str
) -> None:
    Player.objects.filter(pk=owner.player.pk).update(name=before)
    create(owner.client, "Oliver")
    owner.player.refresh_from_db()
    assert owner.player.name == after


@pytest.mark.services
def test_an_account_opens_the_games_on_another_device(owner: Person) -> None:
    game = make_game(owner)
    assert create(owner.client).status_code == 200
    phone = Client()
    assert sign_in(phone, " oLIVE ").status_code == 302
    assert game.get_absolute_url() in phone.get("/me/").text


def test_the_games_of_a_browser_are_added_when_it_signs_in(owner: Person, stranger: Person) -> None:
    create(owner.client)
    game = make_game(stranger)
    assert sign_in(stranger.client).status_code == 302
    assert game.get_absolute_url() in owner.client.get("/me/").text
    assert game.get_absolute_url() in stranger.client.get("/me/").text
    assert Player.objects.get() == owner.player


def test_a_browser_without_games_can_make_an_account(client: Client) -> None:
    assert create(client, "Nora").status_code == 200
    assert Player.objects.get().name == "Nora"
    assert "Nora" in client.get("/me/account/").text


def test_neither_the_password_nor_a_code_is_stored(owner: Person) -> None:
    codes = CODE.findall(create(owner.client).text)
    assert len(codes) == len(set(codes)) == 8
    hashes = RecoveryCode.objects.values_list("hash", flat=True)
    stored = [*Account.objects.values_list("password", flat=True), *hashes]
    assert PASSWORD not in stored
    assert set(codes).isdisjoint(stored)


BAD = ["", "short", "password", "x" * 201, " " * 8, " a b c d ", "olive 12"]


@pytest.mark.parametrize("password", [*BAD, "oliveolive", "1olive23Olive"])
def test_a_bad_password_is_refused(owner: Person, password: str) -> None:
    response = create(owner.client, password=password)
    assert response.status_code == 422
    assert "at least 8 characters" in response.text
    assert not Account.objects.exists()


@pytest.mark.services
@pytest.mark.parametrize(
    "name",
    [
        "olive",
        "OLIVE ",
        "\uff2flive",
        "\u041elive",
        "Ol\u0131ve",
        "Olive\u0301",
        "\u014clive",
        "O1ive",
    ],
)
def test_a_name_is_taken_in_all_its_spellings(owner: Person, stranger: Person, name: str) -> None:
    create(owner.client)
    response = create(stranger.client, name)
    assert response.status_code == 409
    assert "That name is taken" in response.text


def test_an_account_needs_a_name(owner: Person) -> None:
    assert create(owner.client, " ").status_code == 409


@pytest.mark.services
def test_a_player_has_one_account(owner: Person) -> None:
    create(owner.client)
    assert create(owner.client, "Other").status_code == 409


@pytest.mark.parametrize(("name", "password"), [("Olive", "wrong"), ("Nobody", PASSWORD)])
def test_a_wrong_name_and_a_wrong_password_read_the_same(
    owner: Person, name: str, password: str
) -> None:
    create(owner.client)
    response = sign_in(Client(), name, password)
    assert response.status_code == 403
    assert "That name and password don’t match." in response.text


def test_two_accounts_are_not_mixed(owner: Person, stranger: Person) -> None:
    create(owner.client)
    create(stranger.client, "Stan")
    response = sign_in(stranger.client)
    assert response.status_code == 422
    assert "another account" in response.text
    assert Account.objects.count() == 2


@pytest.mark.services
def test_a_recovery_code_sets_a_new_password_once(owner: Person) -> None:
    code, *_ = CODE.findall(create(owner.client).text)
    phone = Client()
    assert recover(phone, code.upper().replace("-", " ")).status_code == 302
    assert "Olive" in phone.get("/me/account/").text
    assert recover(Client(), code).status_code == 403
    assert sign_in(Client(), password=PASSWORD).status_code == 403
    assert sign_in(Client(), password=NEW_PASSWORD).status_code == 302


def test_recovery_signs_all_other_devices_out(owner: Person) -> None:
    code, *_ = CODE.findall(create(owner.client).text)
    thief = Client()
    sign_in(thief)
    recover(Client(), code)
    assert "Sign in" in thief.get("/me/account/").text
    assert player_of(owner.player.pk) is None


def test_a_code_of_another_account_is_refused(owner: Person, stranger: Person) -> None:
    create(owner.client)
    code, *_ = CODE.findall(create(stranger.client, "Stan").text)
    assert recover(Client(), code).status_code == 403


def test_a_bad_new_password_does_not_use_up_the_code(owner: Person) -> None:
    code, *_ = CODE.findall(create(owner.client).text)
    assert recover(Client(), code, "short").status_code == 422
    assert recover(Client(), code).status_code == 302


def test_new_codes_replace_the_old_ones(owner: Person) -> None:
    code, *_ = CODE.findall(create(owner.client).text)
    wrong = owner.client.post("/me/account/codes/", {"password": "wrong"})
    assert wrong.status_code == 403
    page = owner.client.post("/me/account/codes/", {"password": PASSWORD}).text
    assert recover(Client(), code).status_code == 403
    assert recover(Client(), CODE.findall(page)[0]).status_code == 302


def hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the passwords of which a hash is computed."""
    found: list[str] = []
    encode = MD5PasswordHasher.encode

    def count(self: MD5PasswordHasher, password: str, salt: str) -> str:
        found.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", count)
    return found


@pytest.mark.parametrize("password", ["wrong", "x" * 200, "x" * 201, "x" * 60_000])
def test_unknown_names_are_as_much_work_as_known_ones(
    owner: Person, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    create(owner.client)
    work = []
    for name in ("Olive", "Nobody"):
        found = hashes(monkeypatch)
        assert sign_in(Client(), name, password).status_code == 403
        work.append([len(calls) for calls in found])
    assert work[0][:1] == work[1][:1] == [min(len(password), 200)]
    assert len(work[1]) == 1


def test_a_password_with_more_at_its_end_is_wrong(owner: Person) -> None:
    longest = ("four wise otters " * 12)[:200]
    create(owner.client, password=longest)
    assert sign_in(Client(), password=longest + "!").status_code == 403
    sent = {"password": longest + "!", "new": NEW_PASSWORD}
    assert owner.client.post("/me/account/password/", sent).status_code == 403
    assert sign_in(Client(), password=longest).status_code == 302


def test_a_new_password_signs_the_other_devices_out_and_says_so(owner: Person) -> None:
    create(owner.client)
    phone = Client()
    assert sign_in(phone).status_code == 302
    sent = {"password": PASSWORD, "new": NEW_PASSWORD}
    page = owner.client.post("/me/account/password/", sent, follow=True).text
    assert "all others have been signed out" in page
    assert "Olive" in page
    assert "Olive" not in phone.get("/me/account/").text
    assert sign_in(phone, password=PASSWORD).status_code == 403
    assert sign_in(phone, password=NEW_PASSWORD).status_code == 302


def test_a_new_password_is_not_the_name(owner: Person) -> None:
    code, *_ = CODE.findall(create(owner.client, "Olive Oyl").text)
    sent = {"password": PASSWORD, "new": "olive oyl"}
    assert owner.client.post("/me/account/password/", sent).status_code == 422
    assert recover(Client(), code, "OliveOyl", "Olive Oyl").status_code == 422
    assert sign_in(Client(), "Olive Oyl").status_code == 302


def test_a_password_is_changed_by_the_old_one(owner: Person) -> None:
    create(owner.client)
    for old, status in (("wrong", 403), (PASSWORD, 302)):
        sent = {"password": old, "new": NEW_PASSWORD}
        assert owner.client.post("/me/account/password/", sent).status_code == status
    assert sign_in(Client(), password=NEW_PASSWORD).status_code == 302


def test_guesses_by_strangers_lock_nobody_out(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(owner.client)
    monkeypatch.setattr(account, "SIGN_INS_PER_NAME_AND_ADDRESS", RateLimit(2, 3600.0))
    guesser = {"REMOTE_ADDR": "192.0.2.1"}
    statuses = [sign_in(Client(), password="wrong", **guesser).status_code for _ in range(3)]
    assert statuses == [403, 403, 429]
    assert sign_in(Client(), **guesser).status_code == 429
    assert sign_in(Client(), REMOTE_ADDR="192.0.2.2").status_code == 302


def test_guesses_from_many_addresses_are_slowed_and_lock_nobody_out(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(owner.client)
    monkeypatch.setattr(rate_limits, "GUESSES_PER_NAME", RateLimit(5, 3600.0))
    monkeypatch.setattr(rate_limits, "GUESSES_PER_NAME_AND_ADDRESS", RateLimit(1, 3600.0))
    crowd = [{"REMOTE_ADDR": f"192.0.2.{number}"} for number in range(5)]
    assert {sign_in(Client(), password="wrong", **origin).status_code for origin in crowd} == {403}
    guesses = [sign_in(Client(), password="wrong", **crowd[0]).status_code for _ in range(2)]
    assert guesses == [403, 429]
    assert sign_in(Client(), "Somebody else", **crowd[0]).status_code == 403
    assert sign_in(Client(), REMOTE_ADDR="192.0.2.99").status_code == 302
    assert sign_in(owner.client).status_code == 302


def test_guesses_from_the_same_address_lock_no_known_device_out(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(owner.client)
    sign_out(owner)
    monkeypatch.setattr(account, "SIGN_INS_PER_NAME_AND_ADDRESS", RateLimit(1, 3600.0))
    assert [sign_in(Client(), password="wrong").status_code for _ in range(2)] == [403, 429]
    assert sign_in(owner.client).status_code == 302


def test_guesses_on_a_known_device_are_limited(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(owner.client)
    sign_out(owner)
    monkeypatch.setattr(account, "SIGN_INS_PER_KNOWN_DEVICE", RateLimit(1, 3600.0))
    statuses = [sign_in(owner.client, password="wrong").status_code for _ in range(2)]
    assert statuses == [403, 429]


def test_an_address_tries_a_limited_number_of_names(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account, "SIGN_INS_PER_ADDRESS", RateLimit(2, 3600.0))
    statuses = [sign_in(client, f"Name {number}").status_code for number in range(3)]
    assert statuses == [403, 403, 429]


def test_all_data_of_a_player_can_be_downloaded(owner: Person, opponent: Person) -> None:
    create(owner.client)
    game = make_finished_game(owner, opponent)
    make_game(opponent)
    response = owner.client.get("/me/account/data/")
    assert "attachment" in response["Content-Disposition"]
    sent = response.getvalue().decode()
    data = json.loads(sent)
    assert (data["name"], data["account"]["name"]) == ("Olive", "Olive")
    assert [game["id"] for game in data["games"]] == [game.pk]
    document = data["games"][0]
    assert (document["your_moves"], document["options"]) == ([1], game.options)
    assert [seat["names"] for seat in document["seats"].values()] == [["Olive"], ["Otto"]]
    assert "password" not in sent


@pytest.mark.services
def test_the_games_of_a_player_are_read_and_sent_piece_by_piece(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_games, "AT_ONCE", 2)
    made = {make_game_with_moves(owner, 1).pk for _ in range(5)}
    response = owner.client.get("/me/account/data/")
    assert response.streaming
    with CaptureQueriesContext(connection) as queries:
        pieces = list(response)
    assert len(pieces) > len(made)
    assert len([query for query in queries if "games_move" in query["sql"]]) == 3
    games = json.loads(b"".join(pieces))["games"]
    assert {game["id"] for game in games} == made
    assert all(len(game["moves"]) == 1 for game in games)


def test_the_data_of_a_player_have_the_games_that_the_player_has_set_up(owner: Person) -> None:
    rules = two_player_rules()
    game = make_game(owner, seating=dict.fromkeys(seat_keys(rules), "invite"))
    assert not game.seats.filter(players=owner.player).exists()
    (exported,) = owner.download()["games"]
    assert (exported["id"], exported["your_seats"]) == (game.pk, [])


@pytest.mark.services
def test_deleting_everything_leaves_the_games_without_the_name(
    owner: Person, opponent: Person
) -> None:
    create(owner.client)
    game = make_finished_game(owner, opponent)
    phone = Client()
    sign_in(phone)
    wrong = owner.client.post("/me/account/delete/", {"password": "wrong"})
    assert wrong.status_code == 403
    assert owner.client.post("/me/account/delete/", {"password": PASSWORD}).status_code == 302
    page = opponent.client.get(game.get_absolute_url())
    assert page.status_code == 200
    assert "Olive" not in page.text
    assert not Account.objects.exists()
    assert not Device.objects.exists()
    for browser in (owner.client, phone):
        assert game.id not in browser.get("/me/finished/").text


def test_a_player_without_an_account_deletes_everything_without_a_password(
    owner: Person,
) -> None:
    assert owner.client.post("/me/account/delete/").status_code == 302
    assert not Player.objects.exists()


def test_pages_of_the_account_are_never_stored(owner: Person) -> None:
    addresses = ("/me/account/", "/me/account/recover/", "/me/account/data/")
    pages = [create(owner.client), *map(owner.client.get, addresses)]
    assert all("no-store" in page["Cache-Control"] for page in pages)
