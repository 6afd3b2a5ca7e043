"""Who is let in to a stream, and what is kept of it: the application of that one address, called as
a server calls it."""

from __future__ import annotations

import asyncio
import re
import resource
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from django.core.signing import Signer
from django.db import DatabaseError

from boardsite.asgi import application
from games.bus import Hint
from games.live import streams
from games.live.events import Message
from games.live.hub import MOST, Hub, room
from games.rate_limits import ConcurrencyLimit
from games.web.headers import STRICT
from tests.support.hub_fakes import FakeSource, SilentBus, run_async, wait_until

ONE, OTHER = UUID(int=1), UUID(int=2)
"""Ids of two players."""


@pytest.fixture(autouse=True)
def nobody_is_kept() -> Iterator[None]:
    streams._cached_viewer.cache_clear()
    yield
    streams._cached_viewer.cache_clear()


class Tab:
    """A browser's request for the stream of game ``a``, and what it was answered."""

    def __init__(self, address: str = "192.0.2.1", game_id: str = "a", **headers: str) -> None:
        headers = {"host": "localhost", **headers}
        self.scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": f"/g/{game_id}/events/",
            "client": (address, 50_000),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        self.status, self.body = 0, b""
        self.headers: dict[bytes, bytes] = {}
        self._gone = asyncio.Event()
        self._task = asyncio.create_task(application(self.scope, self._receive, self._send))

    async def _receive(self) -> Message:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.status = message.get("status", self.status)
        self.headers |= dict(message.get("headers", ()))
        self.body += message.get("body", b"")

    async def answered(self) -> int:
        """Wait for the head of the answer, and give its status."""
        await wait_until(lambda: bool(self.status))
        return self.status

    async def disconnect(self) -> None:
        """Hang up, unless that was done by the site."""
        self._gone.set()
        await self._task

    async def break_off(self) -> None:
        """End in the middle of whatever is being done."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def with_streams(test: Callable[[Hub], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with streams of game ``a``, from a hub of its own."""

    async def work() -> None:
        hub = Hub(FakeSource(a=1), SilentBus)
        monkeypatch.setattr(streams, "hub", hub)
        try:
            await test(hub)
        finally:
            await hub.close()

    run_async(work)


def test_browsers_that_send_the_same_are_read_once(monkeypatch):
    async def test(hub):
        for _ in range(3):
            tab = Tab(cookie="preferences=confirm=always")
            assert await tab.answered() == 200
            await tab.disconnect()

    with_streams(test, monkeypatch)
    assert streams._cached_viewer.cache_info().currsize == 1


def test_a_long_cookie_is_read_but_not_kept(monkeypatch):
    async def test(hub):
        tab = Tab(cookie=f"preferences=confirm=always; other={'x' * 5_000}")
        assert await tab.answered() == 200
        assert [who.confirm for who in hub._channels["a"].groups] == ["always"]
        await tab.disconnect()

    with_streams(test, monkeypatch)
    assert streams._cached_viewer.cache_info().currsize == 0


@pytest.mark.parametrize("first", [True, False])
def test_cookies_that_come_one_by_one_are_all_read(monkeypatch, first):
    sent = [(b"cookie", cookie_of(ONE).encode()), (b"cookie", b"preferences=confirm=always")]

    async def test(hub):
        tab = Tab()
        tab.scope["headers"] += sent if first else sent[::-1]
        assert await tab.answered() == 200
        [watcher] = hub._channels["a"].groups
        assert (watcher.player_id, watcher.confirm) == (ONE, "always")
        await tab.disconnect()

    with_streams(test, monkeypatch)


def test_a_head_without_end_is_refused_in_however_many_parts_it_comes(monkeypatch):
    async def test(hub):
        tab = Tab()
        tab.scope["headers"] += [(b"cookie", b"x" * 1_000)] * 20
        assert await tab.answered() == 431
        await tab.disconnect()

    with_streams(test, monkeypatch)


@pytest.mark.parametrize("header", ["cookie", "accept-language", "host"])
def test_a_head_without_end_is_refused_unread(monkeypatch, header):
    async def test(hub):
        tab = Tab(**{header: "x" * 1_000_000})
        assert await tab.answered() == 431
        await tab.disconnect()

    with_streams(test, monkeypatch)
    assert streams._cached_viewer.cache_info().currsize == 0


# --- quotas -----------------------------------------------------------------------------------

FEW, TAKEN = 3, 429


@pytest.fixture
def quotas(monkeypatch: pytest.MonkeyPatch) -> tuple[ConcurrencyLimit, ConcurrencyLimit]:
    """Quotas of an address and of a player that are soon used up."""
    an_address, a_player = ConcurrencyLimit(2 * FEW), ConcurrencyLimit(FEW)
    monkeypatch.setattr(streams, "STREAMS_PER_ADDRESS", an_address)
    monkeypatch.setattr(streams, "STREAMS_PER_PLAYER", a_player)
    return an_address, a_player


def cookie_of(player_id: UUID) -> str:
    return f"player={Signer(salt='games.player').sign(str(player_id))}"


async def statuses(tabs: list[Tab]) -> list[int]:
    return [await tab.answered() for tab in tabs]


async def all_go(tabs: list[Tab]) -> None:
    for tab in tabs:
        await tab.disconnect()


