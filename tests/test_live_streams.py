"""Who is let in to a stream, and what is kept of it: the application of that one address, called as
a server calls it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.live import streams
from games.live.events import Message
from games.live.hub import Hub
from tests.live_parts import Deaf, Shelf, run, until


@pytest.fixture(autouse=True)
def nobody_is_kept() -> Iterator[None]:
    streams._kept_watcher.cache_clear()
    yield
    streams._kept_watcher.cache_clear()


class Tab:
    """A browser's request for the stream of game ``a``, and what it was answered."""

    def __init__(self, address: str = "192.0.2.1", game_id: str = "a", **headers: str) -> None:
        headers = {"host": "localhost", **headers}
        self.scope: dict[str, Any] = {
            "type": "http",
            "client": (address, 50_000),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        self.status, self.body = 0, b""
        self._gone = asyncio.Event()
        self._task = asyncio.create_task(
            streams.follow(game_id, self.scope, self._receive, self._send)
        )

    async def _receive(self) -> Message:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")

    async def answered(self) -> int:
        """Wait for the head of the answer, and give its status."""
        await until(lambda: bool(self.status))
        return self.status

    async def go(self) -> None:
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
        hub = Hub(Shelf(a=1), Deaf)
        monkeypatch.setattr(streams, "hub", hub)
        try:
            await test(hub)
        finally:
            await hub.close()

    run(work)


def test_browsers_that_send_the_same_are_read_once(monkeypatch):
    async def test(hub):
        for _ in range(3):
            tab = Tab(cookie="preferences=confirm=always")
            assert await tab.answered() == 200
            await tab.go()

    with_streams(test, monkeypatch)
    assert streams._kept_watcher.cache_info().currsize == 1


def test_a_long_cookie_is_read_but_not_kept(monkeypatch):
    async def test(hub):
        tab = Tab(cookie=f"preferences=confirm=always; other={'x' * 5_000}")
        assert await tab.answered() == 200
        assert [who.confirm for who in hub._channels["a"].groups] == ["always"]
        await tab.go()

    with_streams(test, monkeypatch)
    assert streams._kept_watcher.cache_info().currsize == 0


@pytest.mark.parametrize("header", ["cookie", "accept-language", "host"])
def test_a_head_without_end_is_refused_unread(monkeypatch, header):
    async def test(hub):
        tab = Tab(**{header: "x" * 1_000_000})
        assert await tab.answered() == 431
        await tab.go()

    with_streams(test, monkeypatch)
    assert streams._kept_watcher.cache_info().currsize == 0
