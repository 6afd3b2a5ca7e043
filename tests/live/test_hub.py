"""The hub: every stream ends up with the newest board, gets none twice, and waits for no other."""

from __future__ import annotations

import asyncio
import threading
from random import Random

import pytest

from games.bus import Hint
from games.live import hub as hub_module
from games.live.hub import Full, Hub
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


def publish(hub: Hub, shelf: FakeSource, game_id: str, version: int) -> None:
    shelf.newest[game_id] = version
    hub.notify(Hint(game_id, version))


def refreshing() -> bool:
    return any("_refresh" in repr(task) for task in asyncio.all_tasks())


def test_the_first_board_is_the_newest_one():
    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(7)

    run_async(with_hub(test, a=7))


def test_a_browser_that_has_the_newest_board_is_sent_only_newer_ones():
    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect(has=7)
        publish(hub, shelf, "a", 8)
        await visitor.wait_for(8)
        assert visitor.browser.versions == [8]

    run_async(with_hub(test, a=7))


def test_a_browser_from_before_a_restored_backup_is_sent_the_older_board():
    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect(has=9)
        await visitor.wait_for(7)

    run_async(with_hub(test, a=7))


def test_200_streams_get_each_of_50_versions_at_most_once_and_end_with_the_last():
    async def test(hub, shelf):
        visitors = [await HubClient(hub, "a").connect() for _ in range(200)]
        rng = Random(1)
        for version in range(2, 52):
            publish(hub, shelf, "a", version)
            hub.notify(Hint("a", rng.randint(1, version)))
            await asyncio.sleep(rng.random() / 500)
        for visitor in visitors:
            await visitor.wait_for(51)
            assert sorted(set(visitor.browser.versions)) == visitor.browser.versions

    run_async(with_hub(test, a=1))


def test_a_move_between_coming_and_the_first_board_is_not_missed(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 60.0)

    async def test(hub, shelf):
        visitor = HubClient(hub, "a")
        hub.subscribe("a", SPECTATOR, visitor.stream)
        newest = await hub.newest("a")
        publish(hub, shelf, "a", 2)
        await wait_until(lambda: hub._channels["a"].newest == 2 and not refreshing())
        hub.open("a", visitor.stream, newest=newest, has=1)
        await visitor.wait_for(2)
        assert visitor.browser.versions == [2]

    run_async(with_hub(test, a=1))


def test_nobody_is_looked_at_for_a_newcomer_who_has_the_newest_board(monkeypatch):
    async def test(hub, shelf):
        for _ in range(2):
            visitor = await HubClient(hub, "a").connect()
            await visitor.wait_for(1)
        await wait_until(lambda: not refreshing())
        # Of thousands who come back at once, each would look at all the others.
        monkeypatch.setattr(hub_module.Channel, "behind", lambda self: pytest.fail("looked"))
        await HubClient(hub, "a").connect(has=1)
        assert not refreshing()

    run_async(with_hub(test, a=1))


def test_those_who_are_there_get_what_a_newcomer_hears_of_first():
    async def test(hub, shelf):
        first = await HubClient(hub, "a").connect(has=1)
        shelf.newest["a"] = 2
        await HubClient(hub, "a").connect(has=2)
        await first.wait_for(2)

    run_async(with_hub(test, a=1))


def test_a_slow_reader_gets_the_newest_board_and_delays_nobody(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 1000.0)

    async def test(hub, shelf):
        slow, quick = await HubClient(hub, "a").connect(), await HubClient(hub, "a").connect()
        await slow.wait_for(1)
        await quick.wait_for(1)
        slow.browser.awake.clear()
        for version in range(2, 10):
            publish(hub, shelf, "a", version)
            await quick.wait_for(version)
        slow.browser.awake.set()
        await slow.wait_for(9)
        assert quick.browser.versions == list(range(1, 10))
        # The second board was on its way when the reader stopped; those after it were left out.
        assert slow.browser.versions == [1, 2, 9]
        # Nor is any board drawn twice while the reader is slow.
        assert [version for version, _ in shelf.rendered][-8:] == list(range(2, 10))

    run_async(with_hub(test, a=1))


def test_nothing_stays_of_a_slow_reader_that_goes():
    async def test(hub, shelf):
        slow = await HubClient(hub, "a").connect()
        await slow.wait_for(1)
        await wait_until(lambda: not refreshing())
        tasks = asyncio.all_tasks()
        slow.browser.awake.clear()
        publish(hub, shelf, "a", 2)
        await wait_until(lambda: slow.stream.version == 2 and not refreshing())
        assert len(asyncio.all_tasks() - tasks) == 1
        slow.disconnect()
        await wait_until(lambda: not asyncio.all_tasks() - tasks)
        assert hub.count == 0

    run_async(with_hub(test, a=1))


def break_off(visitor: HubClient) -> None:
    """Let every further message to a visitor fail at once."""

    async def send(message):
        raise OSError("the line is cut")

    visitor.stream._send = send


def test_a_stream_that_cannot_be_written_to_keeps_no_board_from_the_others():
    async def test(hub, shelf):
        cut, whole = await HubClient(hub, "a").connect(), await HubClient(hub, "a").connect()
        await cut.wait_for(1)
        await whole.wait_for(1)
        break_off(cut)
        for version in (2, 3):
            publish(hub, shelf, "a", version)
            await whole.wait_for(version)

    run_async(with_hub(test, a=1))


def test_a_stream_that_cannot_be_written_to_keeps_no_beat_from_the_others(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 0.05)

    async def test(hub, shelf):
        cut, *whole = [await HubClient(hub, "a").connect() for _ in range(20)]
        break_off(cut)
        before = [visitor.browser.read.count("event: beat") for visitor in whole]
        await wait_until(
            lambda: all(
                visitor.browser.read.count("event: beat") > beats + 2
                for visitor, beats in zip(whole, before, strict=True)
            )
        )

    run_async(with_hub(test, a=1))


