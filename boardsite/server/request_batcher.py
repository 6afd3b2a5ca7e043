"""Threads that answer requests in batches, so that a busy server switches threads once per batch.

Python runs one thread at a time, and every switch costs about as much as Django's part of a move.
Here a free thread takes all waiting requests and passes their responses on in one step: to the
thread that makes their commits durable with one flush, and from there to the event loop. An idle
server answers each request on its own, as soon as it arrives."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

from games.storage.group_commit import PendingSync, deferred_sync, sync_all

Request = TypeVar("Request")
Response = TypeVar("Response")

BATCH_SECONDS = 0.01
"""Seconds after which a batch, whose first response waits, takes no more requests."""


class SyncFailed(Exception):
    """The commits of a request could not be made durable; the cause is the error of the flush."""


class Answered(NamedTuple):
    """A request's future and its outcome: a response or an error."""

    future: asyncio.Future[Any]
    response: Any = None
    error: BaseException | None = None
    pending: PendingSync | None = None


class RequestBatcher(Generic[Request, Response]):
    """Runs ``respond`` in ``threads`` threads, each for all waiting requests with ``batches``. Its
    coroutines must all run in one event loop."""

    def __init__(
        self, respond: Callable[[Request], Response], *, threads: int, batches: bool
    ) -> None:
        self._respond = respond
        self._batches = batches
        self._waiting: SimpleQueue[tuple[Request, asyncio.Future[Response]]] = SimpleQueue()
        self._answered: SimpleQueue[list[Answered]] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads = threads

    async def respond(self, request: Request) -> Response:
        """Return the response to a request once its commits are durable. Raises the error of
        ``respond``, or SyncFailed."""
        if self._loop is None:
            self._start()
        answered: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._waiting.put((request, answered))
        return await answered

    def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Daemon threads: only the server waits for their responses before the process ends.
        for number in range(self._threads):
            Thread(target=self._answer_all, name=f"wsgi_{number}", daemon=True).start()
        Thread(target=self._sync_all, name="disk", daemon=True).start()

    def _answer_all(self) -> None:
        while True:
            batch = [self._answer(*waiting) for waiting in self._next_batch()]
            if any(answered.pending for answered in batch):
                self._answered.put(batch)
            else:
                self._deliver(batch)

    def _next_batch(self) -> Iterator[tuple[Request, asyncio.Future[Response]]]:
        """Yield the next request, then for a short time those that have arrived meanwhile."""
        yield self._waiting.get()
        began = time.monotonic()
        while self._batches and time.monotonic() - began < BATCH_SECONDS:
            try:
                yield self._waiting.get_nowait()
            except Empty:
                return

    def _answer(self, request: Request, future: asyncio.Future[Response]) -> Answered:
        try:
            with deferred_sync() as pending:
                return Answered(future, response=self._respond(request), pending=pending)
        # Any error at all: otherwise the request would wait for ever.
        except BaseException as error:
            return Answered(future, error=error)

    def _sync_all(self) -> None:
        """Make the commits of all answered batches durable, then deliver their responses."""
        while True:
            batch = self._answered.get()
            while not self._answered.empty():
                batch += self._answered.get()
            try:
                sync_all([answered.pending for answered in batch if answered.pending])
            except Exception as error:
                failed = SyncFailed()
                failed.__cause__ = error
                batch = [
                    answered._replace(error=failed) if answered.pending else answered
                    for answered in batch
                ]
            self._deliver(batch)

    def _deliver(self, batch: list[Answered]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_resolve, batch)


def _resolve(batch: list[Answered]) -> None:
    for answered in batch:
        # The client of a cancelled request is gone.
        if answered.future.cancelled():
            continue
        if answered.error is None:
            answered.future.set_result(answered.response)
        else:
            answered.future.set_exception(answered.error)
