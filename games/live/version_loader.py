"""Questions that come at once are asked together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping

Read = Callable[[Collection[str]], Awaitable[Mapping[str, int]]]


class VersionLoader:
    """Asks for the versions of games. Whoever comes while a query runs waits for the next one, so
    that thousands who come back at once are a few queries, each begun after its askers came."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._waiting: dict[str, asyncio.Future[int | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def newest(self, game_id: str) -> int | None:
        """The game's version, read after this call; None when there is no such game. Raises what
        reading raises."""
        while True:
            try:
                return await self._answer_to(game_id)
            except asyncio.CancelledError:
                # Somebody else who waited for the same answer was cancelled, and it with them. To
                # shield it from that would take a search through all who wait for each of them.
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise

    def _answer_to(self, game_id: str) -> asyncio.Future[int | None]:
        answer = self._waiting.get(game_id)
        if answer is None or answer.cancelled():
            answer = self._waiting[game_id] = asyncio.get_running_loop().create_future()
            if self._task is None:
                self._task = asyncio.create_task(self._serve())
        return answer

    async def _serve(self) -> None:
        while self._waiting:
            # Whoever has arrived in this turn of the loop is taken along.
            await asyncio.sleep(0)
            waiting, self._waiting = self._waiting, {}
            try:
                versions = await self._read(list(waiting))
            except Exception as error:
                _answer(waiting, error)
            else:
                _answer(waiting, versions)
        self._task = None


def _answer(
    waiting: Mapping[str, asyncio.Future[int | None]], versions: Mapping[str, int] | Exception
) -> None:
    for game_id, answer in waiting.items():
        if answer.cancelled():
            continue
        if isinstance(versions, Exception):
            answer.set_exception(versions)
            # Read here: all who waited may be gone, and asyncio would complain that nobody did.
            answer.exception()
        else:
            answer.set_result(versions.get(game_id))
