"""Devices get notices of turns by Web Push: encrypted, signed, once, and without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from games.models import Device, PushSubscription
from games.notices import channels, events, outgoing, web_push
from games.notices.channels import Attempt
from games.notices.outgoing import MOST_FAILURES
from games.people import devices, forgetting
from games.people.devices import end_others, join_player, register_device
from games.worker import outbox
from games.worker.outbox import Outbox
from tests.notices.test_turn_notices import let_wait
from tests.support.game_factory import make_game
from tests.support.players import Person, new_person
from tests.support.servers.push_service import FakeBrowser, PushService, push_service

pytestmark = pytest.mark.django_db(transaction=True)

KEY = web_push.new_key()
PAGE, FORM = "/me/devices/", "/me/devices/push/"
ENDPOINT = "https://push.example/send/abc"


@pytest.fixture(autouse=True)
def _with_key(settings: Any) -> None:
    settings.PUSH_KEY = KEY


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    with push_service() as running:
        settings.PRIVATE_ORIGINS = {running.origin}
        yield running


def subscribe(person: Person, endpoint: str = ENDPOINT) -> FakeBrowser:
    browser = FakeBrowser()
    assert person.client.post(FORM, browser.form(endpoint)).status_code == 302
    return browser


def work(worker: Outbox) -> None:
    """Let a worker look at all players once, and send until nothing is left."""
    end = monotonic() + 20
    worker._next_look = 0.0
    while (worker.work() or worker.is_sending) and monotonic() < end:
        sleep(0.01)


@pytest.fixture
def worker() -> Iterator[Outbox]:
    worker = Outbox()
    yield worker
    worker.close()


def test_a_notice_is_encrypted_for_the_browser_and_signed_by_the_site(
    owner: Person, opponent: Person, service: PushService, worker: Outbox
) -> None:
    browser = subscribe(owner, f"{service.origin}/send/1")
    game = make_game(owner, opponent)
    let_wait(game)
    work(worker)
    (request,) = service.received
    assert browser.read(request.body) == {
        "title": "Your turn",
        "body": f"{game.rules.name} with Otto",
        "url": f"/g/{game.pk}/",
    }
    assert request.path == "/send/1"
    assert request.headers["content-encoding"] == "aes128gcm"
    assert request.headers["topic"] == game.pk
    assert int(request.headers["ttl"]) > 0
    claims = request.claims()
    assert claims["aud"] == service.origin
    assert claims["sub"].startswith("https://")
    assert request.headers["authorization"].endswith(f"k={web_push.public_key(KEY)}")


def test_a_notice_is_in_the_language_in_which_it_was_turned_on(
    owner: Person, opponent: Person, service: PushService, worker: Outbox
) -> None:
    browser = FakeBrowser()
    form = browser.form(f"{service.origin}/send/1")
    owner.client.post(FORM, form, headers={"accept-language": "nl"})
    let_wait(make_game(owner, opponent))
    work(worker)
    assert browser.read(service.received[0].body)["title"] == "Jij bent aan zet"


def test_one_notice_of_a_turn_goes_to_every_device_and_to_the_web_hook(
    owner: Person, opponent: Person, service: PushService, worker: Outbox
) -> None:
    subscribe(owner, f"{service.origin}/computer")
    phone = Device.objects.create(player=owner.player, name="Phone")
    keys = FakeBrowser().form("")
    channels.subscribe_device(
        device=phone,
        endpoint=f"{service.origin}/phone",
        key=keys["p256dh"],
        secret=keys["auth"],
        site="",
    )
    channels.set_hook(player=owner.player, url=f"{service.origin}/hook", site="")
    let_wait(make_game(owner, opponent))
    work(worker)
    work(worker)
    assert sorted(request.path for request in service.received) == ["/computer", "/hook", "/phone"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_removed(
    status: int, owner: Person, opponent: Person, service: PushService, worker: Outbox
) -> None:
    subscribe(owner, f"{service.origin}/send/1")
    service.statuses = [status]
    let_wait(make_game(owner, opponent))
    work(worker)
    assert not PushSubscription.objects.exists()
    assert len(service.received) == 1


def test_a_key_that_is_no_point_of_the_curve_ends_the_subscription(
    owner: Person, opponent: Person, service: PushService, worker: Outbox
) -> None:
    form = FakeBrowser().form(f"{service.origin}/send/1")
    owner.client.post(FORM, {**form, "p256dh": web_push.encode(b"\4" + b"\1" * 64)})
    assert PushSubscription.objects.exists()
    let_wait(make_game(owner, opponent))
    work(worker)
    assert not PushSubscription.objects.exists()
    assert service.received == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_once_more(
    status: int,
    owner: Person,
    opponent: Person,
    service: PushService,
    worker: Outbox,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outgoing, "RETRY", timedelta(0))
    subscribe(owner, f"{service.origin}/send/1")
    service.statuses = [status]
    let_wait(make_game(owner, opponent))
    work(worker)
    assert len(service.received) == 2
    assert PushSubscription.objects.get().failures == 1


def test_a_service_that_answers_again_resets_the_failures(
    owner: Person,
    opponent: Person,
    service: PushService,
    worker: Outbox,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outgoing, "RETRY", timedelta(0))
    subscribe(owner, f"{service.origin}/send/1")
    PushSubscription.objects.update(failures=MOST_FAILURES - 1)
    service.statuses = [503, 201]
    let_wait(make_game(owner, opponent))
    work(worker)
    assert PushSubscription.objects.get().failures == 0


@pytest.mark.services
def test_a_notice_claimed_by_a_dead_worker_is_not_sent_again(
    owner: Person, opponent: Person, service: PushService, worker: Outbox
) -> None:
    subscribe(owner, f"{service.origin}/send/1")
    let_wait(make_game(owner, opponent))
    events.note_turns(owner.player.pk)
    assert len(outgoing.claim(PushSubscription.kind, [])) == 1
    work(worker)
    assert service.received == []


def test_an_error_of_one_notice_does_not_end_the_worker(
    owner: Person,
    opponent: Person,
    worker: Outbox,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*args: object) -> Attempt:
        raise RuntimeError

    subscribe(owner)
    monkeypatch.setitem(outbox.SENDERS, PushSubscription.kind, outbox.Sender(1, fail))
    let_wait(make_game(owner, opponent))
    work(worker)
    assert PushSubscription.objects.get().failures == 1


def test_a_site_without_a_key_sends_no_notice(
    owner: Person,
    opponent: Person,
    service: PushService,
    worker: Outbox,
    settings: Any,
) -> None:
    subscribe(owner, f"{service.origin}/send/1")
    settings.PUSH_KEY = ""
    let_wait(make_game(owner, opponent))
    work(worker)
    assert service.received == []
    assert owner.client.post(FORM, {"off": "1"}).status_code == 404
    assert "site/push.js" not in owner.client.get(PAGE).text


def test_a_device_gets_notices_until_they_are_turned_off(owner: Person) -> None:
    assert 'name="off"' not in owner.client.get(PAGE).text
    subscribe(owner)
    assert 'name="off"' in owner.client.get(PAGE).text
    owner.client.post(FORM, {"off": "1"})
    assert not PushSubscription.objects.exists()


@pytest.mark.services
def test_a_device_has_one_subscription(owner: Person) -> None:
    subscribe(owner)
    subscribe(owner, f"{ENDPOINT}2")
    assert PushSubscription.objects.get().endpoint == f"{ENDPOINT}2"


def test_a_subscription_that_the_browser_has_changed_is_replaced(owner: Person) -> None:
    owner.client.post(FORM, FakeBrowser().form(ENDPOINT), headers={"accept-language": "nl"})
    PushSubscription.objects.update(failures=3, stopped=timezone.now())
    form = {**FakeBrowser().form(f"{ENDPOINT}2"), "renewed": "1"}
    assert owner.client.post(FORM, form).status_code == 302
    stored = PushSubscription.objects.get()
    assert (stored.endpoint, stored.key) == (f"{ENDPOINT}2", form["p256dh"])
    assert (stored.language, stored.failures) == ("nl", 0)
    assert stored.stopped
    assert owner.client.post(FORM, {**form, "auth": "A"}).status_code == 422


def test_a_device_without_notices_and_another_player_renew_nothing(
    owner: Person, opponent: Person
) -> None:
    form = {**FakeBrowser().form(f"{ENDPOINT}2"), "renewed": "1"}
    owner.client.post(FORM, form)
    assert not PushSubscription.objects.exists()
    subscribe(owner)
    opponent.client.post(FORM, form)
    assert PushSubscription.objects.get().endpoint == ENDPOINT


def test_a_browser_of_a_new_player_leaves_the_old_one(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    subscribe(opponent)
    assert PushSubscription.objects.get().device.player == opponent.player


def test_a_visitor_without_a_player_is_refused(client: object, stranger: Person) -> None:
    stranger.client.cookies.clear()
    response = stranger.client.post(FORM, FakeBrowser().form(ENDPOINT))
    assert response.status_code == 403
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": ""},
        {"endpoint": "http://push.example/"},
        {"endpoint": "https://push.example:8443/"},
        {"endpoint": "https://[2606:4700:4700::1111]/"},
        {"endpoint": "https://push.example/" + "x" * 1_000},
        {"p256dh": ""},
        {"p256dh": "A" * 87},
        {"p256dh": "€"},
        {"p256dh": "x" * 5_000},
        {"auth": ""},
        {"auth": "A"},
        {"auth": "é" * 22},
    ],
    ids=str,
)
def test_rude_subscriptions_are_refused_with_a_sentence(
    changes: dict[str, str], owner: Person
) -> None:
    response = owner.client.post(FORM, {**FakeBrowser().form(ENDPOINT), **changes})
    assert response.status_code == 422
    assert 'role="alert"' in response.text
    assert not PushSubscription.objects.exists()


def test_a_post_without_scripts_explains_itself(owner: Person) -> None:
    response = owner.client.post(FORM)
    assert response.status_code == 422
    assert "It needs scripts and your permission." in response.text


def test_a_signed_out_device_gets_no_more_notices(owner: Person) -> None:
    subscribe(owner)
    devices.sign_out(player=owner.player, device_id=PushSubscription.objects.get().device_id)
    assert not PushSubscription.objects.exists()


def test_signing_out_the_others_leaves_the_notices_of_this_device(owner: Person) -> None:
    subscribe(owner)
    this = PushSubscription.objects.get().device_id
    end_others(player=owner.player, device_id=this)
    assert PushSubscription.objects.exists()
    end_others(player=owner.player, device_id=uuid4())
    assert not PushSubscription.objects.exists()


def test_the_notices_of_another_players_device_are_not_turned_off(
    owner: Person, opponent: Person
) -> None:
    subscribe(owner)
    opponent.client.post(FORM, {"off": "1"})
    device_id = PushSubscription.objects.get().device_id
    devices.sign_out(player=opponent.player, device_id=device_id)
    assert PushSubscription.objects.exists()


@pytest.mark.services
def test_subscriptions_are_deleted_with_their_player(owner: Person) -> None:
    subscribe(owner)
    forgetting.forget_player(player=owner.player)
    assert not PushSubscription.objects.exists()


def test_a_device_that_joins_another_player_gets_notices_of_the_games_of_both(
    owner: Person, opponent: Person, service: PushService, worker: Outbox
) -> None:
    newcomer = new_person("Nina")
    subscribe(newcomer, f"{service.origin}/send/1")
    games = [make_game(owner, opponent), make_game(newcomer, opponent)]
    device = register_device(player=newcomer.player, device_id=newcomer.player.pk, name="Firefox")
    join_player(player=owner.player, device=device, name="Firefox")
    for game in games:
        let_wait(game)
    end = monotonic() + 30
    while len(service.received) < len(games) and monotonic() < end:
        work(worker)
    topics = {request.headers["topic"] for request in service.received}
    assert topics == {game.pk for game in games}


def test_the_data_of_a_player_names_the_address_of_each_device(owner: Person) -> None:
    subscribe(owner)
    (device,) = owner.download()["devices"]
    assert device["push"] == ENDPOINT


def test_the_page_with_the_switch_has_the_public_key_alone(owner: Person) -> None:
    page = owner.client.get(PAGE).text
    assert web_push.public_key(KEY) in page
    assert KEY not in page


def test_the_service_worker_may_open_every_page(owner: Person) -> None:
    response = owner.client.get("/service-worker.js")
    assert response["Content-Type"].startswith("text/javascript")
    assert "showNotification" in response.text
