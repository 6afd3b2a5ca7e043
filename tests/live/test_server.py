"""Streams of the real site, over real connections: one process, two on one database, and one that
is killed and comes back."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from games.bus import Hint
from games.bus.sockets import SocketBus, folder_of
from games.rate_limits import STREAMS_PER_PLAYER
from tests.support.site_process import Site, query_database, share_static
from tests.support.stream_client import StreamClient, StreamedGame

QUIET = {"BOARDSITE_RATE_LIMITS": "0"}
"""Moves come faster here than people make them."""


class House:
    """The processes of one site on one data folder."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.sites: list[Site] = []
        self.environment = {**QUIET, **environment}

    def open(self) -> tuple[Site, str]:
        site = Site(self.data, "--computers", "0", **self.environment)
        self.sites.append(site)
        return site, site.start()

    def close(self) -> None:
        for site in self.sites:
            site.stop()


@pytest.fixture
def new_house(tmp_path: Path, site: str, site_data: Path) -> Iterator[Callable[..., House]]:
    """Makes houses on one data folder."""
    houses: list[House] = []
    share_static(tmp_path, site_data)

    def make(**environment: str) -> House:
        houses.append(House(tmp_path, **environment))
        return houses[-1]

    yield make
    for each in houses:
        each.close()


@pytest.fixture
def house(new_house: Callable[..., House]) -> House:
    return new_house()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(work(), timeout=90)

    asyncio.run(limited())


async def change(table: StreamedGame) -> int:
    return await asyncio.to_thread(table.change)


def test_200_streams_get_every_move_exactly_once(house):
    _, address = house.open()
    table = StreamedGame(address)

    async def work() -> None:
        crowd = [
            (
                await StreamClient(address, table.path, gzipped=number % 2 == 0).connect()
            ).start_reading()
            for number in range(200)
        ]
        await asyncio.gather(*(one.wait_for(1) for one in crowd))
        for _ in range(10):
            version = await change(table)
            await asyncio.gather(*(one.wait_for(version) for one in crowd))
        assert all(one.versions == list(range(1, 12)) for one in crowd)
        for one in crowd:
            await one.disconnect()

    run(work)


def test_a_move_at_one_process_comes_to_the_streams_of_another(house):
    (_, here), (_, there) = house.open(), house.open()
    table = StreamedGame(here)

    async def work() -> None:
        watcher = (await StreamClient(there, table.path).connect()).start_reading()
        await watcher.wait_for(1)
        for _ in range(5):
            await watcher.wait_for(await change(table))
        await change(table.at(there))
        await watcher.wait_for(7)
        assert watcher.versions == list(range(1, 8))
        await watcher.disconnect()

    run(work)


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="the bus of one machine is not in use")
def test_every_change_is_told_to_other_processes(house):
    _, address = house.open()
    table = StreamedGame(address)
    told: list[Hint] = []

    async def work() -> None:
        listening = asyncio.Event()
        bus = SocketBus(folder_of(house.data))
        task = asyncio.create_task(bus.listen(told.append, listening.set))
        await listening.wait()
        for _ in range(3):
            await change(table)
        while len(told) < 3:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        bus.close()

    run(work)
    assert told == [Hint(table.game_id, version) for version in (2, 3, 4)]


def test_what_another_program_writes_is_noticed_without_a_hint(house):
    _, address = house.open()
    table = StreamedGame(address)

    async def work() -> None:
        watcher = (await StreamClient(address, table.path).connect()).start_reading()
        await watcher.wait_for(1)
        query_database(house.data, "UPDATE games_game SET version = 2 WHERE id = ?", table.game_id)
        await watcher.wait_for(2)
        await watcher.disconnect()

    run(work)


def test_after_a_kill_and_a_restart_everybody_ends_with_the_right_board(house):
    site, address = house.open()
    table = StreamedGame(address)

    async def work() -> None:
        crowd = [
            (await StreamClient(address, table.path).connect()).start_reading() for _ in range(20)
        ]
        await asyncio.gather(*(one.wait_for(1) for one in crowd))
        version = await change(table)
        for one in crowd:
            await one.wait_for(version)
        site.stop(signal.SIGKILL)
        await asyncio.gather(*(one.ended.wait() for one in crowd))
        await asyncio.to_thread(site.start)
        version = await change(table)
        for one in crowd:
            await one.disconnect()
            (await one.connect(has=one.versions[-1])).start_reading()
            await one.wait_for(version)
        version = await change(table)
        for one in crowd:
            await one.wait_for(version)
            assert one.versions == [1, 2, 3, 4]
            await one.disconnect()

    run(work)


def test_a_reader_that_stops_delays_nobody_and_gets_the_newest_board(house):
    _, address = house.open()
    table = StreamedGame(address)

    async def work() -> None:
        slow = await StreamClient(address, table.path, buffer=4096).connect()
        quick = (await StreamClient(address, table.path).connect()).start_reading()
        await quick.wait_for(table.version)
        for _ in range(60):
            await quick.wait_for(await change(table))
        slow.start_reading()
        await slow.wait_for(table.version)
        assert quick.versions == list(range(1, 62))
        assert len(slow.versions) < len(quick.versions)
        for one in (slow, quick):
            await one.disconnect()

    run(work)


