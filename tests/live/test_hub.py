"""The hub sends every stream the newest board, none twice, and accepts streams until it is full."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from games.bus import Hint
from games.live import hub as hub_module
from games.live.hub import Hub, HubFull
from games.presentation.visibility import Viewer
from tests.support.servers.hub_fakes import (
    SPECTATOR,
    FakeSource,
    HubClient,
    SilentBus,
    is_refreshing,
    publish,
    run_async,
    wait_until,
    with_hub,
)


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
        await wait_until(lambda: hub._rooms["a"].newest == 2 and not is_refreshing())
        hub.open("a", visitor.stream, newest=newest, has=1)
        await visitor.wait_for(2)
        assert visitor.browser.versions == [2]

    run_async(with_hub(test, a=1))


def test_a_new_stream_with_the_newest_board_causes_no_refresh(monkeypatch):
    async def test(hub, source):
        for _ in range(2):
            visitor = await HubClient(hub, "a").connect()
            await visitor.wait_for(1)
        await wait_until(lambda: not is_refreshing())
        # Each of thousands that reconnect at once would walk through all others.
        monkeypatch.setattr(hub_module.Room, "outdated", lambda self: pytest.fail("refreshed"))
        await HubClient(hub, "a").connect(has=1)
        assert not is_refreshing()

    run_async(with_hub(test, a=1))


def test_a_version_first_read_for_a_new_stream_is_sent_to_the_others():
    async def test(hub, source):
        first = await HubClient(hub, "a").connect(has=1)
        source.newest["a"] = 2
        await HubClient(hub, "a").connect(has=2)
        await first.wait_for(2)

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
            await wait_until(lambda: failed and not is_refreshing())
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
