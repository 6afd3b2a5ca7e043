"""Notices of turns go to a player's channels: once until the player has moved, and without
secrets."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from time import monotonic, sleep

import pytest
from django.db import connection
from django.utils import timezone

from games.core import outgoing
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import Game, NoticeKind, Outgoing, WebHook
from games.notices import channels, events, senders
from games.notices import outgoing as letters
from games.notices.channels import PLAYERS_AT_ONCE, Attempt, Outcome
from games.notices.events import Notice
from games.notices.outgoing import MOST_FAILURES
from games.notices.senders import hook_message, send_to_hook
from games.services.players import new_player
from games.worker.outbox import Outbox
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_move, post_undo, post_undo_answer
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.letters import claim_notices
from tests.support.players import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

URL = "https://hooks.example/path?key=1"
SITE = "https://games.example/"


class Receiver(HTTPServer):
    """An endpoint on this machine that records what is posted and answers with ``status``."""

    status = 204

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[tuple[str, dict[str, str]]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, json.loads(body)))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """Run an endpoint to which all requests go, whatever the address."""
    server = Receiver()
    address = ("127.0.0.1", server.server_port)
    monkeypatch.setattr(
        outgoing, "open_socket", lambda host: outgoing.socket.create_connection(address, 5)
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def hooks(owner: Person, opponent: Person) -> None:
    """Give owner and opponent a channel."""
    for person in (owner, opponent):
        set_hook(person)


def set_hook(person: Person, url: str = URL) -> WebHook:
    channels.set_hook(player=person.player, url=url, site=SITE)
    return WebHook.objects.get(player=person.player)


def let_wait(game: Game) -> None:
    """Move the last change of a game some minutes into the past."""
    Game.objects.filter(pk=game.pk).update(updated=timezone.now() - timedelta(minutes=5))


def claimed(person: Person) -> list[str]:
    return [notice.game_id for notice in claim_notices(person.player.pk)]


def work_until_sent(worker: Outbox) -> None:
    end = monotonic() + 60
    while (worker.work() or worker.is_sending) and monotonic() < end:
        sleep(0.01)


def test_a_waiting_game_causes_one_notice(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    let_wait(game)
    assert claimed(owner) == [game.pk]
    assert claimed(owner) == []


def test_a_game_causes_one_more_notice_after_the_player_has_moved(
    owner: Person, opponent: Person
) -> None:
    game = make_game(owner, opponent)
    let_wait(game)
    claimed(owner)
    post_move(owner, game)
    post_move(opponent, game)
    game.refresh_from_db()
    let_wait(game)
    assert claimed(owner) == [game.pk]
    assert claimed(owner) == []


def test_a_game_causes_another_notice_after_the_player_has_granted_an_undo(
    owner: Person, opponent: Person
) -> None:
    game = make_game(owner, opponent)
    post_move(owner, game)
    let_wait(game)
    assert claimed(opponent) == [game.pk]
    post_undo(owner, game)
    assert post_undo_answer(opponent, game, "yes").status_code == 302
    let_wait(game)
    assert claimed(opponent) == []
    post_move(owner, game)
    let_wait(game)
    assert claimed(opponent) == [game.pk]


def test_a_player_who_moves_at_once_gets_no_notice(owner: Person, opponent: Person) -> None:
    make_game(owner, opponent)
    assert claimed(owner) == []


def test_turns_of_others_finished_games_and_lobbies_cause_no_notice(
    owner: Person, opponent: Person
) -> None:
    games = [make_game(owner, opponent), make_finished_game(opponent), make_lobby(opponent)]
    for game in games:
        let_wait(game)
    assert claimed(opponent) == []


def test_a_game_against_computers_alone_causes_no_notice(owner: Person) -> None:
    first, second = seat_keys(two_player_rules())
    game = make_game(owner, seating={first: "me", second: "computer-1"})
    let_wait(game)
    assert game.to_move == [first]
    assert claimed(owner) == []


def test_a_turn_that_many_workers_find_is_claimed_by_one(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    let_wait(game)

    def claim(_: int) -> int:
        try:
            return len(claimed(owner))
        finally:
            connection.close()

    if connection.vendor == "sqlite" and connection.is_in_memory_db():
        # Its threads would lock each other's tables; workers are processes with a file.
        counts = [len(claimed(owner)) for _ in range(64)]
    else:
        with ThreadPoolExecutor(8) as pool:
            counts = list(pool.map(claim, range(64)))
    assert sum(counts) == 1


def test_a_worker_posts_the_link_of_the_game(
    owner: Person, opponent: Person, receiver: Receiver
) -> None:
    game = make_game(owner, opponent)
    set_hook(owner)
    let_wait(game)
    worker = Outbox()
    work_until_sent(worker)
    worker.close()
    ((path, values),) = receiver.received
    assert path == "/path?key=1"
    assert values == {"text": f"Your turn: {game.rules.name} with Otto {SITE}g/{game.pk}/"}


def test_a_notice_claimed_by_a_dead_worker_is_not_sent_again(
    owner: Person, opponent: Person, receiver: Receiver
) -> None:
    game = make_game(owner, opponent)
    set_hook(owner)
    let_wait(game)
    claimed(owner)
    worker = Outbox()
    work_until_sent(worker)
    worker.close()
    assert receiver.received == []


def test_an_address_that_keeps_failing_is_removed(owner: Person, receiver: Receiver) -> None:
    hook = set_hook(owner)
    receiver.status = 410
    assert send_to_hook(hook, [Notice("game", next(iter(all_rules())))]) == Attempt(
        Outcome.FAILED, "410"
    )
    WebHook.objects.update(failures=MOST_FAILURES - 1)
    letter = letters.letter(hook, NoticeKind.OVER)
    letters.note_sent([letter], channel=hook, attempt=Attempt(Outcome.FAILED, "410"))
    assert not WebHook.objects.filter(player=owner.player).exists()


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_address_is_asked_once_more(
    status: int,
    owner: Person,
    opponent: Person,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(letters, "RETRY", timedelta(0))
    receiver.status = status
    let_wait(make_game(owner, opponent))
    worker = Outbox()
    work_until_sent(worker)
    worker.close()
    assert len(receiver.received) == 2
    assert WebHook.objects.get(player=owner.player).failures == 1


def test_a_turn_that_ends_before_it_is_claimed_causes_a_notice_when_it_comes_back(
    owner: Person, opponent: Person
) -> None:
    game = make_game(owner, opponent)
    let_wait(game)
    events.note_turns(owner.player.pk)
    post_move(owner, game)
    assert claimed(owner) == []
    post_move(opponent, game)
    let_wait(game)
    assert claimed(owner) == [game.pk]


def test_a_notice_that_arrives_resets_the_failures(owner: Person) -> None:
    hook = set_hook(owner)
    WebHook.objects.update(failures=3)
    hook.refresh_from_db()
    letter = letters.letter(hook, NoticeKind.OVER)
    letters.note_sent([letter], channel=hook, attempt=Attempt(Outcome.ARRIVED))
    hook.refresh_from_db()
    assert hook.failures == 0


def test_a_refused_address_stops_no_worker(owner: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(url: str, values: object) -> int:
        raise outgoing.BadAddress(url)

    monkeypatch.setattr(senders, "post_json", refuse)
    notice = Notice("game", next(iter(all_rules())))
    assert send_to_hook(set_hook(owner), [notice]) == Attempt(Outcome.FAILED, "address")


@pytest.mark.parametrize("slug", list(all_rules()))
def test_a_notice_names_the_game_and_its_link_alone(slug: str, owner: Person) -> None:
    rules = all_rules()[slug]
    values = hook_message(set_hook(owner), [Notice("bcdfg", slug)])
    assert values == {"text": f"Your turn: {rules.name} {SITE}g/bcdfg/"}


def test_discord_gets_notices_in_its_own_format(owner: Person) -> None:
    hook = set_hook(owner, "https://discord.com/api/webhooks/1/x")
    values = hook_message(hook, [Notice("bcdfg", next(iter(all_rules())))])
    assert values["allowed_mentions"] == {"parse": []}
    assert "bcdfg" in str(values["content"])


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/",
        "https://",
        "https://hooks.example:8443/",
        "https://me@hooks.example/",
        "https://hooks.example/\nHost: other",
        "ftp://hooks.example/",
        "https://hooks.example/" + "x" * 500,
    ],
)
def test_addresses_that_are_not_plain_https_are_refused(owner: Person, url: str) -> None:
    with pytest.raises(Refusal):
        set_hook(owner, url)
    assert set(WebHook.objects.values_list("url", flat=True)) == {URL}


def test_the_form_sets_and_removes_the_address(owner: Person) -> None:
    owner.client.post("/me/devices/hook/", {"url": URL})
    assert "https://hooks.example/path?key=1" in owner.client.get("/me/devices/").text
    assert owner.client.post("/me/devices/hook/", {"url": "x"}).status_code == 422
    owner.client.post("/me/devices/hook/", {"url": ""})
    assert not WebHook.objects.filter(player=owner.player).exists()


def test_claims_are_deleted_with_their_game(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    let_wait(game)
    claimed(owner)
    game.delete()
    assert not Outgoing.objects.exists()


def test_all_players_with_a_channel_are_found_page_by_page() -> None:
    WebHook.objects.all().delete()
    players = [new_player() for _ in range(PLAYERS_AT_ONCE + 5)]
    for player in players:
        channels.set_hook(player=player, url=URL, site=SITE)
    first = channels.players_after(None)
    assert len(first) == PLAYERS_AT_ONCE
    second = channels.players_after(first[-1])
    assert {*first, *second} == {player.pk for player in players}
    assert channels.players_after(second[-1]) == []
