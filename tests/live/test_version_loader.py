"""VersionLoader batches queries and answers every caller that is still there."""

from __future__ import annotations

import asyncio
import gc

from games.live.source import VersionLoader
from tests.support.servers.hub_fakes import FakeSource, HubClient, run_async, with_hub


def test_a_thousand_concurrent_callers_cause_few_queries():
    async def test(hub, source):
        batches: list[int] = []
        versions = source.versions
        source.versions = lambda ids: batches.append(len(ids)) or versions(ids)
        await asyncio.gather(*(HubClient(hub, f"g{n % 50}").connect() for n in range(1000)))
        assert len(batches) < 5
        assert sum(batches) < 200

    run_async(with_hub(test, **{f"g{number}": 1 for number in range(50)}))


def test_a_cancelled_caller_does_not_cancel_the_others():
    async def work() -> None:
        source = FakeSource(a=3)

        async def read(ids):
            return source.versions(ids)

        loader = VersionLoader(read)
        first, second = (asyncio.create_task(loader.newest("a")) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        assert await second == 3

    run_async(work)


def test_an_error_without_callers_is_not_logged_and_not_repeated(caplog):
    async def work() -> None:
        failures = [OSError("the disk is away")]

        async def read(ids):
            if failures:
                raise failures.pop()
            return dict.fromkeys(ids, 3)

        loader = VersionLoader(read)
        first = asyncio.create_task(loader.newest("a"))
        await asyncio.sleep(0)
        first.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not failures
        assert await loader.newest("a") == 3

    run_async(work)
    gc.collect()
    assert caplog.text == ""
