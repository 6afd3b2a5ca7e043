"""A worker that is killed while it sends notices: none is sent twice, and its successors send those
that it had not begun to send."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import MSG_PEEK
from threading import Event, Semaphore, Thread
from typing import Any

import pytest

from games.models import EmailAddress, Outgoing
from games.notices import channels, web_push
from games.people import accounts
from games.people.emails import CONFIRM, confirm_email, email_token, enter_email
from tests.notices.test_turn_notices import let_wait
from tests.support import emails
from tests.support.game_factory import make_game
from tests.support.players import Person, new_person
from tests.support.servers.push_service import FakeBrowser
from tests.support.servers.smtp_server import MailServer, run_mail_server
from tests.support.servers.worker_process import WorkerProcess, share_rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

SECONDS = 60.0
HOOK, PUSH = "/hook", "/push"
AT_ONCE = 2
"""The notices that a worker sends at once to one player: to the web hook and to the device."""


class Point(Enum):
    """The point at which an endpoint holds a notice."""

    UNREAD = "unread"
    UNANSWERED = "unanswered"
    NEVER = "never"


class Endpoint(ThreadingHTTPServer):
    """A web hook and a push service that record the game of each notice, and hold it at a point
    until they are resumed."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.told: Counter[tuple[str, str]] = Counter()
        self.held, self.read, self.done = Semaphore(0), Semaphore(0), Semaphore(0)
        self.hold(Point.NEVER)

    @property
    def origin(self) -> str:
        """The origin that a site has to allow."""
        return f"http://127.0.0.1:{self.server_port}"

    def hold(self, point: Point) -> None:
        """Hold the next notices at a point."""
        self._point, self.go_on = point, Event()

    def reach(self, point: Point) -> None:
        """Wait, if notices are held at a point."""
        if point is self._point:
            self.held.release()
            assert self.go_on.wait(SECONDS)


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def handle(self) -> None:
        # The notice has left the worker once its first byte arrives, since it is sent in one piece.
        self.connection.recv(1, MSG_PEEK)
        self.server.reach(Point.UNREAD)
        try:
            super().handle()
        finally:
            self.server.done.release()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.told[self.path, self.headers["Topic"] or _linked(body)] += 1
        self.server.read.release()
        self.server.reach(Point.UNANSWERED)
        self.send_response(201)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


def _linked(body: bytes) -> str:
    """Return the id of the game in a notice to a web hook."""
    return str(json.loads(body)["text"]).rstrip("/").rpartition("/")[2]


def wait_for(semaphore: Semaphore, count: int) -> None:
    for _ in range(count):
        assert semaphore.acquire(timeout=SECONDS)


@contextmanager
def running(server: Any) -> Iterator[Any]:
    """Run an endpoint for the block."""
    with server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.go_on.set()
            server.shutdown()
            thread.join()


def subscribe(person: Person, origin: str) -> None:
    """Give a player a web hook and a subscribed device."""
    channels.set_hook(player=person.player, url=f"{origin}{HOOK}", site="https://games.example/")
    assert person.client.post("/me/devices/push/", FakeBrowser().form(f"{origin}{PUSH}"))


def test_a_worker_killed_while_posting_sends_no_notice_twice_and_loses_no_other(
    owner: Person, opponent: Person, tmp_path: Path, settings: Any
) -> None:
    settings.PUSH_KEY = web_push.new_key()
    with running(Endpoint()) as endpoint:
        settings.PRIVATE_ORIGINS = {endpoint.origin}
        subscribe(owner, endpoint.origin)
        games = [make_game(owner, opponent) for _ in range(4 * AT_ONCE)]
        for game in games:
            let_wait(game)
        configured = {
            "DATABASE_URL": share_rows(tmp_path),
            "BOARDSITE_PUSH_KEY": settings.PUSH_KEY,
            "BOARDSITE_PRIVATE_ORIGINS": endpoint.origin,
        }

        kill_at(endpoint, Point.UNREAD, WorkerProcess(tmp_path, **configured))
        kill_at(endpoint, Point.UNANSWERED, WorkerProcess(tmp_path, **configured))
        kill_with_answers(endpoint, WorkerProcess(tmp_path, **configured))
        endpoint.hold(Point.UNANSWERED)
        successors = [WorkerProcess(tmp_path, **configured) for _ in range(2)]
        with successors[0], successors[1]:
            # As many as only both together send.
            wait_for(endpoint.held, 2 * AT_ONCE)
            endpoint.go_on.set()
            wait_for(endpoint.read, 2 * len(games))
        assert endpoint.told == Counter({(path, g.pk): 1 for g in games for path in (HOOK, PUSH)})


def kill_at(endpoint: Endpoint, point: Point, worker: WorkerProcess) -> None:
    """Kill a worker whose notices are all held at a point."""
    endpoint.hold(point)
    with worker:
        wait_for(endpoint.held, AT_ONCE)
    endpoint.go_on.set()
    wait_for(endpoint.done, AT_ONCE)


def kill_with_answers(endpoint: Endpoint, worker: WorkerProcess) -> None:
    """Kill a worker that has been answered, but can no longer store the answers."""
    endpoint.hold(Point.UNANSWERED)
    with worker:
        wait_for(endpoint.held, AT_ONCE)
        worker.freeze()
        endpoint.go_on.set()
        wait_for(endpoint.done, AT_ONCE)


def subscribe_by_mail(person: Person, address: str) -> None:
    """Give a player an account with a confirmed address."""
    name = person.player.name
    accounts.create_account(player=person.player, name=name, password=emails.PASSWORD)
    enter_email(player=person.player, address=address, site="http://testserver/")
    Outgoing.objects.filter(kind=Outgoing.CONFIRM).delete()
    email = EmailAddress.objects.get(pending=address)
    confirm_email(token=email_token(email, CONFIRM))


def test_a_worker_killed_while_mailing_sends_no_digest_twice_and_loses_no_other(
    opponent: Person, tmp_path: Path, settings: Any
) -> None:
    addresses = [f"{name}@boards.example" for name in ("ann", "ben", "cas", "dee")]
    for address in addresses:
        person = new_person(address.partition("@")[0])
        subscribe_by_mail(person, address)
        emails.start_digests()
        emails.let_wait(person, make_game(person, opponent))
    with run_mail_server() as server:
        configured = {
            "DATABASE_URL": share_rows(tmp_path),
            "BOARDSITE_SMTP": f"smtp://127.0.0.1:{server.port}",
            "BOARDSITE_MAIL_FROM": settings.DEFAULT_FROM_EMAIL,
        }
        for word in ("MAIL", "DATA"):
            kill_in_mail(server, word, WorkerProcess(tmp_path, **configured))
        with WorkerProcess(tmp_path, **configured):
            while len(server.received) < len(addresses) - 1:
                assert server.arrived.acquire(timeout=SECONDS)
        # The first one may or may not have left before the worker died.
        assert Counter(str(message["To"]) for message in server.received) == Counter(addresses[1:])


def kill_in_mail(server: MailServer, word: str, worker: WorkerProcess) -> None:
    """Kill a worker that waits for the answer to a command."""
    server.silent_at = word
    with worker:
        assert server.fell_silent.acquire(timeout=SECONDS)
    server.silent_at = ""
