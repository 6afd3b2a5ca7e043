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
from games.live.subscriptions import Subscription
from tests.support.hub import WATCHER, Browser, Deaf, Shelf, Visitor, run, until, with_hub


def publish(hub: Hub, shelf: Shelf, game_id: str, version: int) -> None:
    shelf.newest[game_id] = version
    hub.notify(Hint(game_id, version))


def refreshing() -> bool:
    return any("_refresh" in repr(task) for task in asyncio.all_tasks())


def test_the_first_board_is_the_newest_one():
    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come()
        await visitor.has(7)

    run(with_hub(test, a=7))


def test_a_browser_that_has_the_newest_board_is_sent_only_newer_ones():
    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come(has=7)
        publish(hub, shelf, "a", 8)
        await visitor.has(8)
        assert visitor.browser.versions == [8]

    run(with_hub(test, a=7))


def test_a_browser_from_before_a_restored_backup_is_sent_the_older_board():
    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come(has=9)
        await visitor.has(7)

    run(with_hub(test, a=7))


def test_200_streams_get_each_of_50_versions_at_most_once_and_end_with_the_last():
    async def test(hub, shelf):
        visitors = [await Visitor(hub, "a").come() for _ in range(200)]
        rng = Random(1)
        for version in range(2, 52):
            publish(hub, shelf, "a", version)
            hub.notify(Hint("a", rng.randint(1, version)))
            await asyncio.sleep(rng.random() / 500)
        for visitor in visitors:
            await visitor.has(51)
            assert sorted(set(visitor.browser.versions)) == visitor.browser.versions

    run(with_hub(test, a=1))


def test_a_move_between_coming_and_the_first_board_is_not_missed(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 60.0)

    async def test(hub, shelf):
        visitor = Visitor(hub, "a")
        hub.subscribe("a", WATCHER, visitor.stream)
        newest = await hub.newest("a")
        publish(hub, shelf, "a", 2)
        await until(lambda: hub._channels["a"].newest == 2 and not refreshing())
        hub.open("a", visitor.stream, newest=newest, has=1)
        await visitor.has(2)
        assert visitor.browser.versions == [2]

    run(with_hub(test, a=1))


def test_nobody_is_looked_at_for_a_newcomer_who_has_the_newest_board(monkeypatch):
    async def test(hub, shelf):
        for _ in range(2):
            visitor = await Visitor(hub, "a").come()
            await visitor.has(1)
        await until(lambda: not refreshing())
        # Of thousands who come back at once, each would look at all the others.
        monkeypatch.setattr(hub_module.Channel, "behind", lambda self: pytest.fail("looked"))
        await Visitor(hub, "a").come(has=1)
        assert not refreshing()

    run(with_hub(test, a=1))


def test_those_who_are_there_get_what_a_newcomer_hears_of_first():
    async def test(hub, shelf):
        first = await Visitor(hub, "a").come(has=1)
        shelf.newest["a"] = 2
        await Visitor(hub, "a").come(has=2)
        await first.has(2)

    run(with_hub(test, a=1))


def test_a_slow_reader_gets_the_newest_board_and_delays_nobody(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 1000.0)

    async def test(hub, shelf):
        slow, quick = await Visitor(hub, "a").come(), await Visitor(hub, "a").come()
        await slow.has(1)
        await quick.has(1)
        slow.browser.awake.clear()
        for version in range(2, 10):
            publish(hub, shelf, "a", version)
            await quick.has(version)
        slow.browser.awake.set()
        await slow.has(9)
        assert quick.browser.versions == list(range(1, 10))
        # The second board was on its way when the reader stopped; those after it were left out.
        assert slow.browser.versions == [1, 2, 9]
        # Nor is any board drawn twice while the reader is slow.
        assert [version for version, _ in shelf.drawn][-8:] == list(range(2, 10))

    run(with_hub(test, a=1))


