"""E-mails of a test: sent by the worker's own code, and read."""

from __future__ import annotations

import re
from time import monotonic, sleep
from urllib.parse import urlsplit

from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from games.mailer import Mailer
from tests.support.players import Person

PASSWORD = "four wise otters"
ADDRESS = "olive@boards.example"
SECONDS = 20.0


def create_account(person: Person, name: str = "Olive") -> None:
    """Give a player an account."""
    person.client.post("/me/account/create/", {"name": name, "password": PASSWORD})


def enter_address(person: Person, address: str = ADDRESS, password: str = PASSWORD):
    """Enter an e-mail address on the page of the account."""
    return person.client.post("/me/account/email/", {"email": address, "password": password})


def confirm_address(person: Person, address: str = ADDRESS) -> None:
    """Give a player an account and a confirmed address."""
    create_account(person, person.player.name)
    enter_address(person, address)
    person.client.post(link_in(deliver()[-1]))


def ask(client: Client, who: str):
    """Ask for a new password on the page for that."""
    return client.post("/me/account/recover/email/", {"who": who}, follow=True)


def deliver() -> list[EmailMessage]:
    """Let a worker send all e-mails that are due, and return those it has sent."""
    before = len(outbox())
    mailer = Mailer()
    work_until_idle(mailer)
    mailer.close()
    return outbox()[before:]


def outbox() -> list[EmailMessage]:
    """Return all e-mails of the test."""
    return getattr(mail, "outbox", [])


def work_until_idle(mailer: Mailer) -> None:
    """Let a worker send until nothing is due."""
    end = monotonic() + SECONDS
    while (mailer.work() or mailer.is_sending) and monotonic() < end:
        sleep(0.005)


def link_in(message: EmailMessage) -> str:
    """Return the path of the first link of an e-mail."""
    found = re.search(r"https?://\S+", str(message.body))
    assert found
    return urlsplit(found.group()).path
