"""E-mails and the mail server: refused or missed ones are sent later, none is sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from games.models import EmailAddress, Outgoing
from games.notices.outgoing import MOST_REFUSED_DIGESTS
from games.people import accounts, emails
from tests.support.emails import (
    ADDRESS,
    PASSWORD,
    deliver,
    let_an_hour_pass,
    let_wait,
    start_digests,
)
from tests.support.game_factory import make_game
from tests.support.players import Person
from tests.support.servers.smtp_server import MailServer, run_mail_server

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    """Let tests ask for as many e-mails as they need."""
    settings.RATE_LIMITS = False


@pytest.fixture
def mail_server(settings: Any) -> Iterator[MailServer]:
    """Run a mail server, to which the site sends."""
    with run_mail_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        yield server


def confirm_by_server(person: Person) -> None:
    """Give a player an account and a confirmed address, without an e-mail."""
    accounts.create_account(player=person.player, name="Olive", password=PASSWORD)
    emails.enter_email(player=person.player, address=ADDRESS, site="http://testserver/")
    Outgoing.objects.all().delete()
    email = EmailAddress.objects.get()
    emails.confirm_email(token=emails.email_token(email, emails.CONFIRM))
    start_digests()


def test_a_mail_server_gets_the_digest(
    owner: Person, opponent: Person, mail_server: MailServer
) -> None:
    confirm_by_server(owner)
    game = make_game(owner, opponent)
    let_wait(owner, game)
    deliver()
    (message,) = mail_server.received
    assert message["To"] == ADDRESS
    text = message.get_payload(decode=True)
    assert isinstance(text, bytes)
    assert game.get_absolute_url() in text.decode()


def test_turns_that_were_not_sent_are_in_a_later_digest(
    owner: Person,
    opponent: Person,
    mail_server: MailServer,
    settings: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    confirm_by_server(owner)
    let_wait(owner, make_game(owner, opponent))
    with run_mail_server() as gone:
        settings.EMAIL_PORT = gone.port
    deliver()
    lines = [record.message for record in caplog.records if "mail server" in record.message]
    assert lines == ["The mail server does not answer: ConnectionRefusedError"]
    settings.EMAIL_PORT = mail_server.port
    deliver()
    assert len(mail_server.received) == 1


@pytest.mark.parametrize("word", ["MAIL", "RCPT", "DATA"])
def test_a_refused_digest_is_tried_again_an_hour_later(
    owner: Person, opponent: Person, mail_server: MailServer, word: str
) -> None:
    confirm_by_server(owner)
    let_wait(owner, make_game(owner, opponent))
    mail_server.answers[word] = "451 try again later"
    deliver()
    mail_server.answers.clear()
    deliver()
    assert mail_server.received == []
    let_an_hour_pass()
    deliver()
    assert len(mail_server.received) == 1


def test_an_address_that_keeps_being_refused_gets_no_more(
    owner: Person, opponent: Person, mail_server: MailServer
) -> None:
    confirm_by_server(owner)
    let_wait(owner, make_game(owner, opponent))
    mail_server.answers["RCPT"] = "550 no such user"
    for _ in range(MOST_REFUSED_DIGESTS):
        deliver()
        let_an_hour_pass()
    mail_server.answers.clear()
    deliver()
    assert mail_server.received == []
    assert not EmailAddress.objects.get().digests


def test_a_digest_that_may_have_arrived_is_not_sent_again(
    owner: Person, opponent: Person, mail_server: MailServer
) -> None:
    confirm_by_server(owner)
    let_wait(owner, make_game(owner, opponent))
    mail_server.answers["DATA"] = None
    deliver()
    mail_server.answers.clear()
    let_an_hour_pass()
    deliver()
    assert mail_server.received == []


def test_a_link_that_could_not_be_sent_waits_for_the_mail_server(
    owner: Person, mail_server: MailServer, settings: Any
) -> None:
    confirm_by_server(owner)
    emails.ask_recovery(typed="Olive")
    with run_mail_server() as gone:
        settings.EMAIL_PORT = gone.port
    deliver()
    settings.EMAIL_PORT = mail_server.port
    Outgoing.objects.update(due=timezone.now())
    deliver()
    (message,) = mail_server.received
    assert "Choose a new password" in str(message["Subject"])


def test_a_link_that_the_server_asks_to_send_later_is_sent_later(
    owner: Person, mail_server: MailServer
) -> None:
    confirm_by_server(owner)
    mail_server.answers["RCPT"] = "451 greylisted"
    emails.ask_recovery(typed=ADDRESS)
    deliver()
    assert Outgoing.objects.count() == 1
    mail_server.answers.clear()
    Outgoing.objects.update(due=timezone.now())
    deliver()
    assert len(mail_server.received) == 1


def test_digests_that_are_deferred_again_and_again_stay_on(
    owner: Person, opponent: Person, mail_server: MailServer
) -> None:
    confirm_by_server(owner)
    let_wait(owner, make_game(owner, opponent))
    mail_server.answers["RCPT"] = "451 greylisted"
    for _ in range(MOST_REFUSED_DIGESTS + 1):
        deliver()
        let_an_hour_pass()
    email = EmailAddress.objects.get()
    assert email.digests
    assert email.last_failure == "deferred"
    mail_server.answers.clear()
    deliver()
    assert len(mail_server.received) == 1
    email.refresh_from_db()
    assert email.last_failure == ""


def test_a_test_goes_to_the_confirmed_address(owner: Person, mail_server: MailServer) -> None:
    confirm_by_server(owner)
    owner.client.post("/me/devices/test/")
    deliver()
    (message,) = mail_server.received
    assert message["To"] == ADDRESS
    assert "This is a test" in str(message["Subject"])
