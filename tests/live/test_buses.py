"""The buses: a hint that one process publishes is heard by the others, and nobody waits for one
that does not listen."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from games import bus
from games.bus import Bus, Hint, hand_on, keep_listening
from games.bus.sockets import LONGEST_PATH, SocketBus, folder_of
from scripts.services import find_redis
from scripts.services import redis as own_redis
from tests.support.site_process import database_url

HINT = Hint("bcdfghjkmn", 7)


class Listener:
    """A process that listens, as far as a bus can tell."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.heard: list[Hint] = []
        self.renewals = 0
        self._task = asyncio.create_task(bus.listen(self.heard.append, self._renewed))

    def _renewed(self) -> None:
        self.renewals += 1

    async def renewed(self, times: int) -> Listener:
        while self.renewals < times:
            await asyncio.sleep(0.005)
        return self

    async def hears(self, *hints: Hint) -> None:
        while len(self.heard) < len(hints):
            await asyncio.sleep(0.005)
        assert self.heard == list(hints)

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if isinstance(self.bus, SocketBus):
            self.bus.close()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(work(), timeout=20)

    asyncio.run(limited())


def test_a_hint_travels_as_text():
    heard: list[Hint] = []
    hand_on(HINT.encode(), heard.append)
    assert heard == [HINT]


@pytest.mark.parametrize("nonsense", ["", "a", "a b", "a 1 2", "a 1\ufffd"])
def test_what_is_no_hint_is_passed_over(nonsense):
    heard: list[Hint] = []
    hand_on(nonsense, heard.append)
    assert heard == []


# --- sockets ------------------------------------------------------------------------------


def test_all_processes_in_the_folder_hear_and_the_one_that_publishes_does_not(tmp_path):
    async def work() -> None:
        listeners = [await Listener(SocketBus(tmp_path)).renewed(1) for _ in range(3)]
        listeners[0].bus.publish(HINT)
        for other in listeners[1:]:
            await other.hears(HINT)
        assert listeners[0].heard == []
        for each in listeners:
            await each.stop()

    run(work)
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_only_publishes_is_heard(tmp_path):
    async def work() -> None:
        listener = await Listener(SocketBus(tmp_path)).renewed(1)
        with closing(SocketBus(tmp_path)) as other:
            other.publish(HINT)
        await listener.hears(HINT)
        await listener.stop()

    run(work)


def test_the_socket_of_a_process_that_died_is_removed(tmp_path):
    dead = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    dead.bind(str(tmp_path / "dead"))
    dead.close()
    with closing(SocketBus(tmp_path)) as bus:
        bus.publish(HINT)
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_is_stuck_stops_nobody_and_hears_again_when_it_is_not(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stuck:
        stuck.bind(str(tmp_path / "stuck"))
        bus = SocketBus(tmp_path)

        async def work() -> None:
            listener = await Listener(SocketBus(tmp_path)).renewed(1)
            hints = [Hint("a", version) for version in range(1500)]
            for hint in hints:
                bus.publish(hint)
                await asyncio.sleep(0)
            await listener.hears(*hints)
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


def test_a_data_folder_with_a_long_path_has_its_sockets_elsewhere(tmp_path):
    deep = tmp_path / ("d" * LONGEST_PATH)
    assert folder_of(tmp_path / "short").parent == tmp_path / "short"
    assert len(str(folder_of(deep))) <= LONGEST_PATH
    assert folder_of(deep) == folder_of(deep) != folder_of(Path(f"{deep}2"))


# --- servers, which no other test uses meanwhile -------------------------------------------


@pytest.mark.skipif(find_redis() is None, reason="there is no Redis here")
def test_a_hint_goes_through_redis_and_listening_begins_again_after_an_interruption():
    client_of = pytest.importorskip("redis").Redis.from_url
    from games.bus.redis import RedisBus

    async def work() -> None:
        listener = await Listener(RedisBus(url)).renewed(1)
        RedisBus(url).publish(HINT)
        await listener.hears(HINT)
        with client_of(url) as client:
            client.client_kill_filter(_type="pubsub")
        await listener.renewed(2)
        RedisBus(url).publish(HINT)
        await listener.hears(HINT, HINT)
        await listener.stop()

    with own_redis() as (url, _):
        run(work)


def test_a_redis_that_is_not_there_is_left_alone_for_a_while(caplog):
    pytest.importorskip("redis")
    from games.bus.redis import RedisBus

    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        bus = RedisBus(f"redis://127.0.0.1:{nobody.getsockname()[1]}")
        for _ in range(5):
            bus.publish(HINT)
    assert caplog.text.count("Hints are not published") == 1


def test_a_hint_goes_through_postgresql_and_listening_begins_again_after_an_interruption(tmp_path):
    psycopg = pytest.importorskip("psycopg")
    from games.bus.postgres import CHANNEL, PostgresBus

    url = database_url(tmp_path)
    if not url.startswith("postgres"):
        pytest.skip("there is no PostgreSQL here")
    end = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE 'LISTEN%' AND datname = current_database()"""

    async def work() -> None:
        listener = await Listener(PostgresBus(url)).renewed(1)
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("SELECT pg_notify(%s, %s)", [CHANNEL, HINT.encode()])
            await listener.hears(HINT)
            other.execute(end)
            await listener.renewed(2)
            other.execute("SELECT pg_notify(%s, %s)", [CHANNEL, HINT.encode()])
            await listener.hears(HINT, HINT)
        await listener.stop()

    run(work)


def test_an_interruption_is_told_when_it_begins_and_when_it_has_ended(monkeypatch, caplog):
    attempts = iter([False, False, True, False, True])

    async def listen(back: Callable[[], None]) -> None:
        if next(attempts, None):
            back()
        raise OSError("gone")

    async def work() -> None:
        renewals: list[None] = []
        listening = keep_listening(listen, lambda: renewals.append(None), (OSError,))
        task = asyncio.create_task(listening)
        while len(renewals) < 2:
            await asyncio.sleep(0)
        task.cancel()

    monkeypatch.setattr(bus, "AGAIN", 0)
    run(work)
    gone, back = "The bus is interrupted: gone", "The bus is back."
    assert caplog.messages[:4] == [gone, back, gone, back]
