"""Streams of the real site over real connections: of one process, of two, and after a restart."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from games.bus import Hint
from games.bus.sockets import SocketBus, socket_folder
from games.core.rate_limits import STREAMS_PER_PLAYER
from tests.support.servers.site_process import Site, query_database, share_static
from tests.support.servers.stream_client import StreamClient, StreamedGame

pytestmark = [pytest.mark.processes, pytest.mark.services]

NO_LIMITS = {"BOARDSITE_RATE_LIMITS": "0"}


class Processes:
    """The processes of a site on one data folder."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.sites: list[Site] = []
        self.environment = {**NO_LIMITS, **environment}

    def start(self) -> tuple[Site, str]:
        site = Site(self.data, "--computers", "0", **self.environment)
        self.sites.append(site)
        return site, site.start()

    def stop(self) -> None:
        for site in self.sites:
            site.stop()


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, site: str, site_data: Path
) -> Iterator[tuple[Path, str]]:
    """Run a process that no test stops, and yield its data folder and address."""
    data = tmp_path_factory.mktemp("running")
    share_static(data, site_data)
    processes = Processes(data)
    yield data, processes.start()[1]
    processes.stop()


@pytest.fixture
def new_processes(tmp_path: Path, site: str, site_data: Path) -> Iterator[Callable[..., Processes]]:
    """Return a maker of processes on one data folder."""
    groups: list[Processes] = []
    share_static(tmp_path, site_data)

    def make(**environment: str) -> Processes:
        groups.append(Processes(tmp_path, **environment))
        return groups[-1]

    yield make
    for group in groups:
        group.stop()


@pytest.fixture
def processes(new_processes: Callable[..., Processes]) -> Processes:
    return new_processes()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(work(), timeout=90)

    asyncio.run(limited())


async def change(game: StreamedGame) -> int:
    return await asyncio.to_thread(game.change)


def test_200_streams_get_every_move_exactly_once(running):
    _, address = running
    game = StreamedGame(address)

    async def work() -> None:
        crowd = [
            (
                await StreamClient(address, game.path, gzipped=number % 2 == 0).connect()
            ).start_reading()
            for number in range(200)
        ]
        await asyncio.gather(*(one.wait_for(1) for one in crowd))
        for _ in range(10):
            version = await change(game)
            await asyncio.gather(*(one.wait_for(version) for one in crowd))
        assert all(one.versions == list(range(1, 12)) for one in crowd)
        for one in crowd:
            await one.disconnect()

    run(work)


def test_a_move_at_one_process_reaches_the_streams_of_another(processes):
    (_, here), (_, there) = processes.start(), processes.start()
    game = StreamedGame(here)

    async def work() -> None:
        client = (await StreamClient(there, game.path).connect()).start_reading()
        await client.wait_for(1)
        for _ in range(5):
            await client.wait_for(await change(game))
        await change(game.at(there))
        await client.wait_for(7)
        assert client.versions == list(range(1, 8))
        await client.disconnect()

    run(work)


@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="another bus is in use")
def test_every_change_is_published_on_the_bus(running):
    data, address = running
    game = StreamedGame(address)
    hints: list[Hint] = []

    async def work() -> None:
        listening = asyncio.Event()
        bus = SocketBus(socket_folder(data))
        task = asyncio.create_task(bus.listen(hints.append, listening.set))
        await listening.wait()
        for _ in range(3):
            await change(game)
        while len(hints) < 3:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        bus.close()

    run(work)
    assert hints == [Hint(game.game_id, version) for version in (2, 3, 4)]


def test_a_write_of_another_program_is_found_by_polling(running):
    data, address = running
    game = StreamedGame(address)

    async def work() -> None:
        client = (await StreamClient(address, game.path).connect()).start_reading()
        await client.wait_for(1)
        query_database(data, "UPDATE games_game SET version = 2 WHERE id = ?", game.game_id)
        await client.wait_for(2)
        await client.disconnect()

    run(work)


def test_after_a_kill_and_a_restart_all_streams_get_the_newest_board(processes):
    site, address = processes.start()
    game = StreamedGame(address)

    async def work() -> None:
        crowd = [
            (await StreamClient(address, game.path).connect()).start_reading() for _ in range(20)
        ]
        await asyncio.gather(*(one.wait_for(1) for one in crowd))
        version = await change(game)
        for one in crowd:
            await one.wait_for(version)
        site.stop(signal.SIGKILL)
        await asyncio.gather(*(one.ended.wait() for one in crowd))
        await asyncio.to_thread(site.start)
        version = await change(game)
        for one in crowd:
            await one.disconnect()
            (await one.connect(has=one.versions[-1])).start_reading()
            await one.wait_for(version)
        version = await change(game)
        for one in crowd:
            await one.wait_for(version)
            assert one.versions == [1, 2, 3, 4]
            await one.disconnect()

    run(work)


def test_a_stopped_reader_delays_no_other_and_gets_the_newest_board(running):
    _, address = running
    game = StreamedGame(address)

    async def work() -> None:
        slow = await StreamClient(address, game.path, buffer=4096).connect()
        quick = (await StreamClient(address, game.path).connect()).start_reading()
        await quick.wait_for(game.version)
        for _ in range(60):
            await quick.wait_for(await change(game))
        slow.start_reading()
        await slow.wait_for(game.version)
        assert quick.versions == list(range(1, 62))
        assert len(slow.versions) < len(quick.versions)
        for one in (slow, quick):
            await one.disconnect()

    run(work)