def test_a_channel_whose_spreading_failed_is_refreshed_at_the_next_hint(monkeypatch):
    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)

        failed = []

        async def fail(*_):
            failed.append(True)
            raise RuntimeError("not foreseen")

        with monkeypatch.context() as patch:
            patch.setattr(hub, "_spread", fail)
            publish(hub, shelf, "a", 2)
            await wait_until(lambda: failed and not refreshing())
        publish(hub, shelf, "a", 3)
        await visitor.wait_for(3)

    run_async(with_hub(test, a=1))


def test_watchers_of_one_kind_share_one_board_and_of_another_do_not_see_it():
    async def test(hub, shelf):
        english = [await HubClient(hub, "a").connect() for _ in range(3)]
        dutch = await HubClient(hub, "a", Viewer(language="nl")).connect()
        for visitor in (*english, dutch):
            await visitor.wait_for(1)
        shelf.rendered.clear()
        publish(hub, shelf, "a", 2)
        for visitor in (*english, dutch):
            await visitor.wait_for(2)
        assert shelf.rendered == [(2, frozenset({SPECTATOR, Viewer(language="nl")}))]
        assert "nl" in dutch.browser.read and "nl" not in english[0].browser.read

    run_async(with_hub(test, a=1))


def test_streams_of_another_game_hear_nothing():
    async def test(hub, shelf):
        other, mine = (
            await HubClient(hub, "b").connect(has=1),
            await HubClient(hub, "a").connect(has=1),
        )
        publish(hub, shelf, "a", 2)
        await mine.wait_for(2)
        assert other.browser.read == ""

    run_async(with_hub(test, a=1, b=1))


def test_what_no_hint_told_is_found_by_looking(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 0.01)

    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        shelf.newest["a"] = 2
        await visitor.wait_for(2)

    run_async(with_hub(test, a=1))


def test_a_bus_that_comes_back_makes_the_hub_look():
    class Renewed(SilentBus):
        async def listen(self, heard, renewed):
            await interrupted.wait()
            renewed()
            await asyncio.Event().wait()

    async def test():
        shelf = FakeSource(a=1)
        hub = Hub(shelf, Renewed)
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        shelf.newest["a"] = 2
        interrupted.set()
        await visitor.wait_for(2)
        await hub.close()

    interrupted = asyncio.Event()
    run_async(test)


def test_a_database_that_fails_is_asked_again(monkeypatch):
    monkeypatch.setattr(hub_module, "PAUSE_SECONDS", 0.01)

    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect(has=1)
        shelf.failures = 3
        publish(hub, shelf, "a", 2)
        await visitor.wait_for(2)

    run_async(with_hub(test, a=1))


def test_a_hint_of_a_version_that_never_comes_is_given_up():
    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        hub.notify(Hint("a", 1_000_000))
        await asyncio.sleep(0.1)
        assert len(shelf.rendered) < 5
        publish(hub, shelf, "a", 2)
        await visitor.wait_for(2)

    run_async(with_hub(test, a=1))


def test_the_streams_of_a_deleted_game_end():
    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        del shelf.newest["a"]
        hub.notify(Hint("a", 2))
        await wait_until(lambda: visitor.browser.ended)

    run_async(with_hub(test, a=1))


def test_the_streams_of_a_deleted_game_end_though_no_hint_told(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 0.01)

    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect()
        await visitor.wait_for(1)
        del shelf.newest["a"]
        await wait_until(lambda: visitor.browser.ended)

    run_async(with_hub(test, a=1))


def test_hints_may_come_from_any_thread():
    async def test(hub, shelf):
        visitor = await HubClient(hub, "a").connect()
        shelf.newest["a"] = 2
        thread = threading.Thread(target=hub.notify, args=[Hint("a", 2)])
        thread.start()
        await visitor.wait_for(2)
        thread.join()

    run_async(with_hub(test, a=1))


def test_beats_come_without_any_move(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 0.05)

    async def test(hub, shelf):
        visitors = [await HubClient(hub, "a").connect() for _ in range(40)]
        await wait_until(lambda: all(v.browser.read.count("event: beat") > 2 for v in visitors))

    run_async(with_hub(test, a=1))


def test_a_hub_listens_once_however_many_come():
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


def test_a_hub_has_room_for_so_many_and_for_more_when_some_go():
    async def test():
        hub = Hub(FakeSource(a=1), SilentBus, most=2)
        first, _ = await HubClient(hub, "a").connect(), await HubClient(hub, "a").connect()
        with pytest.raises(Full):
            await HubClient(hub, "a").connect()
        first.disconnect()
        await HubClient(hub, "a").connect()
        await hub.close()

    run_async(test)


def test_closing_ends_every_stream_and_lets_none_in():
    async def test():
        hub = Hub(FakeSource(a=1), SilentBus)
        visitors = [await HubClient(hub, "a").connect() for _ in range(3)]
        await hub.close()
        assert all(visitor.browser.ended for visitor in visitors)
        with pytest.raises(Full):
            await HubClient(hub, "a").connect()

    run_async(test)


def test_a_stream_that_waits_goes_on_where_it_stopped():
    async def test():
        browser = FakeBrowser()
        stream = Stream(browser.send, gzipped=False)
        shelf = FakeSource(a=1)
        events = []
        for version in (1, 2, 3):
            shelf.newest["a"] = version
            events.append(shelf.boards("a", [SPECTATOR]).by_viewer[SPECTATOR])
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