def test_nothing_stays_of_a_slow_reader_that_goes():
    async def test(hub, shelf):
        slow = await Visitor(hub, "a").come()
        await slow.has(1)
        await until(lambda: not refreshing())
        tasks = asyncio.all_tasks()
        slow.browser.awake.clear()
        publish(hub, shelf, "a", 2)
        await until(lambda: slow.stream.version == 2 and not refreshing())
        assert len(asyncio.all_tasks() - tasks) == 1
        slow.go()
        await until(lambda: not asyncio.all_tasks() - tasks)
        assert hub.count == 0

    run(with_hub(test, a=1))


def break_off(visitor: Visitor) -> None:
    """Let every further message to a visitor fail at once."""

    async def send(message):
        raise OSError("the line is cut")

    visitor.stream._send = send


def test_a_stream_that_cannot_be_written_to_keeps_no_board_from_the_others():
    async def test(hub, shelf):
        cut, whole = await Visitor(hub, "a").come(), await Visitor(hub, "a").come()
        await cut.has(1)
        await whole.has(1)
        break_off(cut)
        for version in (2, 3):
            publish(hub, shelf, "a", version)
            await whole.has(version)

    run(with_hub(test, a=1))


def test_a_stream_that_cannot_be_written_to_keeps_no_beat_from_the_others(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 0.05)

    async def test(hub, shelf):
        cut, *whole = [await Visitor(hub, "a").come() for _ in range(20)]
        break_off(cut)
        before = [visitor.browser.read.count("event: beat") for visitor in whole]
        await until(
            lambda: all(
                visitor.browser.read.count("event: beat") > beats + 2
                for visitor, beats in zip(whole, before, strict=True)
            )
        )

    run(with_hub(test, a=1))


def test_a_channel_whose_spreading_failed_is_refreshed_at_the_next_hint(monkeypatch):
    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come()
        await visitor.has(1)

        failed = []

        async def fail(*_):
            failed.append(True)
            raise RuntimeError("not foreseen")

        with monkeypatch.context() as patch:
            patch.setattr(hub, "_spread", fail)
            publish(hub, shelf, "a", 2)
            await until(lambda: failed and not refreshing())
        publish(hub, shelf, "a", 3)
        await visitor.has(3)

    run(with_hub(test, a=1))


def test_watchers_of_one_kind_share_one_board_and_of_another_do_not_see_it():
    async def test(hub, shelf):
        english = [await Visitor(hub, "a").come() for _ in range(3)]
        dutch = await Visitor(hub, "a", Subscription(language="nl")).come()
        for visitor in (*english, dutch):
            await visitor.has(1)
        shelf.drawn.clear()
        publish(hub, shelf, "a", 2)
        for visitor in (*english, dutch):
            await visitor.has(2)
        assert shelf.drawn == [(2, frozenset({WATCHER, Subscription(language="nl")}))]
        assert "nl" in dutch.browser.read and "nl" not in english[0].browser.read

    run(with_hub(test, a=1))


def test_streams_of_another_game_hear_nothing():
    async def test(hub, shelf):
        other, mine = await Visitor(hub, "b").come(has=1), await Visitor(hub, "a").come(has=1)
        publish(hub, shelf, "a", 2)
        await mine.has(2)
        assert other.browser.read == ""

    run(with_hub(test, a=1, b=1))


def test_what_no_hint_told_is_found_by_looking(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 0.01)

    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come()
        await visitor.has(1)
        shelf.newest["a"] = 2
        await visitor.has(2)

    run(with_hub(test, a=1))


def test_a_bus_that_comes_back_makes_the_hub_look():
    class Renewed(Deaf):
        async def listen(self, heard, renewed):
            await interrupted.wait()
            renewed()
            await asyncio.Event().wait()

    async def test():
        shelf = Shelf(a=1)
        hub = Hub(shelf, Renewed)
        visitor = await Visitor(hub, "a").come()
        await visitor.has(1)
        shelf.newest["a"] = 2
        interrupted.set()
        await visitor.has(2)
        await hub.close()

    interrupted = asyncio.Event()
    run(test)


