"""The ASGI application of streams: requests, rate limits and the end of streams."""

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
from games.core.rate_limits import ConcurrencyLimit
from games.live import streams
from games.live.events import Message
from games.live.hub import MAX_STREAMS, Hub, stream_limit
from games.web.headers import SECURITY_HEADERS
from tests.support.servers.hub_fakes import FakeSource, SilentBus, run_async, wait_until

pytestmark = pytest.mark.services

ONE, OTHER = UUID(int=1), UUID(int=2)
"""Ids of two players."""


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    streams._cached_viewer.cache_clear()
    yield
    streams._cached_viewer.cache_clear()


class Tab:
    """A browser's request for the stream of game ``a``, and its response."""

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
        self.status, self.body, self.ended = 0, b"", False
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
        self.ended = "body" in message and not message.get("more_body")

    async def response_status(self) -> int:
        """Wait for the head of the response and return its status."""
        await wait_until(lambda: bool(self.status))
        return self.status

    async def disconnect(self) -> None:
        """Disconnect, unless the site has ended the response."""
        self._gone.set()
        await self._task

    async def cancel(self) -> None:
        """Cancel the request at any point."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def with_streams(test: Callable[[Hub], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with a hub of its own, in which game ``a`` has version 1."""

    async def work() -> None:
        hub = Hub(FakeSource(a=1), SilentBus)
        monkeypatch.setattr(streams, "hub", hub)
        monkeypatch.setattr(streams.database, "player", lambda device_id: device_id)
        try:
            await test(hub)
        finally:
            await hub.close()

    run_async(work)


def test_equal_headers_are_parsed_once(monkeypatch):
    async def test(hub):
        for _ in range(3):
            tab = Tab(cookie="preferences=confirm=always")
            assert await tab.response_status() == 200
            await tab.disconnect()

    with_streams(test, monkeypatch)
    assert streams._cached_viewer.cache_info().currsize == 1


def test_a_long_cookie_is_parsed_but_not_cached(monkeypatch):
    async def test(hub):
        tab = Tab(cookie=f"preferences=confirm=always; other={'x' * 5_000}")
        assert await tab.response_status() == 200
        assert [stream.confirm for stream in hub._rooms["a"].streams] == ["always"]
        await tab.disconnect()

    with_streams(test, monkeypatch)
    assert streams._cached_viewer.cache_info().currsize == 0


@pytest.mark.parametrize("first", [True, False])
def test_cookies_in_separate_headers_are_all_parsed(monkeypatch, first):
    sent = [(b"cookie", cookie_of(ONE).encode()), (b"cookie", b"preferences=confirm=always")]

    async def test(hub):
        tab = Tab()
        tab.scope["headers"] += sent if first else sent[::-1]
        assert await tab.response_status() == 200
        [viewer] = hub._rooms["a"].streams
        assert (viewer.player_id, viewer.confirm) == (ONE, "always")
        await tab.disconnect()

    with_streams(test, monkeypatch)


def test_too_many_headers_are_refused(monkeypatch):
    async def test(hub):
        tab = Tab()
        tab.scope["headers"] += [(b"cookie", b"x" * 1_000)] * 20
        assert await tab.response_status() == 431
        await tab.disconnect()

    with_streams(test, monkeypatch)


@pytest.mark.parametrize("header", ["cookie", "accept-language", "host"])
def test_a_header_that_is_too_long_is_refused(monkeypatch, header):
    async def test(hub):
        tab = Tab(**{header: "x" * 1_000_000})
        assert await tab.response_status() == 431
        await tab.disconnect()

    with_streams(test, monkeypatch)
    assert streams._cached_viewer.cache_info().currsize == 0


# --- rate limits ------------------------------------------------------------------------------

FEW, TOO_MANY = 3, 429


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> tuple[ConcurrencyLimit, ConcurrencyLimit]:
    """Set low limits for an address and for a player, and return them."""
    per_address, per_player = ConcurrencyLimit(2 * FEW), ConcurrencyLimit(FEW)
    monkeypatch.setattr(streams, "STREAMS_PER_ADDRESS", per_address)
    monkeypatch.setattr(streams, "STREAMS_PER_PLAYER", per_player)
    return per_address, per_player


def cookie_of(player_id: UUID) -> str:
    return f"player={Signer(salt='games.player').sign(str(player_id))}"


async def statuses(tabs: list[Tab]) -> list[int]:
    return [await tab.response_status() for tab in tabs]


async def disconnect_all(tabs: list[Tab]) -> None:
    for tab in tabs:
        await tab.disconnect()


def test_the_limit_of_an_address_is_refused_with_a_sentence(monkeypatch, limits):
    async def test(hub):
        tabs = [Tab() for _ in range(2 * FEW + 1)]
        assert await statuses(tabs) == [200] * 2 * FEW + [TOO_MANY]
        assert tabs[-1].body.startswith(b"Too many boards")
        other = Tab("192.0.2.2")
        assert await other.response_status() == 200
        await disconnect_all([*tabs, other])

    with_streams(test, monkeypatch)


