"""Slow and failing streams delay no other stream of a hub."""

from __future__ import annotations

import asyncio

from games.live import hub as hub_module
from games.live.stream import Stream
from tests.support.servers.hub_fakes import (
    SPECTATOR,
    FakeBrowser,
    FakeSource,
    HubClient,
    is_refreshing,
    publish,
    run_async,
    wait_until,
    with_hub,
)


def test_a_slow_browser_gets_the_newest_board_and_delays_no_other(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 1000.0)

    async def test(hub, source):
        slow, quick = await HubClient(hub, "a").connect(), await HubClient(hub, "a").connect()
        await slow.wait_for(1)
        await quick.wait_for(1)
        slow.browser.awake.clear()
        for version in range(2, 10):
            publish(hub, source, "a", version)
            await quick.wait_for(version)
        slow.browser.awake.set()
        await slow.wait_for(9)
        assert quick.browser.versions == list(range(1, 10))
        # The second board was being sent when the browser stopped; later ones were skipped.
        assert slow.browser.versions == [1, 2, 9]
        # And no board was rendered twice meanwhile.
        assert [version for version, _ in source.rendered][-8:] == list(range(2, 10))

    run_async(with_hub(test, a=1))


def test_a_slow_browser_that_disconnects_leaves_no_task():
    async def test(hub, source):
        slow = await HubClient(hub, "a").connect()
        await slow.wait_for(1)
        await wait_until(lambda: not is_refreshing())
        tasks = asyncio.all_tasks()
        slow.browser.awake.clear()
        publish(hub, source, "a", 2)
        await wait_until(lambda: slow.stream.version == 2 and not is_refreshing())
        assert len(asyncio.all_tasks() - tasks) == 1
        slow.disconnect()
        await wait_until(lambda: not asyncio.all_tasks() - tasks)
        assert hub.count == 0

    run_async(with_hub(test, a=1))


def fail_sending(visitor: HubClient) -> None:
    """Let every further message to a visitor raise."""

    async def send(message):
        raise OSError("the connection is cut")

    visitor.stream._transport_send = send


def test_a_failing_stream_keeps_no_board_from_the_others():
    async def test(hub, source):
        cut, whole = await HubClient(hub, "a").connect(), await HubClient(hub, "a").connect()
        await cut.wait_for(1)
        await whole.wait_for(1)
        fail_sending(cut)
        for version in (2, 3):
            publish(hub, source, "a", version)
            await whole.wait_for(version)

    run_async(with_hub(test, a=1))


def test_a_failing_stream_keeps_no_heartbeat_from_the_others(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 0.05)

    async def test(hub, source):
        cut, *whole = [await HubClient(hub, "a").connect() for _ in range(20)]
        fail_sending(cut)
        before = [visitor.browser.read.count("event: beat") for visitor in whole]
        await wait_until(
            lambda: all(
                visitor.browser.read.count("event: beat") > beats + 2
                for visitor, beats in zip(whole, before, strict=True)
            )
        )

    run_async(with_hub(test, a=1))


def test_a_slow_stream_skips_boards_and_sends_none_again():
    async def test():
        browser = FakeBrowser()
        stream = Stream(browser.send, gzipped=False)
        source = FakeSource(a=1)
        events = []
        for version in (1, 2, 3):
            source.newest["a"] = version
            events.append(source.boards("a", [SPECTATOR]).by_viewer[SPECTATOR])
        stream.open(0)
        browser.awake.clear()
        for event in events:
            stream.write(event)
        await asyncio.sleep(0)
        browser.awake.set()
        await wait_until(lambda: browser.versions == [1, 3])
        stream.write(events[1])
        await asyncio.sleep(0)
        assert browser.versions == [1, 3]

    run_async(test)