def test_a_database_that_fails_is_asked_again(monkeypatch):
    monkeypatch.setattr(hub_module, "PAUSE_SECONDS", 0.01)

    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come(has=1)
        shelf.failures = 3
        publish(hub, shelf, "a", 2)
        await visitor.has(2)

    run(with_hub(test, a=1))


def test_a_hint_of_a_version_that_never_comes_is_given_up():
    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come()
        await visitor.has(1)
        hub.notify(Hint("a", 1_000_000))
        await asyncio.sleep(0.1)
        assert len(shelf.drawn) < 5
        publish(hub, shelf, "a", 2)
        await visitor.has(2)

    run(with_hub(test, a=1))


def test_the_streams_of_a_deleted_game_end():
    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come()
        await visitor.has(1)
        del shelf.newest["a"]
        hub.notify(Hint("a", 2))
        await until(lambda: visitor.browser.ended)

    run(with_hub(test, a=1))


def test_the_streams_of_a_deleted_game_end_though_no_hint_told(monkeypatch):
    monkeypatch.setattr(hub_module, "POLL_SECONDS", 0.01)

    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come()
        await visitor.has(1)
        del shelf.newest["a"]
        await until(lambda: visitor.browser.ended)

    run(with_hub(test, a=1))


def test_hints_may_come_from_any_thread():
    async def test(hub, shelf):
        visitor = await Visitor(hub, "a").come()
        shelf.newest["a"] = 2
        thread = threading.Thread(target=hub.notify, args=[Hint("a", 2)])
        thread.start()
        await visitor.has(2)
        thread.join()

    run(with_hub(test, a=1))


def test_beats_come_without_any_move(monkeypatch):
    monkeypatch.setattr(hub_module, "HEARTBEAT_SECONDS", 0.05)

    async def test(hub, shelf):
        visitors = [await Visitor(hub, "a").come() for _ in range(40)]
        await until(lambda: all(v.browser.read.count("event: beat") > 2 for v in visitors))

    run(with_hub(test, a=1))


def test_a_hub_listens_once_however_many_come():
    buses = []

    def bus():
        buses.append(Deaf())
        return buses[-1]

    async def test():
        hub = Hub(Shelf(a=1), bus)
        for _ in range(3):
            await Visitor(hub, "a").come()
        await hub.close()

    run(test)
    assert len(buses) == 1


def test_a_hub_has_room_for_so_many_and_for_more_when_some_go():
    async def test():
        hub = Hub(Shelf(a=1), Deaf, most=2)
        first, _ = await Visitor(hub, "a").come(), await Visitor(hub, "a").come()
        with pytest.raises(Full):
            await Visitor(hub, "a").come()
        first.go()
        await Visitor(hub, "a").come()
        await hub.close()

    run(test)


def test_closing_ends_every_stream_and_lets_none_in():
    async def test():
        hub = Hub(Shelf(a=1), Deaf)
        visitors = [await Visitor(hub, "a").come() for _ in range(3)]
        await hub.close()
        assert all(visitor.browser.ended for visitor in visitors)
        with pytest.raises(Full):
            await Visitor(hub, "a").come()

    run(test)


def test_a_stream_that_waits_goes_on_where_it_stopped():
    async def test():
        browser = Browser()
        stream = Stream(browser.send, gzipped=False)
        shelf = Shelf(a=1)
        events = []
        for version in (1, 2, 3):
            shelf.newest["a"] = version
            events.append(shelf.snapshot("a", [WATCHER]).boards[WATCHER])
        stream.open(0)
        browser.awake.clear()
        for event in events:
            stream.write(event)
        await asyncio.sleep(0)
        browser.awake.set()
        await until(lambda: browser.versions == [1, 3])
        stream.write(events[1])
        await asyncio.sleep(0)
        assert browser.versions == [1, 3]

    run(test)
