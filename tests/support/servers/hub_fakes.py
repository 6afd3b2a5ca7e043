"""Fakes around a hub: a source of boards without a database, a silent bus, slow browsers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from typing import Any
from uuid import UUID

from games.bus import Hint, News
from games.live.events import Asked, Boards, Event, Message, board_event, line_event
from games.live.hub import Hub
from games.live.stream import Stream
from games.presentation.visibility import Viewer

SPECTATOR = Viewer()


def run_async(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test in an event loop of its own, and fail if it leaves a task behind."""

    async def work_and_check() -> None:
        await asyncio.wait_for(work(), timeout=90)
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(work_and_check())


async def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true; raise TimeoutError after 30 seconds."""
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.002)


class FakeSource:
    """A source whose boards are only a version. ``rendered`` lists the snapshots made."""

    def __init__(self, **versions: int) -> None:
        self.newest = dict(versions)
        self.rendered: list[tuple[int, frozenset[Viewer]]] = []
        self.failures = 0
        self.line = ""
        self.asked: list[set[Asked]] = []

    def versions(self, game_ids: Collection[str], /) -> dict[str, int]:
        return {game_id: self.newest[game_id] for game_id in game_ids if game_id in self.newest}

    def boards(
        self, game_id: str, viewers: Collection[Viewer], _newest: int = 0, /
    ) -> Boards | None:
        if self.failures:
            self.failures -= 1
            raise OSError("the disk is away")
        if game_id not in self.newest:
            return None
        version = self.newest[game_id]
        self.rendered.append((version, frozenset(viewers)))
        boards = {
            viewer: board_event(version, f"{game_id} {version} {viewer.language}".encode())
            for viewer in viewers
        }
        return Boards(version, boards)

    def presence(
        self, game_id: str, viewers: Mapping[Viewer, int], _newest: int = 0, /
    ) -> tuple[str, int] | None:
        seats = sorted(str(viewer.asked) for viewer in viewers if viewer.asked)
        return ",".join(seats), sum(n for viewer, n in viewers.items() if not viewer.asked)

    def lines(self, asked: Collection[Asked], /) -> dict[Asked, Event]:
        self.asked.append(set(asked))
        return {each: line_event(f"{self.line} {each.kind} {each.language}") for each in asked}

    def note_people(self, people: Mapping[str, Collection[UUID]], /) -> None: ...

    def written(self) -> bool:
        return True


class SilentBus:
    """A bus that delivers no hint."""

    def publish(self, news: News) -> None: ...

    async def listen(self, on_news: Callable[[News], None], on_connect: Callable[[], None]) -> None:
        await asyncio.Event().wait()


class FakeBrowser:
    """The receiver of a stream. It reads at once, except while ``awake`` is clear."""

    def __init__(self) -> None:
        self.read = ""
        self.ended = False
        self.awake = asyncio.Event()
        self.awake.set()

    async def send(self, message: Message) -> None:
        await self.awake.wait()
        self.read += message["body"].decode()
        self.ended = not message["more_body"]

    @property
    def versions(self) -> list[int]:
        """The versions of the boards received, in order."""
        return [int(line[4:]) for line in self.read.split("\n") if line.startswith("id: ")]


class HubClient:
    """A browser that is subscribed to one game of a hub."""

    def __init__(self, hub: Hub, game_id: str, viewer: Viewer = SPECTATOR) -> None:
        self.hub, self.game_id, self.viewer = hub, game_id, viewer
        self.browser = FakeBrowser()
        self.stream = Stream(self.browser.send, gzipped=False)

    async def connect(self, *, has: int = 0, kind: str = "") -> HubClient:
        self.hub.subscribe(self.game_id, self.viewer, self.stream, kind)
        newest = await self.hub.newest(self.game_id)
        assert newest is not None
        self.hub.open(self.game_id, self.stream, newest=newest, has=has)
        return self

    def disconnect(self) -> None:
        self.hub.unsubscribe(self.game_id, self.viewer, self.stream)

    async def wait_for(self, version: int) -> None:
        """Wait until the newest board received has this version."""
        await wait_until(lambda: self.browser.versions[-1:] == [version])


def with_hub(
    test: Callable[[Hub, FakeSource], Awaitable[None]], **versions: int
) -> Callable[[], Coroutine[Any, Any, None]]:
    """Return ``test`` as a coroutine function that opens a hub and closes it at the end."""

    async def work() -> None:
        source = FakeSource(**versions)
        hub = Hub(source, SilentBus)
        try:
            await test(hub, source)
        finally:
            await hub.close()

    return work


def publish(hub: Hub, source: FakeSource, game_id: str, version: int) -> None:
    """Give a game a new version, and the hub a hint of it."""
    source.newest[game_id] = version
    hub.notify(Hint(game_id, version))


def is_refreshing() -> bool:
    """Return whether a hub is sending boards."""
    return any("_refresh" in repr(task) for task in asyncio.all_tasks())
