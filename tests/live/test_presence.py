"""Streams carry presence: the players at a game, and the number of others, in all processes."""

from __future__ import annotations

import asyncio
import json

import pytest

from games.bus import Presence
from games.live import hub as hub_module
from games.live import presence
from games.live.presence import Crowd
from games.live.source import Database
from games.presentation.visibility import Viewer
from tests.support.game_factory import make_game, make_lobby
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.servers.hub_fakes import FakeBrowser, HubClient, run_async, wait_until, with_hub

pytestmark = pytest.mark.services

BLACK = Viewer(asked="black")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send changes without the pause for reloaded pages."""
    monkeypatch.setattr(hub_module, "SECONDS", 0.01)


def told(browser: FakeBrowser) -> list[dict[str, object]]:
    """Return the contents of the events of presence that a browser has received."""
    events = [event.split("\n") for event in browser.read.split("\n\n")]
    return [json.loads(event[1][6:]) for event in events if event[0] == "event: here"]


def now(browser: FakeBrowser) -> dict[str, object] | None:
    return (told(browser) or [None])[-1]


def test_everybody_sees_who_comes_and_goes():
    async def test(hub, source):
        watcher = await HubClient(hub, "a").connect()
        await wait_until(lambda: now(watcher.browser) == {"here": [], "watching": 1})
        player = await HubClient(hub, "a", BLACK).connect()
        for client in (watcher, player):
            await wait_until(
                lambda client=client: now(client.browser) == {"here": ["black"], "watching": 1}
            )
        player.disconnect()
        await wait_until(lambda: now(watcher.browser) == {"here": [], "watching": 1})

    run_async(with_hub(test, a=1))


def test_a_page_that_is_loaded_again_changes_nothing_for_the_others(monkeypatch):
    monkeypatch.setattr(hub_module, "SECONDS", 0.1)

    async def test(hub, source):
        watcher = await HubClient(hub, "a").connect()
        player = await HubClient(hub, "a", BLACK).connect()
        await wait_until(lambda: now(watcher.browser) is not None)
        before = len(told(watcher.browser))
        player.disconnect()
        again = await HubClient(hub, "a", BLACK).connect()
        await wait_until(lambda: now(again.browser) is not None)
        assert len(told(watcher.browser)) == before

    run_async(with_hub(test, a=1))


def test_the_people_of_another_process_are_added():
    async def test(hub, source):
        watcher = await HubClient(hub, "a").connect()
        hub.notify(Presence("a", "other", "white", 2))
        await wait_until(lambda: now(watcher.browser) == {"here": ["white"], "watching": 3})
        hub.notify(Presence("a", "other", "", 0))
        await wait_until(lambda: now(watcher.browser) == {"here": [], "watching": 1})

    run_async(with_hub(test, a=1))


def test_a_process_that_falls_silent_is_forgotten():
    time = [1_000.0]
    crowd = Crowd(lambda: time[0])
    crowd.update(Presence("a", "other", "white", 1))
    assert b"white" in crowd.event()[0].plain["body"]
    time[0] += presence.FORGET_SECONDS
    assert b"white" not in crowd.event()[0].plain["body"]


def test_a_new_process_is_answered():
    crowd = Crowd()
    own = Presence("a", "this", "black", 0)
    assert crowd.to_publish(own)
    assert not crowd.to_publish(own)
    crowd.update(Presence("a", "other", "white", 1))
    assert crowd.to_publish(own)


def test_news_of_presence_survives_encoding():
    for news in (Presence("a", "b", "x,y", 7), Presence("a", "b", "", 0)):
        assert Presence.decode(news.encode()) == news


@pytest.mark.django_db
def test_players_are_shown_by_their_seats_and_others_are_counted(owner, opponent, stranger):
    game = make_game(owner, opponent)
    viewers = {
        Viewer(player_id=owner.player.pk): 2,
        Viewer(player_id=stranger.player.pk): 2,
        Viewer(): 3,
    }
    first, _ = seat_keys(two_player_rules())
    assert Database().presence(game.id, viewers, 0) == (first, 4)


@pytest.mark.django_db
def test_a_lobby_shows_no_presence(owner):
    assert Database().presence(make_lobby(owner).id, {Viewer(lobby="watch"): 1}, 0) is None


def test_a_closed_hub_sends_no_presence():
    async def test(hub, source):
        client = await HubClient(hub, "a").connect()
        await hub.close()
        client.disconnect()
        await asyncio.sleep(0.05)
        assert told(client.browser) == []

    run_async(with_hub(test, a=1))
