"""The hub tells people at games against computers of a seeker."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from games.live import hub as hub_module
from games.live.events import Asked
from games.presentation.visibility import Viewer
from tests.support.servers.hub_fakes import HubClient, run_async, wait_until, with_hub

LINE = "event: someone\ndata: "


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "TELL_SECONDS", 0.005)


def test_a_stream_that_asks_gets_each_line_once():
    async def test(hub, source):
        asks = await HubClient(hub, "a").connect(kind="chess")
        silent = await HubClient(hub, "b").connect()
        source.line = "first"
        await wait_until(lambda: f"{LINE}first chess en" in asks.browser.read)
        source.line = "second"
        await wait_until(lambda: f"{LINE}second chess en" in asks.browser.read)
        seen = len(source.asked)
        await wait_until(lambda: len(source.asked) > seen + 5)
        assert asks.browser.read.count(f"{LINE}first") == 1
        assert asks.browser.read.count(f"{LINE}second") == 1
        assert LINE not in silent.browser.read

    run_async(with_hub(test, a=1, b=1))


def test_a_thousand_streams_cost_one_look_for_each_kind_language_and_player():
    async def test(hub, source):
        players = [UUID(int=1), UUID(int=2)]
        for number in range(1_000):
            viewer = Viewer(players[number % 2], language="nl" if number % 4 < 2 else "en")
            await HubClient(hub, f"g{number % 10}", viewer).connect(kind="chess")
        await wait_until(lambda: bool(source.asked) and len(source.asked[-1]) == 4)
        languages = ("en", "nl")
        expected = {Asked("chess", each, player) for each in languages for player in players}
        assert source.asked[-1] == expected

    run_async(with_hub(test, **{f"g{number}": 1 for number in range(10)}))


def test_no_stream_that_asks_no_look():
    async def test(hub, source):
        visitor = await HubClient(hub, "a").connect(kind="chess")
        await wait_until(lambda: bool(source.asked))
        visitor.disconnect()
        seen = len(source.asked)
        await asyncio.sleep(0.05)
        assert len(source.asked) <= seen + 1

    run_async(with_hub(test, a=1))