def test_the_limit_of_a_player_counts_all_addresses(monkeypatch, limits):
    async def test(hub):
        tabs = [Tab(f"192.0.2.{n}", cookie=cookie_of(ONE)) for n in range(FEW + 1)]
        assert await statuses(tabs) == [200] * FEW + [TOO_MANY]
        other = Tab("192.0.2.0", cookie=cookie_of(OTHER))
        assert await other.response_status() == 200
        await disconnect_all([*tabs, other])

    with_streams(test, monkeypatch)


def test_ipv4_addresses_of_a_dual_stack_socket_are_counted_separately(monkeypatch, limits):
    async def test(hub):
        tabs = [Tab(f"::ffff:192.0.2.{number}") for number in range(2 * FEW + 1)]
        assert await statuses(tabs) == [200] * (2 * FEW + 1)
        await disconnect_all(tabs)

    with_streams(test, monkeypatch)


def test_a_refusal_has_the_security_headers(monkeypatch, limits):
    async def test(hub):
        tabs = [Tab() for _ in range(2 * FEW + 1)]
        assert (await statuses(tabs))[-1] == TOO_MANY
        assert dict(SECURITY_HEADERS).items() <= tabs[-1].headers.items()
        await disconnect_all(tabs)

    with_streams(test, monkeypatch)


def test_a_refusal_is_in_the_language_of_the_browser(monkeypatch, limits):
    async def test(hub):
        headers = {"accept-language": "nl"}
        tabs = [Tab(**headers) for _ in range(2 * FEW + 1)]
        assert (await statuses(tabs))[-1] == TOO_MANY
        assert "borden" in tabs[-1].body.decode()
        await disconnect_all(tabs)

    with_streams(test, monkeypatch)


def test_a_disconnected_stream_makes_room_for_another(monkeypatch, limits):
    async def test(hub):
        tabs = [Tab() for _ in range(2 * FEW)]
        await statuses(tabs)
        await tabs.pop().disconnect()
        tabs.append(Tab())
        assert await tabs[-1].response_status() == 200
        await disconnect_all(tabs)

    with_streams(test, monkeypatch)


@pytest.mark.parametrize("end", ["go", "cancel", "no such game", "full", "database", "closed"])
def test_an_ended_stream_leaves_nothing_behind(monkeypatch, limits, end):
    async def test(hub):
        if end == "full":
            monkeypatch.setattr(hub, "_requested_limit", 1)
        if end == "database":
            monkeypatch.setattr(hub, "newest", fail)
        game_id = "nowhere" if end == "no such game" else "a"
        tabs = [Tab(game_id=game_id, cookie=cookie_of(ONE)) for _ in range(FEW + 1)]
        assert await statuses(tabs) != [200] * (FEW + 1)
        if end == "closed":
            await hub.close()
        for tab in tabs:
            await (tab.cancel() if end == "cancel" else tab.disconnect())
        assert hub.count == 0

    async def fail(game_id: str) -> int:
        raise DatabaseError

    with_streams(test, monkeypatch)
    assert [limit._acquired for limit in limits] == [{}, {}]


def test_rate_limits_can_be_switched_off(monkeypatch, limits, settings):
    settings.RATE_LIMITS = False

    async def test(hub):
        tabs = [Tab(cookie=cookie_of(ONE)) for _ in range(3 * FEW)]
        assert await statuses(tabs) == [200] * 3 * FEW
        await disconnect_all(tabs)

    with_streams(test, monkeypatch)


def test_streams_leave_a_tenth_of_the_open_files(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (20, 20))

    async def test(hub):
        tabs = [Tab() for _ in range(20)]
        assert await statuses(tabs) == [200] * 18 + [503] * 2
        await disconnect_all(tabs)

    with_streams(test, monkeypatch)


@pytest.mark.parametrize(
    ("files", "streams"),
    [(1_000, 900), (10**7, MAX_STREAMS), (resource.RLIM_INFINITY, MAX_STREAMS)],
)
def test_the_stream_limit_is_the_file_limit_less_a_tenth(monkeypatch, files, streams):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert stream_limit() == streams


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
def test_a_reconnected_browser_gets_only_newer_boards(monkeypatch, last, query, sent):
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


def test_a_device_whose_player_has_others_gets_the_boards_of_its_player(monkeypatch):
    async def test(hub):
        monkeypatch.setattr(streams.database, "player", lambda device_id: OTHER)
        tab = Tab(cookie=cookie_of(ONE))
        assert await tab.response_status() == 200
        assert [viewer.player_id for viewer in hub._rooms["a"].streams] == [OTHER]
        await tab.disconnect()

    with_streams(test, monkeypatch)


def test_the_streams_of_a_player_end_when_one_of_the_devices_is_signed_out(monkeypatch):
    async def test(hub):
        mine, theirs = Tab(cookie=cookie_of(ONE)), Tab(cookie=cookie_of(OTHER))
        for tab in (mine, theirs):
            assert await tab.response_status() == 200
        hub.notify(Hint.of_player(ONE))
        await wait_until(lambda: mine.ended)
        assert not theirs.ended
        await asyncio.gather(mine.disconnect(), theirs.disconnect())

    with_streams(test, monkeypatch)
