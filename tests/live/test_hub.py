"""The hub sends every stream the newest board, none twice, and lets none wait for another."""

from __future__ import annotations

import asyncio
import threading
from random import Random

import pytest

from games.bus import Hint
from games.live import hub as hub_module
from games.live.hub import Hub, HubFull
from games.live.stream import Stream
from games.presentation.visibility import Viewer
from tests.support.hub_fakes import (
    SPECTATOR,
    FakeBrowser,
    FakeSource,
    HubClient,
    SilentBus,
    run_async,
    wait_until,
    with_hub,
)


def publish(hub: Hub, source: FakeSource, game_id: str, version: int) -> None:
    source.newest[game_id] = version
    hub.notify(Hint(game_id, version))


def refreshing() -> bool:
    return any("_refresh" in repr(task) for task in asyncio.all_tasks())


def test_the_first_board_is_the_newest_one():
    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(7)

    run_async(with_hub(test, a=7))


def test_a_browser_with_the_newest_board_gets_only_newer_ones():
    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect(has=7)
        publish(hub, source, "a", 8)
        await visitor.wait_for(8)
        assert visitor.browser.versions == [8]

    run_async(with_hub(test, a=7))


def test_a_browser_with_a_newer_board_than_a_restored_backup_gets_the_older_one():
    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect(has=9)
        await visitor.wait_for(7)

    run_async(with_hub(test, a=7))


def test_200_streams_get_50_versions_in_order_and_end_with_the_last():
    async def test(hub, source):
        visitors = [await HubClient(hub, "a").connect() for _ in range(200)]
        rng = Random(1)
        for version in range(2, 52):
            publish(hub, source, "a", version)
            hub.notify(Hint("a", rng.randint(1, version)))
            await asyncio.sleep(rng.random() / 500)
        for visitor in visitors:
            await visitor.wait_for(51)
            assert sorted(set(visitor.browser.versions)) == visitor.browser.versions

    run_async(with_hub(test, a=1))


def test_a_move_between_subscribing_and_opening_is_not_missed(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 60.0)

    async def test(hub, source):
        visitor = HubClient(hub, "a")
        hub.subscribe("a", SPECTATOR, visitor.stream)
        newest = await hub.newest("a")
        publish(hub, source, "a", 2)
        await wait_until(lambda: hub._channels["a"].newest == 2 and not refreshing())
        hub.open("a", visitor.stream, newest=newest, has=1)
        await visitor.wait_for(2)
        assert visitor.browser.versions == [2]

    run_async(with_hub(test, a=1))


def test_a_new_stream_with_the_newest_board_causes_no_refresh(monkeypatch):
    async def test(hub, source):
        for _ in range(2):
            visitor = await HubClient(hub, "a").connect()
            await visitor.wait_for(1)
        await wait_until(lambda: not refreshing())
        # Each of thousands that reconnect at once would walk through all others.
        monkeypatch.setattr(hub_module.Channel, "outdated", lambda self: pytest.fail("refreshed"))
        await HubClient(hub, "a").connect(has=1)
        assert not refreshing()

    run_async(with_hub(test, a=1))


def test_a_version_first_read_for_a_new_stream_is_sent_to_the_others():
    async def test(hub, source):
        first = await HubClient(hub, "a").connect(has=1)
        source.newest["a"] = 2
        await HubClient(hub, "a").connect(has=2)
        await first.wait_for(2)

    run_async(with_hub(test, a=1))


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
        await wait_until(lambda: not refreshing())
        tasks = asyncio.all_tasks()
        slow.browser.awake.clear()
        publish(hub, source, "a", 2)
        await wait_until(lambda: slow.stream.version == 2 and not refreshing())
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


def test_a_channel_whose_refresh_failed_is_refreshed_at_the_next_hint(monkeypatch):
    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)

        failed = []

        async def fail(*_):
            failed.append(True)
            raise RuntimeError("unexpected")

        with monkeypatch.context() as patch:
            patch.setattr(hub, "_send_boards", fail)
            publish(hub, source, "a", 2)
            await wait_until(lambda: failed and not refreshing())
        publish(hub, source, "a", 3)
        await visitor.wait_for(3)

    run_async(with_hub(test, a=1))


def test_equal_viewers_share_one_board_and_others_do_not():
    async def test(hub, source):
        english = [await HubClient(hub, "a").connect() for _ in range(3)]
        dutch = await HubClient(hub, "a", Viewer(language="nl")).connect()
        for visitor in (*english, dutch):
            await visitor.wait_for(1)
        source.rendered.clear()
        publish(hub, source, "a", 2)
        for visitor in (*english, dutch):
            await visitor.wait_for(2)
        assert source.rendered == [(2, frozenset({SPECTATOR, Viewer(language="nl")}))]
        assert "nl" in dutch.browser.read and "nl" not in english[0].browser.read

    run_async(with_hub(test, a=1))


def test_streams_of_another_game_get_no_board():
    async def test(hub, source):
        other, mine = (
            await HubClient(hub, "b").connect(has=1),
            await HubClient(hub, "a").connect(has=1),
        )
        publish(hub, source, "a", 2)
        await mine.wait_for(2)
        assert other.browser.read == ""

    run_async(with_hub(test, a=1, b=1))


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


def test_heartbeats_are_sent_without_moves(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 0.05)

    async def test(hub, source):
        visitors = [await HubClient(hub, "a").connect() for _ in range(40)]
        await wait_until(lambda: all(v.browser.read.count("event: beat") > 2 for v in visitors))

    run_async(with_hub(test, a=1))


def test_a_hub_listens_to_one_bus():
    buses = []

    def bus():
        buses.append(SilentBus())
        return buses[-1]

    async def test():
        hub = Hub(FakeSource(a=1), bus)
        for _ in range(3):
            await HubClient(hub, "a").connect()
        await hub.close()

    run_async(test)
    assert len(buses) == 1


def test_a_full_hub_accepts_streams_again_after_one_has_gone():
    async def test():
        hub = Hub(FakeSource(a=1), SilentBus, max_streams=2)
        first, _ = await HubClient(hub, "a").connect(), await HubClient(hub, "a").connect()
        with pytest.raises(HubFull):
            await HubClient(hub, "a").connect()
        first.disconnect()
        await HubClient(hub, "a").connect()
        await hub.close()

    run_async(test)


def test_a_closed_hub_ends_all_streams_and_accepts_none():
    async def test():
        hub = Hub(FakeSource(a=1), SilentBus)
        visitors = [await HubClient(hub, "a").connect() for _ in range(3)]
        await hub.close()
        assert all(visitor.browser.ended for visitor in visitors)
        with pytest.raises(HubFull):
            await HubClient(hub, "a").connect()

    run_async(test)


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
