"""A loader that batches concurrent queries for the versions of games."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping

Read = Callable[[Collection[str]], Awaitable[Mapping[str, int]]]


class VersionLoader:
    """Loads the versions of games in batches.

    Callers that arrive during a query share the next one, so thousands of browsers that reconnect
    at once cause only a few queries. Each query begins after all its callers have arrived."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._waiting: dict[str, asyncio.Future[int | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def newest(self, game_id: str) -> int | None:
        """Return the game's version, read after this call; None if there is no such game.

        Raises any error of the query."""
        while True:
            try:
                return await self._future(game_id)
            except asyncio.CancelledError:
                # Another caller was cancelled, and this shared future with it. Shielding each
                # caller would take time that grows with the number of callers.
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise

    def _future(self, game_id: str) -> asyncio.Future[int | None]:
        future = self._waiting.get(game_id)
        if future is None or future.cancelled():
            future = self._waiting[game_id] = asyncio.get_running_loop().create_future()
            if self._task is None:
                self._task = asyncio.create_task(self._run())
        return future

    async def _run(self) -> None:
        while self._waiting:
            # Callers in the same iteration of the event loop join the batch.
            await asyncio.sleep(0)
            waiting, self._waiting = self._waiting, {}
            try:
                versions = await self._read(list(waiting))
            except Exception as error:
                _resolve(waiting, error)
            else:
                _resolve(waiting, versions)
        self._task = None


def _resolve(
    waiting: Mapping[str, asyncio.Future[int | None]], versions: Mapping[str, int] | Exception
) -> None:
    for game_id, future in waiting.items():
        if future.cancelled():
            continue
        if isinstance(versions, Exception):
            future.set_exception(versions)
            # Retrieved here: all callers may be gone, and asyncio would log an unread exception.
            future.exception()
        else:
            future.set_result(versions.get(game_id))
