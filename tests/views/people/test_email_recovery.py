"""A forgotten password is replaced by a link that a confirmed address gets."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.core.rate_limits import RateLimit
from games.models import Account, EmailAddress, Outgoing
from games.notices import outgoing
from games.views.people import email
from games.worker import outbox
from tests.support.emails import (
    ADDRESS,
    PASSWORD,
    ask,
    confirm_address,
    create_account,
    deliver,
    enter_address,
    link_in,
)
from tests.support.players import Person

pytestmark = pytest.mark.django_db(transaction=True)


NEW_PASSWORD = "five wise otters"


def sign_in(client: Client, password: str):
    return client.post("/me/account/sign-in/", {"name": "Olive", "password": password})


def set_password(client: Client, link: str, password: str = NEW_PASSWORD):
    return client.post(link, {"password": password})


def age_requests(age: timedelta) -> None:
    Outgoing.objects.update(due=timezone.now() - age, created=timezone.now() - age)


def test_the_old_address_stays_until_the_new_one_is_confirmed(owner: Person) -> None:
    confirm_address(owner)
    enter_address(owner, "new@boards.example")
    ask(Client(), "Olive")
    new, old = deliver()
    assert [new.to, old.to] == [["new@boards.example"], [ADDRESS]]
    owner.client.post(link_in(new))
    assert EmailAddress.objects.get().address == "new@boards.example"
    assert Client().get(link_in(old)).status_code == 410


def test_an_unconfirmed_address_gets_no_link_for_a_password(owner: Person) -> None:
    create_account(owner)
    enter_address(owner)
    deliver()
    ask(Client(), ADDRESS)
    ask(Client(), "Olive")
    assert deliver() == []
    assert not Outgoing.objects.exists()


@pytest.mark.parametrize("who", ["Olive", " oLIVE", ADDRESS, "Olive@Boards.example"])
def test_a_forgotten_password_is_replaced_by_e_mail(owner: Person, who: str) -> None:
    confirm_address(owner)
    assert "a link is on its way" in ask(Client(), who).text
    (message,) = deliver()
    assert message.to == [ADDRESS]
    phone, link = Client(), link_in(message)
    assert "Olive" in phone.get(link).text
    assert set_password(phone, link).status_code == 302
    assert "Olive" in phone.get("/me/account/").text
    assert sign_in(Client(), PASSWORD).status_code == 403
    assert sign_in(Client(), NEW_PASSWORD).status_code == 302


def test_recovery_by_e_mail_signs_all_other_devices_out(owner: Person) -> None:
    confirm_address(owner)
    thief = Client()
    sign_in(thief, PASSWORD)
    ask(Client(), "Olive")
    set_password(Client(), link_in(deliver()[0]))
    assert "Sign in" in thief.get("/me/account/").text
    assert "Sign in" in owner.client.get("/me/account/").text


def test_a_link_sets_one_password(owner: Person) -> None:
    confirm_address(owner)
    ask(Client(), "Olive")
    link = link_in(deliver()[0])
    statuses = [set_password(Client(), link).status_code for _ in range(3)]
    assert statuses == [302, 410, 410]


def test_a_link_is_spent_once_the_password_was_changed(owner: Person) -> None:
    confirm_address(owner)
    ask(Client(), "Olive")
    link = link_in(deliver()[0])
    owner.client.post("/me/account/password/", {"password": PASSWORD, "new": NEW_PASSWORD})
    assert set_password(Client(), link, "six wise otters").status_code == 410
    assert sign_in(Client(), NEW_PASSWORD).status_code == 302


def test_a_link_for_a_password_expires(owner: Person, settings: Any) -> None:
    confirm_address(owner)
    ask(Client(), "Olive")
    link = link_in(deliver()[0])
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert set_password(Client(), link).status_code == 410


def test_a_bad_password_does_not_use_up_the_link(owner: Person) -> None:
    confirm_address(owner)
    ask(Client(), "Olive")
    link = link_in(deliver()[0])
    refused = set_password(Client(), link, "short")
    assert refused.status_code == 422
    assert "at least 8 characters" in refused.text
    assert set_password(Client(), link).status_code == 302


def test_a_link_works_for_its_own_purpose_only(owner: Person) -> None:
    confirm_address(owner)
    ask(Client(), "Olive")
    token = link_in(deliver()[0]).split("/")[-2]
    assert Client().post(f"/email/turns/{token}/").status_code == 410
    assert Client().post(f"/email/confirm/{token}/").status_code == 410


@pytest.mark.parametrize(
    "token", ["1", "x", "1.2.3", "²", "9" * 90, "9" * 90 + ".a.b", "0.1", "-1.a.b", "1" * 3000]
)
@pytest.mark.parametrize("purpose", ["confirm", "password", "turns"])
def test_a_forged_token_reads_as_a_spent_link(owner: Person, token: str, purpose: str) -> None:
    confirm_address(owner)
    for method in ("get", "post"):
        assert getattr(Client(), method)(f"/email/{purpose}/{token}/").status_code == 410


@pytest.mark.parametrize(
    "who", ["Olive", ADDRESS, "nobody", "nobody@boards.example", "", "x" * 999]
)
def test_the_answer_is_the_same_for_all_names_and_addresses(owner: Person, who: str) -> None:
    confirm_address(owner)
    response = Client().post("/me/account/recover/email/", {"who": who})
    assert (response.status_code, response.url) == (302, "/me/account/recover/?done=sent")
    assert Outgoing.objects.count() == 1


def test_an_address_of_two_accounts_gets_a_link_for_each(owner: Person, stranger: Person) -> None:
    confirm_address(owner)
    confirm_address(stranger)
    ask(Client(), ADDRESS)
    links = {link_in(message) for message in deliver()}
    names = {
        name for name in ("Olive", "Stan") for link in links if name in Client().get(link).text
    }
    assert names == {"Olive", "Stan"}


def test_an_account_that_is_named_like_an_address_gets_nothing_of_its_owner(
    owner: Person, stranger: Person
) -> None:
    confirm_address(owner)
    create_account(stranger, ADDRESS)
    enter_address(stranger, "stan@boards.example")
    stranger.client.post(link_in(deliver()[0]))
    ask(Client(), ADDRESS)
    for message in deliver():
        page = Client().get(link_in(message)).text
        assert (message.to == [ADDRESS]) == ("Olive" in page)


def test_a_look_alike_of_an_address_gets_no_link(owner: Person) -> None:
    confirm_address(owner, "mike@boards.example")
    ask(Client(), "mıke@boards.example")
    assert deliver() == []


def test_a_removed_address_gets_no_link(owner: Person) -> None:
    confirm_address(owner)
    owner.client.post("/me/account/email/", {"remove": "1", "password": PASSWORD})
    ask(Client(), ADDRESS)
    ask(Client(), "Olive")
    assert deliver() == []


def test_an_e_mail_address_gets_a_limited_number_of_e_mails_an_hour(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirm_address(owner)
    monkeypatch.setattr(outbox, "EMAILS_PER_EMAIL_ADDRESS", RateLimit(2, 3600.0))
    for _ in range(4):
        assert ask(Client(), "Olive").status_code == 200
    assert len(deliver()) == 2
    assert not Outgoing.objects.exists()


def test_too_many_requests_of_a_browser_are_refused_with_a_sentence(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(email, "EMAILS_PER_ADDRESS", RateLimit(1, 3600.0))
    ask(Client(), "Olive")
    refused = ask(Client(), "Olive")
    assert refused.status_code == 429
    assert "Too many requests" in refused.text


def test_a_request_that_has_waited_for_an_hour_is_given_up(owner: Person) -> None:
    confirm_address(owner)
    ask(Client(), "Olive")
    age_requests(timedelta(minutes=61))
    assert deliver() == []
    assert not Outgoing.objects.exists()


def test_a_request_that_a_dead_worker_had_claimed_is_sent_after_its_lease(owner: Person) -> None:
    confirm_address(owner)
    ask(Client(), "Olive")
    assert outgoing.claim(EmailAddress.kind, [])
    assert deliver() == []
    age_requests(timedelta(minutes=3))
    assert len(deliver()) == 1


def test_an_e_mail_names_neither_this_machine_nor_a_secret(owner: Person) -> None:
    confirm_address(owner)
    stored = Account.objects.get().password
    ask(Client(), "Olive")
    (message,) = deliver()
    assert message.message()["Message-ID"].endswith("@boards.example>")
    assert message.message()["Auto-Submitted"] == "auto-generated"
    assert stored not in str(message.message())