def test_nothing_stays_of_clients_that_left(house):
    site, address = house.open()
    table = StreamedGame(address)

    def threads_and_files() -> tuple[int, int]:
        process = Path(f"/proc/{site.process.pid}")
        return len(list((process / "task").iterdir())), len(list((process / "fd").iterdir()))

    async def crowd(size: int) -> None:
        followers = [
            (await StreamClient(address, table.path).connect()).start_reading() for _ in range(size)
        ]
        version = await change(table)
        await asyncio.gather(*(one.wait_for(version) for one in followers))
        during.append(threads_and_files())
        for one in followers:
            await one.disconnect()

    async def work() -> None:
        for _ in range(10):
            # All threads of the pool have their connection by now.
            await change(table)
        await crowd(8)
        await asyncio.sleep(0.5)
        before = threads_and_files()
        await crowd(100)
        async with asyncio.timeout(5):
            while threads_and_files()[1] > before[1]:
                await asyncio.sleep(0.05)
        threads, files = during[-1]
        assert threads <= before[0] + 1 and files >= before[1] + 100
        assert threads_and_files()[0] <= before[0] + 1

    during: list[tuple[int, int]] = []
    run(work)


def test_a_server_that_stops_ends_its_streams_and_does_not_wait_for_them(house):
    site, address = house.open()
    table = StreamedGame(address)

    async def work() -> None:
        followers = [
            (await StreamClient(address, table.path).connect()).start_reading() for _ in range(10)
        ]
        await followers[-1].wait_for(1)
        await asyncio.to_thread(site.stop)
        await asyncio.gather(*(one.ended.wait() for one in followers))
        assert site.process.returncode in {0, -signal.SIGTERM}
        for one in followers:
            await one.disconnect()

    run(work)


def test_the_head_of_a_stream_lets_nothing_keep_or_hold_it_back(house):
    _, address = house.open()
    table = StreamedGame(address)

    async def work() -> None:
        for gzipped in (True, False):
            one = await StreamClient(address, table.path, gzipped=gzipped).connect()
            head = one.head.decode().lower()
            assert head.startswith("http/1.1 200")
            assert "content-type: text/event-stream" in head
            assert "cache-control: no-store" in head and "x-accel-buffering: no" in head
            assert ("content-encoding: gzip" in head) == gzipped
            await one.disconnect()

    run(work)


@pytest.mark.parametrize("path", ["/g/nothing/", "/g/nothing%00/", "/g/%ff/"])
def test_of_a_game_that_is_not_there_there_is_no_stream(site, path):
    async def work() -> None:
        one = await StreamClient(site, path).connect()
        assert one.head.startswith(b"HTTP/1.1 404")
        await one.disconnect()

    run(work)


def test_a_host_that_is_not_ours_gets_no_stream(site):
    table = StreamedGame(site)

    async def work() -> None:
        one = await StreamClient(site, table.path).connect(host="evil.example")
        assert one.head.startswith(b"HTTP/1.1 400")
        await one.disconnect()

    run(work)


def test_a_player_follows_through_the_seats_of_the_cookie(site):
    table = StreamedGame(site)
    cookie = "; ".join(f"{each.name}={each.value}" for each in table.browser.cookies)

    async def work() -> None:
        player = (await StreamClient(site, table.path).connect(cookie=cookie)).start_reading()
        stranger = (
            await StreamClient(site, table.path).connect(cookie="player=forged:x")
        ).start_reading()
        await player.wait_for(1)
        await stranger.wait_for(1)
        assert "my-turn" in player.text
        assert "my-turn" not in stranger.text
        for one in (player, stranger):
            await one.disconnect()

    run(work)


def test_a_player_with_too_many_streams_gets_another_only_when_one_ends(new_house):
    _, address = new_house(BOARDSITE_RATE_LIMITS="1").open()
    table = StreamedGame(address)
    cookie = "; ".join(f"{each.name}={each.value}" for each in table.browser.cookies)

    async def connect() -> StreamClient:
        return await StreamClient(address, table.path).connect(cookie=cookie)

    async def work() -> None:
        crowd = [await connect() for _ in range(STREAMS_PER_PLAYER.limit + 1)]
        heads = [one.head.split()[1] for one in crowd]
        assert heads == [b"200"] * STREAMS_PER_PLAYER.limit + [b"429"]
        await crowd[0].disconnect()
        while b" 200 " not in crowd[-1].head:
            await crowd.pop().disconnect()
            crowd.append(await connect())
        for one in crowd[1:]:
            await one.disconnect()

    run(work)


@pytest.mark.parametrize("used", ["DATABASE_URL", "REDIS_URL", "DATABASE_URL REDIS_URL"])
def test_a_site_of_several_machines_carries_moves_too(used, new_house, tmp_path):
    """PostgreSQL alone, which notifies; Redis beside SQLite; and both."""
    added = {"DATABASE_URL": f"sqlite:///{tmp_path / 'boardsite.sqlite3'}", "REDIS_URL": ""}
    for name in used.split():
        if f"TEST_{name}" not in os.environ:
            pytest.skip(f"TEST_{name} is not set")
        added[name] = os.environ[f"TEST_{name}"]
    house = new_house(**added)
    (_, here), (_, there) = house.open(), house.open()
    table = StreamedGame(here)

    async def work() -> None:
        watcher = (await StreamClient(there, table.path).connect()).start_reading()
        await watcher.wait_for(1)
        for _ in range(5):
            await watcher.wait_for(await change(table))
        await change(table.at(there))
        other = (await StreamClient(here, table.path).connect(has=table.version)).start_reading()
        await watcher.wait_for(await change(table))
        await other.wait_for(table.version)
        for one in (watcher, other):
            await one.disconnect()

    run(work)
