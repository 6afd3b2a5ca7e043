"""The buses deliver hints to all listening processes, and wait for none that is stuck."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from games.bus import hints
from games.bus.hints import Bus, Hint, deliver, keep_listening
from games.bus.sockets import MAX_PATH, SocketBus, socket_folder
from scripts.services import find_redis
from scripts.services import redis as own_redis
from tests.support.servers.site_process import database_url

pytestmark = pytest.mark.services

HINT = Hint("bcdfghjkmn", 7)


class Listener:
    """A listener of a bus, which records the hints and counts the connections."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.hints: list[Hint] = []
        self.connections = 0
        self._task = asyncio.create_task(bus.listen(self.hints.append, self._on_connect))

    def _on_connect(self) -> None:
        self.connections += 1

    async def connected(self, times: int) -> Listener:
        while self.connections < times:
            await asyncio.sleep(0.005)
        return self

    async def receives(self, *hints: Hint) -> None:
        while len(self.hints) < len(hints):
            await asyncio.sleep(0.005)
        assert self.hints == list(hints)

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if isinstance(self.bus, SocketBus):
            self.bus.close()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(work(), timeout=90)

    asyncio.run(limited())


def test_a_hint_survives_encoding():
    hints: list[Hint] = []
    deliver(HINT.encode(), hints.append)
    assert hints == [HINT]


@pytest.mark.parametrize("message", ["", "a", "a b", "a 1 2", "a 1\ufffd"])
def test_other_messages_are_ignored(message):
    hints: list[Hint] = []
    deliver(message, hints.append)
    assert hints == []


# --- sockets ------------------------------------------------------------------------------


def test_all_other_processes_in_the_folder_receive_a_hint(tmp_path):
    async def work() -> None:
        listeners = [await Listener(SocketBus(tmp_path)).connected(1) for _ in range(3)]
        listeners[0].bus.publish(HINT)
        for other in listeners[1:]:
            await other.receives(HINT)
        assert listeners[0].hints == []
        for listener in listeners:
            await listener.stop()

    run(work)
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_does_not_listen_can_publish(tmp_path):
    async def work() -> None:
        listener = await Listener(SocketBus(tmp_path)).connected(1)
        with closing(SocketBus(tmp_path)) as other:
            other.publish(HINT)
        await listener.receives(HINT)
        await listener.stop()

    run(work)


def test_the_socket_of_a_dead_process_is_removed(tmp_path):
    dead = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    dead.bind(str(tmp_path / "dead"))
    dead.close()
    with closing(SocketBus(tmp_path)) as bus:
        bus.publish(HINT)
    assert list(tmp_path.iterdir()) == []


def test_a_stuck_process_delays_no_other_and_loses_hints_only(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stuck:
        stuck.bind(str(tmp_path / "stuck"))
        bus = SocketBus(tmp_path)

        async def work() -> None:
            listener = await Listener(SocketBus(tmp_path)).connected(1)
            hints = [Hint("a", version) for version in range(1500)]
            for hint in hints:
                bus.publish(hint)
                await asyncio.sleep(0)
            await listener.receives(*hints)
            await listener.stop()

        run(work)
        bus.close()
        waiting = 0
        stuck.setblocking(False)
        while receive(stuck):
            waiting += 1
        assert 0 < waiting < 1500


def receive(stuck: socket.socket) -> bytes:
    try:
        return stuck.recv(200)
    except BlockingIOError:
        return b""


def test_a_data_folder_with_a_long_path_has_another_socket_folder(tmp_path):
    deep = tmp_path / ("d" * MAX_PATH)
    assert socket_folder(tmp_path / "short").parent == tmp_path / "short"
    assert len(str(socket_folder(deep))) <= MAX_PATH
    assert socket_folder(deep) == socket_folder(deep) != socket_folder(Path(f"{deep}2"))


# --- servers, private to each test --------------------------------------------------------


@pytest.mark.skipif(find_redis() is None, reason="there is no Redis here")
def test_redis_delivers_hints_and_listening_survives_an_interruption():
    client_of = pytest.importorskip("redis").Redis.from_url
    from games.bus.redis import RedisBus

    async def work() -> None:
        listener = await Listener(RedisBus(url)).connected(1)
        RedisBus(url).publish(HINT)
        await listener.receives(HINT)
        with client_of(url) as client:
            client.client_kill_filter(_type="pubsub")
        await listener.connected(2)
        RedisBus(url).publish(HINT)
        await listener.receives(HINT, HINT)
        await listener.stop()

    with own_redis() as (url, _):
        run(work)


def test_publishing_pauses_while_redis_is_away(caplog):
    pytest.importorskip("redis")
    from games.bus.redis import RedisBus

    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        bus = RedisBus(f"redis://127.0.0.1:{closed.getsockname()[1]}")
        for _ in range(5):
            bus.publish(HINT)
    assert caplog.text.count("Hints are not published") == 1


def test_postgresql_delivers_hints_and_listening_survives_an_interruption(tmp_path):
    psycopg = pytest.importorskip("psycopg")
    from games.bus.postgres import CHANNEL, PostgresBus

    url = database_url(tmp_path)
    if not url.startswith("postgres"):
        pytest.skip("there is no PostgreSQL here")
    terminate = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE 'LISTEN%' AND datname = current_database()"""

    async def work() -> None:
        listener = await Listener(PostgresBus(url)).connected(1)
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("SELECT pg_notify(%s, %s)", [CHANNEL, HINT.encode()])
            await listener.receives(HINT)
            other.execute(terminate)
            await listener.connected(2)
            other.execute("SELECT pg_notify(%s, %s)", [CHANNEL, HINT.encode()])
            await listener.receives(HINT, HINT)
        await listener.stop()

    run(work)


def test_the_beginning_and_end_of_an_interruption_are_logged(monkeypatch, caplog):
    attempts = iter([False, False, True, False, True])

    async def listen(connected: Callable[[], None]) -> None:
        if next(attempts, None):
            connected()
        raise OSError("gone")

    async def work() -> None:
        connections: list[None] = []
        listening = keep_listening(listen, lambda: connections.append(None), (OSError,))
        task = asyncio.create_task(listening)
        while len(connections) < 2:
            await asyncio.sleep(0)
        task.cancel()

    monkeypatch.setattr(hints, "RETRY_SECONDS", 0)
    run(work)
    gone, connected = "The bus is interrupted: gone", "The bus is connected again."
    assert caplog.messages[:4] == [gone, connected, gone, connected]
