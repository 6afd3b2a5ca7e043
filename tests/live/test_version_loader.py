"""Questions that come at once are asked together, and everybody who stays is answered."""

from __future__ import annotations

import asyncio
import gc

from games.live.version_loader import VersionLoader
from tests.support.hub_fakes import FakeSource, HubClient, run_async, with_hub


def test_a_thousand_who_come_at_once_are_few_queries():
    async def test(hub, shelf):
        asked: list[int] = []
        versions = shelf.versions
        shelf.versions = lambda ids: asked.append(len(ids)) or versions(ids)
        await asyncio.gather(*(HubClient(hub, f"g{n % 50}").come() for n in range(1000)))
        assert len(asked) < 5
        assert sum(asked) < 200

    run_async(with_hub(test, **{f"g{number}": 1 for number in range(50)}))


def test_who_goes_while_others_ask_for_the_same_takes_no_answer_from_them():
    async def work() -> None:
        shelf = FakeSource(a=3)

        async def read(ids):
            return shelf.versions(ids)

        lobby = VersionLoader(read)
        first, second = (asyncio.create_task(lobby.newest("a")) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        assert await second == 3

    run_async(work)


def test_when_all_who_asked_are_gone_nothing_is_said_of_a_failure_and_the_next_are_answered(caplog):
    async def work() -> None:
        failures = [OSError("the disk is away")]

        async def read(ids):
            if failures:
                raise failures.pop()
            return dict.fromkeys(ids, 3)

        lobby = VersionLoader(read)
        first = asyncio.create_task(lobby.newest("a"))
        await asyncio.sleep(0)
        first.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not failures
        assert await lobby.newest("a") == 3

    run_async(work)
    gc.collect()
    assert caplog.text == ""
