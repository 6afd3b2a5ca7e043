"""The slot: one process beside the server, for values that cost more than a page's thread may take.

A view gets such a value from `in_slot`. In the server the first call ends the request without an
answer; the server makes the value in the slot, which blocks no thread, and answers the request anew
with the value in the cache. Values that are the same for all are made once. Jobs take turns by
address, and those of an address by browser. Where there is no slot (``runserver``, tests, commands)
a value is made at once."""

from __future__ import annotations

import asyncio
import copyreg
import logging
import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing.process import BaseProcess
from threading import Thread
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

from django.utils.translation import get_language, override

from games.contract import Rules, text
from games.core.rate_limits import SLOT_PER_ADDRESS, TENTHS, RateLimited, Turns
from games.core.registry import all_rules
from games.storage.cache import LRUCache
from games.web.client_address import client_address
from games.web.request import HttpRequest

Value = TypeVar("Value")

TICKET = "games.slot"
"""The key in ``request.META`` of the `Ticket` that the server adds."""
PATIENCE = 10.0
"""Seconds that a request waits for its turn, unless its value is the same for all visitors."""
LONGEST = 60
"""Seconds of processor time after which a job is ended with its process."""
KEPT, KEPT_BYTES = 256, 2**25
"""How many values are cached, and how large they may be in total."""

log = logging.getLogger(__name__)

copyreg.pickle(MappingProxyType, lambda proxy: (_read_only, (dict(proxy),)))
copyreg.pickle(Rules, lambda rules: (_rules, (rules.slug,)))


class Job(NamedTuple):
    """The making of a value, and the address and the browser that asked for it first."""

    key: bytes
    make: Callable[..., Any]
    values: tuple[Any, ...]
    language: str | None
    free: bool = False
    asked_by: tuple[str, str] = ("", "")


@dataclass
class Ticket:
    """The job that a request waits for; ``refused`` once it has waited too long."""

    job: Job | None = None
    refused: bool = False


class WaitsForSlot(Exception):
    """Raised for a request that the server answers once its job is done."""


class SlotBusy(RateLimited):
    """Raised for a request that has waited too long for its turn."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            text("The site is busy with other visitors’ files. Try again in a moment.")
        )


class _Made(NamedTuple):
    value: Any
    size: int


_values: LRUCache[bytes, _Made] = LRUCache(
    KEPT, size_of=lambda made: made.size, max_size=KEPT_BYTES
)


def _read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


def _rules(slug: str) -> Rules:
    return all_rules()[slug]


def in_slot(
    request: HttpRequest, make: Callable[..., Value], *values: Any, free: bool = False
) -> Value:
    """Return ``make(*values)`` in the language of the page, from the cache or by the slot. The
    function must depend on nothing else, both must be picklable, and nothing may have been written
    before. A ``free`` value, the same for all visitors, is charged to nobody. Raises RateLimited,
    SlotBusy."""
    language = get_language()
    named = (make.__module__, make.__qualname__, language, values)
    key = sha256(pickle.dumps(named)).digest()
    made = _values.get(key)
    if made is None:
        ticket = cast(Ticket | None, request.META.get(TICKET))
        if ticket is not None:
            _ask(request, ticket, Job(key, make, values, language, free))
        made = _values.put(key, _measured(make, values))
    return cast(Value, made.value)


def _ask(request: HttpRequest, ticket: Ticket, job: Job) -> None:
    if ticket.refused:
        raise SlotBusy
    address, browser = client_address(request), str(request.device_id or "")
    if not job.free:
        SLOT_PER_ADDRESS.check(address)
    ticket.job = job._replace(asked_by=(address, browser))
    raise WaitsForSlot


def _measured(make: Callable[..., Any], values: tuple[Any, ...]) -> _Made:
    value = make(*values)
    return _Made(value, len(pickle.dumps(value)))


@dataclass
class _Waiting:
    """A job that waits or runs, and the number of requests that wait for it."""

    job: Job
    requests: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Slot:
    """Runs one job at a time in a process of its own, which begins with the first one."""

    def __init__(self) -> None:
        self._turns = Turns()
        self._jobs: dict[bytes, _Waiting] = {}
        self._running: asyncio.Task[None] | None = None
        self._pool: ProcessPoolExecutor | None = None

    async def make(self, job: Job) -> bool:
        """Return whether the value of a job has been cached; False after a wait that was too long,
        or a failure. Once it has begun, a request waits for its end."""
        waiting = self._jobs.setdefault(job.key, _Waiting(job))
        waiting.requests += 1
        self._begin_next()
        try:
            await asyncio.wait_for(waiting.begun.wait(), None if job.free else PATIENCE)
        except TimeoutError:
            waiting.requests -= 1
            if not waiting.requests:
                self._jobs.pop(job.key, None)
            return False
        await waiting.done.wait()
        return _values.get(job.key) is not None

    def _begin_next(self) -> None:
        queue = [waiting for waiting in self._jobs.values() if not waiting.begun.is_set()]
        if self._running or not queue:
            return
        following = min(queue, key=lambda waiting: self._turns.rank(waiting.job.asked_by))
        self._turns.serve(following.job.asked_by)
        following.begun.set()
        self._running = asyncio.create_task(self._run(following))

    async def _run(self, waiting: _Waiting) -> None:
        job, began, seconds = waiting.job, time.monotonic(), 0.0
        self._pool = self._pool or ProcessPoolExecutor(
            1, multiprocessing.get_context("spawn"), _set_up
        )
        try:
            made, seconds = await asyncio.get_running_loop().run_in_executor(
                self._pool, _work, job.make, job.values, job.language
            )
            _values.put(job.key, made)
        except BrokenProcessPool:
            log.warning("The slot ended at %s and is started again", job.make.__qualname__)
            self._pool = None
        except Exception:
            log.exception("The slot failed at %s", job.make.__qualname__)
        finally:
            if not job.free:
                # Of a process that has ended nothing but the time is known.
                seconds = seconds or time.monotonic() - began
                SLOT_PER_ADDRESS.charge(job.asked_by[0], round(seconds * TENTHS))
            del self._jobs[job.key]
            self._running = None
            waiting.done.set()
            self._begin_next()

    def close(self) -> None:
        if self._pool is not None:
            for process in multiprocessing.active_children():
                process.kill()


slot = Slot()
"""The slot of this server process."""


def _set_up() -> None:
    """Prepare the process of the slot: it ends with its server, however that ends."""
    import django

    server = multiprocessing.parent_process()
    assert server is not None  # noqa: S101  # it was spawned
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(server,), daemon=True).start()
    django.setup()


def _end_with(server: BaseProcess) -> None:
    server.join()
    os._exit(0)


def _work(
    make: Callable[..., Any], values: tuple[Any, ...], language: str | None
) -> tuple[_Made, float]:
    """Return the value of a job and its processor time, which `LONGEST` limits by SIGPROF."""
    from django.db import close_old_connections

    close_old_connections()
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    with override(language):
        made = _measured(make, values)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return made, time.process_time() - began
