"""Waits for the disk on behalf of all answers: see `games.storage.group_commit`."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from games.storage.group_commit import PendingSync, sync_all


class SyncBatcher:
    """Settles in one thread, and at once for all who came while it was at it. All its methods run
    in one event loop."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="disk")
        self._waiting: list[tuple[PendingSync, asyncio.Future[None]]] = []
        self._working: asyncio.Task[None] | None = None

    async def sync(self, debt: PendingSync) -> None:
        """Return when the debt is settled. Raises what kept it from being settled, an
        OperationalError mostly."""
        settled = asyncio.get_running_loop().create_future()
        self._waiting.append((debt, settled))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        await settled

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            error = await self._sync([debt for debt, _ in batch])
            for _, settled in batch:
                if settled.cancelled():
                    continue
                if error is None:
                    settled.set_result(None)
                else:
                    settled.set_exception(error)
        self._working = None

    async def _sync(self, debts: list[PendingSync]) -> Exception | None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, sync_all, debts)
        # Whatever it is: those who wait must hear of it.
        except Exception as error:
            return error
        return None
