"""E-mails of a test: sent by the worker's own code, and read."""

from __future__ import annotations

import re
from datetime import timedelta
from time import monotonic, sleep
from urllib.parse import urlsplit

from django.core import mail
from django.core.mail import EmailMessage
from django.db.models import F
from django.test import Client
from django.utils import timezone

from games.models import EmailAddress, Game, Move, Outgoing
from games.notices import events
from games.worker.outbox import Outbox
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
    worker = Outbox()
    work_until_idle(worker)
    worker.close()
    return outbox()[before:]


def outbox() -> list[EmailMessage]:
    """Return all e-mails of the test."""
    return getattr(mail, "outbox", [])


def work_until_idle(worker: Outbox) -> None:
    """Let a worker send until nothing is due."""
    end = monotonic() + SECONDS
    while (worker.work() or worker.is_sending) and monotonic() < end:
        sleep(0.005)


def link_in(message: EmailMessage) -> str:
    """Return the path of the first link of an e-mail."""
    found = re.search(r"https?://\S+", str(message.body))
    assert found
    return urlsplit(found.group()).path


def subscribe(person: Person) -> None:
    """Give a player a confirmed address, a while ago."""
    confirm_address(person)
    start_digests()


def start_digests() -> None:
    """Let all addresses have been confirmed two days ago."""
    EmailAddress.objects.update(rests_until=None)


def let_wait(person: Person, *games: Game) -> None:
    """Let games wait for a player since a quarter of an hour ago."""
    past = timezone.now() - timedelta(minutes=15)
    Game.objects.filter(pk__in=[game.pk for game in games]).update(updated=past)
    Move.objects.filter(game__in=games).update(played=past - timedelta(minutes=1))
    events.note_turns(person.player.pk)
    let_pass(timedelta(minutes=15))


def let_an_hour_pass() -> None:
    """Let an hour pass since the last digest."""
    let_pass(timedelta(hours=1))


def let_pass(time: timedelta) -> None:
    """Let all letters, moves and rests be so much older."""
    Move.objects.update(played=F("played") - time)
    Outgoing.objects.update(created=F("created") - time, due=F("due") - time)
    EmailAddress.objects.update(rests_until=F("rests_until") - time)
