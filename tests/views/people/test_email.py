"""The e-mail address of an account: entered, confirmed by a link, removed, and offered only with a
mail server."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.test import Client

from games.core.rate_limits import RateLimit
from games.models import EmailAddress, Outgoing
from games.views.people import email
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


def test_an_address_is_confirmed_by_the_link_that_it_gets(owner: Person) -> None:
    create_account(owner)
    page = owner.client.get(enter_address(owner).url).text
    assert "on its way to you" in page
    assert "not confirmed yet" in page
    (message,) = deliver()
    assert message.to == [ADDRESS]
    assert message.subject == "[Squarely] Confirm your e-mail address"
    link = link_in(message)
    assert ADDRESS in owner.client.get(link).text
    assert EmailAddress.objects.get().address == ""
    assert "is confirmed" in owner.client.post(link, follow=True).text
    assert EmailAddress.objects.get().address == ADDRESS


def test_a_link_is_confirmed_on_a_browser_that_is_not_signed_in(owner: Person) -> None:
    create_account(owner)
    enter_address(owner)
    assert "is confirmed" in Client().post(link_in(deliver()[0])).text


def test_a_link_confirms_once(owner: Person) -> None:
    create_account(owner)
    enter_address(owner)
    link = link_in(deliver()[0])
    statuses = [Client().post(link).status_code for _ in range(3)]
    assert statuses == [200, 410, 410]
    assert "has been used or has expired" in Client().get(link).text


def test_a_link_to_confirm_expires(owner: Person, settings: Any) -> None:
    create_account(owner)
    enter_address(owner)
    link = link_in(deliver()[0])
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert Client().post(link).status_code == 410
    assert EmailAddress.objects.get().address == ""


def test_the_link_to_an_earlier_address_confirms_nothing(owner: Person) -> None:
    create_account(owner)
    enter_address(owner)
    link = link_in(deliver()[0])
    enter_address(owner, "other@boards.example")
    assert Client().post(link).status_code == 410


def test_the_e_mail_to_an_unconfirmed_address_contains_no_text_of_a_visitor(owner: Person) -> None:
    create_account(owner, "Win money")
    enter_address(owner)
    assert "Win money" not in str(deliver()[0].message())


@pytest.mark.parametrize(
    "address",
    [
        "",
        "olive",
        "@boards.example",
        "olive@boards.example\nBcc: other@boards.example",
        "olive@boards.example\r\n\r\nHello",
        "olive@boards.example,other@boards.example",
        "Olive <olive@boards.example>",
        '"a b"@boards.example',
        '"\x01"@boards.example',
        "olivé@boards.example",
        "olive@" + "x" * 300 + ".example",
        "o" * 60_000 + "@boards.example",
        "olive@boards.example\u2028x",
        "olive@\U0001f600",
        "olive@xn--.example",
    ],
)
def test_a_text_that_is_no_address_is_refused(owner: Person, address: str) -> None:
    create_account(owner)
    assert enter_address(owner, address).status_code == 422
    assert not Outgoing.objects.exists()


def test_an_address_with_a_domain_in_unicode_gets_its_link(owner: Person) -> None:
    create_account(owner)
    enter_address(owner, " Olive@BÜCHER.example ")
    (message,) = deliver()
    assert message.to == ["Olive@xn--bcher-kva.example"]
    assert "Olive@xn--bcher-kva.example" in str(message.message()["To"])


def test_an_address_is_entered_and_removed_by_the_password(owner: Person) -> None:
    create_account(owner)
    assert enter_address(owner, password="wrong").status_code == 403
    confirm_address(owner)
    sent = {"remove": "1", "password": "wrong"}
    assert owner.client.post("/me/account/email/", sent).status_code == 403
    assert EmailAddress.objects.exists()
    sent["password"] = PASSWORD
    assert "has been removed" in owner.client.post("/me/account/email/", sent, follow=True).text
    assert not EmailAddress.objects.exists()


def test_a_player_without_an_account_has_no_address(owner: Person) -> None:
    assert enter_address(owner).status_code == 422
    assert not EmailAddress.objects.exists()


def test_too_many_links_of_one_account_are_refused_with_a_sentence(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_account(owner)
    monkeypatch.setattr(email, "EMAILS_PER_PLAYER", RateLimit(2, 3600.0))
    statuses = [enter_address(owner, f"{n}@boards.example").status_code for n in "abc"]
    assert statuses == [302, 302, 429]


def test_e_mails_are_in_the_language_of_the_account(owner: Person) -> None:
    create_account(owner)
    sent = {"email": ADDRESS, "password": PASSWORD}
    owner.client.post("/me/account/email/", sent, headers={"accept-language": "nl"})
    (message,) = deliver()
    assert message.subject == "[Squarely] Bevestig je e-mailadres"


def test_the_data_of_a_player_hold_the_address(owner: Person) -> None:
    confirm_address(owner)
    data = owner.download()
    assert data["email"] == {"address": ADDRESS, "pending": "", "digests": True}


def test_the_address_is_deleted_with_the_account(owner: Person) -> None:
    confirm_address(owner)
    enter_address(owner, "new@boards.example")
    owner.client.post("/me/account/delete/", {"password": PASSWORD})
    assert not EmailAddress.objects.exists()
    assert deliver() == []


@pytest.fixture
def without_mail_server(settings: Any) -> None:
    """Run the site of a host that has no mail server."""
    settings.HAS_EMAIL = False


@pytest.mark.usefixtures("without_mail_server")
def test_nothing_about_e_mail_is_offered_without_a_mail_server(owner: Person) -> None:
    create_account(owner)
    for address in ("/me/account/", "/me/account/recover/"):
        assert "e-mail" not in owner.client.get(address).text.lower()
    assert enter_address(owner).status_code == 404
    assert ask(Client(), "Olive").status_code == 404
    assert Client().get("/email/confirm/1/").status_code == 404
    assert deliver() == []
    assert mail.outbox == []