def test_one_stream_too_many_of_an_address_is_refused_with_a_sentence(monkeypatch, quotas):
    async def test(hub):
        tabs = [Tab() for _ in range(2 * FEW + 1)]
        assert await statuses(tabs) == [200] * 2 * FEW + [TAKEN]
        assert tabs[-1].body.startswith(b"Too many boards")
        other = Tab("192.0.2.2")
        assert await other.answered() == 200
        await all_go([*tabs, other])

    with_streams(test, monkeypatch)


def test_one_stream_too_many_of_a_player_is_refused_wherever_it_is(monkeypatch, quotas):
    async def test(hub):
        tabs = [Tab(f"192.0.2.{n}", cookie=cookie_of(ONE)) for n in range(FEW + 1)]
        assert await statuses(tabs) == [200] * FEW + [TAKEN]
        other = Tab("192.0.2.0", cookie=cookie_of(OTHER))
        assert await other.answered() == 200
        await all_go([*tabs, other])

    with_streams(test, monkeypatch)


def test_ipv4_addresses_are_counted_apart_where_a_socket_takes_ipv6_too(monkeypatch, quotas):
    async def test(hub):
        tabs = [Tab(f"::ffff:192.0.2.{number}") for number in range(2 * FEW + 1)]
        assert await statuses(tabs) == [200] * (2 * FEW + 1)
        await all_go(tabs)

    with_streams(test, monkeypatch)


def test_a_stream_too_many_is_refused_with_strict_headers(monkeypatch, quotas):
    async def test(hub):
        tabs = [Tab() for _ in range(2 * FEW + 1)]
        assert (await statuses(tabs))[-1] == TAKEN
        assert dict(STRICT).items() <= tabs[-1].headers.items()
        await all_go(tabs)

    with_streams(test, monkeypatch)


def test_the_refusal_is_in_the_language_of_the_browser(monkeypatch, quotas):
    async def test(hub):
        headers = {"accept-language": "nl"}
        tabs = [Tab(**headers) for _ in range(2 * FEW + 1)]
        assert (await statuses(tabs))[-1] == TAKEN
        assert "borden" in tabs[-1].body.decode()
        await all_go(tabs)

    with_streams(test, monkeypatch)


def test_who_goes_makes_room_for_another(monkeypatch, quotas):
    async def test(hub):
        tabs = [Tab() for _ in range(2 * FEW)]
        await statuses(tabs)
        await tabs.pop().disconnect()
        tabs.append(Tab())
        assert await tabs[-1].answered() == 200
        await all_go(tabs)

    with_streams(test, monkeypatch)


@pytest.mark.parametrize("end", ["go", "break_off", "no such game", "full", "database", "closed"])
def test_nothing_stays_of_a_stream_however_it_ends(monkeypatch, quotas, end):
    async def test(hub):
        if end == "full":
            monkeypatch.setattr(hub, "_asked", 1)
        if end == "database":
            monkeypatch.setattr(hub, "newest", fail)
        game_id = "nowhere" if end == "no such game" else "a"
        tabs = [Tab(game_id=game_id, cookie=cookie_of(ONE)) for _ in range(FEW + 1)]
        assert await statuses(tabs) != [200] * (FEW + 1)
        if end == "closed":
            await hub.close()
        for tab in tabs:
            await (tab.break_off() if end == "break_off" else tab.disconnect())
        assert hub.count == 0

    async def fail(game_id: str) -> int:
        raise DatabaseError

    with_streams(test, monkeypatch)
    assert [places._taken for places in quotas] == [{}, {}]


def test_measurements_have_no_limit(monkeypatch, quotas, settings):
    settings.RATE_LIMITS = False

    async def test(hub):
        tabs = [Tab(cookie=cookie_of(ONE)) for _ in range(3 * FEW)]
        assert await statuses(tabs) == [200] * 3 * FEW
        await all_go(tabs)

    with_streams(test, monkeypatch)


def test_streams_leave_some_of_the_open_files_to_everything_else(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (20, 20))

    async def test(hub):
        tabs = [Tab() for _ in range(20)]
        assert await statuses(tabs) == [200] * 18 + [503] * 2
        await all_go(tabs)

    with_streams(test, monkeypatch)


@pytest.mark.parametrize(
    ("files", "streams"), [(1_000, 900), (10**7, MOST), (resource.RLIM_INFINITY, MOST)]
)
def test_there_is_room_for_as_many_streams_as_files_less_a_tenth(monkeypatch, files, streams):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert room() == streams


@pytest.mark.parametrize(
    ("last", "query", "sent"),
    [
        ("", b"", [1, 2]),
        ("", b"has=1", [2]),
        ("1", b"", [2]),
        ("1", b"has=0", [2]),
        ("1" * 5_000, b"", [1, 2]),
        ("one", b"has=1", [1, 2]),
    ],
)
def test_who_comes_back_is_sent_only_what_is_newer(monkeypatch, last, query, sent):
    async def test(hub):
        tab = Tab(**{"last-event-id": last})
        tab.scope["query_string"] = query
        await wait_until(lambda: (b"id: 1" if 1 in sent else b"retry: ") in tab.body)
        hub._source.newest["a"] = 2
        hub.notify(Hint("a", 2))
        await wait_until(lambda: b"\nid: 2" in tab.body)
        assert [int(number) for number in re.findall(rb"\nid: (\d+)", tab.body)] == sent
        await tab.disconnect()

    with_streams(test, monkeypatch)
