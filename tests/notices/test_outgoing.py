"""Letters that have to wait are not claimed: those to slow hooks, and to hosts and from addresses
that have one under way."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from games.core import outgoing
from games.models import NoticeKind, Outgoing
from games.notices import channels, senders
from games.notices import outgoing as letters
from games.worker.outbox import Outbox
from tests.notices.test_turn_notices import SITE, Receiver, let_wait, work_until_sent
from tests.notices.test_turn_notices import hooks as hooks
from tests.notices.test_turn_notices import receiver as receiver
from tests.support.game_factory import make_game
from tests.support.players import Person, new_person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_a_notice_to_an_unreachable_address_is_sent_a_minute_later_by_any_worker(
    owner: Person, opponent: Person, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(host: str) -> None:
        raise ConnectionRefusedError

    let_wait(make_game(owner, opponent))
    with monkeypatch.context() as outage:
        outage.setattr(outgoing, "open_socket", refuse)
        send_all()
    send_all()
    assert receiver.received == []
    Outgoing.objects.update(due=timezone.now())
    send_all()
    assert len(receiver.received) == 1


def test_a_hook_that_does_not_answer_in_time_rests_without_a_claim(
    owner: Person, opponent: Person, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait_in_vain(url: str, values: object) -> int:
        raise TimeoutError

    for _ in range(2):
        let_wait(make_game(owner, opponent))
    with monkeypatch.context() as outage:
        outage.setattr(senders, "post_json", wait_in_vain)
        send_all()
    waiting = turns().get(claimed=None)
    assert timedelta(minutes=9) < waiting.due - timezone.now() <= letters.REST
    let_wait(make_game(owner, opponent))
    send_all()
    assert receiver.received == []
    Outgoing.objects.update(due=timezone.now())
    send_all()
    assert len(receiver.received) == 2


@pytest.mark.parametrize(
    ("urls", "origins"),
    [
        (["https://slow.example/1", "https://slow.example/2"], ["one", "two"]),
        (["https://one.example/", "https://two.example/"], ["slow", "slow"]),
    ],
    ids=["host", "address"],
)
def test_the_hooks_of_one_host_and_of_one_address_have_their_turns(
    urls: list[str], origins: list[str], opponent: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, asked = threading.Event(), []

    def hold(url: str, values: object) -> int:
        asked.append(url)
        assert go_on.wait(60)
        return 204

    monkeypatch.setattr(senders, "post_json", hold)
    people = [new_person(name) for name in ("Ann", "Ben", "Cas")]
    for person, url, origin in zip(
        people, [*urls, "https://other.example/"], [*origins, "other"], strict=True
    ):
        channels.set_hook(player=person.player, url=url, site=SITE, origin=origin)
        let_wait(make_game(person, opponent))
    worker = Outbox()
    worker.work()
    try:
        assert "https://other.example/" in asked
        assert len(asked) == 2
        assert turns().filter(claimed=None).count() == 1
    finally:
        go_on.set()
    work_until_sent(worker)
    worker.close()
    assert sorted(asked) == sorted([*urls, "https://other.example/"])


def turns() -> QuerySet[Outgoing]:
    return Outgoing.objects.filter(kind=NoticeKind.TURN)


def send_all() -> None:
    """Let a new worker send until nothing is due."""
    worker = Outbox()
    work_until_sent(worker)
    worker.close()
