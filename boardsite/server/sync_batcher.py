"""Group commit for the answers of the WSGI bridge: see `games.storage.group_commit`."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from games.storage.group_commit import PendingSync, sync_all


class SyncBatcher:
    """Syncs to disk in one thread. Requests that arrive during a sync share the next one.

    All methods run in one event loop."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="disk")
        self._waiting: list[tuple[PendingSync, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def sync(self, pending: PendingSync) -> None:
        """Return once ``pending`` is durable. Raises the error of the flush, an OperationalError
        mostly."""
        synced = asyncio.get_running_loop().create_future()
        self._waiting.append((pending, synced))
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        await synced

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            error = await self._sync_all([pending for pending, _ in batch])
            for _, synced in batch:
                if synced.cancelled():
                    continue
                if error is None:
                    synced.set_result(None)
                else:
                    synced.set_exception(error)
        self._task = None

    async def _sync_all(self, batch: list[PendingSync]) -> Exception | None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, sync_all, batch)
        # Any error at all: the requests of the batch would wait for ever otherwise.
        except Exception as error:
            return error
        return None
