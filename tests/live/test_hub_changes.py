"""The hub learns of changes by hints, by polling, and from a reconnected bus."""

from __future__ import annotations

import asyncio
import threading

from games.bus import Hint
from games.live import hub as hub_module
from games.live.hub import Hub
from tests.support.servers.hub_fakes import (
    FakeSource,
    HubClient,
    SilentBus,
    publish,
    run_async,
    wait_until,
    with_hub,
)


def test_a_change_without_a_hint_is_found_by_polling(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 0.01)

    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        source.newest["a"] = 2
        await visitor.wait_for(2)

    run_async(with_hub(test, a=1))


def test_a_reconnected_bus_makes_the_hub_poll():
    class ReconnectingBus(SilentBus):
        async def listen(self, on_hint, on_connect):
            await interrupted.wait()
            on_connect()
            await asyncio.Event().wait()

    async def test():
        source = FakeSource(a=1)
        hub = Hub(source, ReconnectingBus)
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        source.newest["a"] = 2
        interrupted.set()
        await visitor.wait_for(2)
        await hub.close()

    interrupted = asyncio.Event()
    run_async(test)


def test_a_failing_database_is_read_again(monkeypatch):
    monkeypatch.setattr(hub_module, "RETRY_SECONDS", 0.01)

    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect(has=1)
        source.failures = 3
        publish(hub, source, "a", 2)
        await visitor.wait_for(2)

    run_async(with_hub(test, a=1))


def test_a_hint_of_a_missing_version_is_dropped():
    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        hub.notify(Hint("a", 1_000_000))
        await asyncio.sleep(0.1)
        assert len(source.rendered) < 5
        publish(hub, source, "a", 2)
        await visitor.wait_for(2)

    run_async(with_hub(test, a=1))


def test_the_streams_of_a_deleted_game_end():
    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        del source.newest["a"]
        hub.notify(Hint("a", 2))
        await wait_until(lambda: visitor.browser.ended)

    run_async(with_hub(test, a=1))


def test_the_streams_of_a_game_deleted_without_a_hint_end(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 0.01)

    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        del source.newest["a"]
        await wait_until(lambda: visitor.browser.ended)

    run_async(with_hub(test, a=1))


def test_hints_are_accepted_from_any_thread():
    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect()
        source.newest["a"] = 2
        thread = threading.Thread(target=hub.notify, args=[Hint("a", 2)])
        thread.start()
        await visitor.wait_for(2)
        thread.join()

    run_async(with_hub(test, a=1))