def test_disconnected_clients_leave_no_threads_or_files(processes):
    site, address = processes.start()
    game = StreamedGame(address)

    def threads_and_files() -> tuple[int, int]:
        process = Path(f"/proc/{site.process.pid}")
        return len(list((process / "task").iterdir())), len(list((process / "fd").iterdir()))

    async def crowd(size: int) -> None:
        clients = [
            (await StreamClient(address, game.path).connect()).start_reading() for _ in range(size)
        ]
        version = await change(game)
        await asyncio.gather(*(one.wait_for(version) for one in clients))
        during.append(threads_and_files())
        for one in clients:
            await one.disconnect()

    async def work() -> None:
        for _ in range(10):
            # After this all threads of the pool have their connection.
            await change(game)
        await crowd(8)
        await asyncio.sleep(0.5)
        before = threads_and_files()
        await crowd(100)
        async with asyncio.timeout(30):
            # The site may have opened another connection to its database meanwhile.
            while threads_and_files()[1] > before[1] + 10:
                await asyncio.sleep(0.05)
        threads, files = during[-1]
        assert threads <= before[0] + 5 and files >= before[1] + 100
        assert threads_and_files()[0] <= before[0] + 5

    during: list[tuple[int, int]] = []
    run(work)


def test_a_stopping_server_ends_its_streams(processes):
    site, address = processes.start()
    game = StreamedGame(address)

    async def work() -> None:
        clients = [
            (await StreamClient(address, game.path).connect()).start_reading() for _ in range(10)
        ]
        await clients[-1].wait_for(1)
        await asyncio.to_thread(site.stop)
        await asyncio.gather(*(one.ended.wait() for one in clients))
        assert site.process.returncode in {0, -signal.SIGTERM}
        for one in clients:
            await one.disconnect()

    run(work)


def test_the_headers_of_a_stream_prevent_caching_and_buffering(running):
    _, address = running
    game = StreamedGame(address)

    async def work() -> None:
        for gzipped in (True, False):
            one = await StreamClient(address, game.path, gzipped=gzipped).connect()
            head = one.head.decode().lower()
            assert head.startswith("http/1.1 200")
            assert "content-type: text/event-stream" in head
            assert "cache-control: no-store" in head and "x-accel-buffering: no" in head
            assert ("content-encoding: gzip" in head) == gzipped
            await one.disconnect()

    run(work)


@pytest.mark.parametrize("path", ["/g/nothing/", "/g/nothing%00/", "/g/%ff/"])
def test_a_missing_game_has_no_stream(site, path):
    async def work() -> None:
        one = await StreamClient(site, path).connect()
        assert one.head.startswith(b"HTTP/1.1 404")
        await one.disconnect()

    run(work)


def test_a_disallowed_host_gets_no_stream(site):
    game = StreamedGame(site)

    async def work() -> None:
        one = await StreamClient(site, game.path).connect(host="evil.example")
        assert one.head.startswith(b"HTTP/1.1 400")
        await one.disconnect()

    run(work)


def test_a_stream_shows_the_seats_of_the_cookie(site):
    game = StreamedGame(site)
    cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in game.browser.cookies)

    async def work() -> None:
        player = (await StreamClient(site, game.path).connect(cookie=cookie)).start_reading()
        stranger = (
            await StreamClient(site, game.path).connect(cookie="player=forged:x")
        ).start_reading()
        await player.wait_for(1)
        await stranger.wait_for(1)
        assert "my-turn" in player.text
        assert "my-turn" not in stranger.text
        for one in (player, stranger):
            await one.disconnect()

    run(work)


def test_a_player_at_the_limit_gets_a_stream_after_another_ends(new_processes):
    _, address = new_processes(BOARDSITE_RATE_LIMITS="1").start()
    game = StreamedGame(address)
    cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in game.browser.cookies)

    async def connect() -> StreamClient:
        return await StreamClient(address, game.path).connect(cookie=cookie)

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
def test_moves_reach_streams_over_the_bus_of_several_machines(used, new_processes, tmp_path):
    """The buses are PostgreSQL's NOTIFY, Redis beside SQLite, and both."""
    added = {"DATABASE_URL": f"sqlite:///{tmp_path / 'boardsite.sqlite3'}", "REDIS_URL": ""}
    for name in used.split():
        if f"TEST_{name}" not in os.environ:
            pytest.skip(f"TEST_{name} is not set")
        added[name] = os.environ[f"TEST_{name}"]
    # The tests' database of PostgreSQL may have players, for whom no site makes a new key.
    processes = new_processes(BOARDSITE_SECRET="s" * 50, **added)
    (_, here), (_, there) = processes.start(), processes.start()
    game = StreamedGame(here)

    async def work() -> None:
        client = (await StreamClient(there, game.path).connect()).start_reading()
        await client.wait_for(1)
        for _ in range(5):
            await client.wait_for(await change(game))
        await change(game.at(there))
        other = (await StreamClient(here, game.path).connect(has=game.version)).start_reading()
        await client.wait_for(await change(game))
        await other.wait_for(game.version)
        for one in (client, other):
            await one.disconnect()

    run(work)
