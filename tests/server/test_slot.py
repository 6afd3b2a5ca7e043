"""The slot: dear values are made beside the threads of pages, in turn, and charged to who asks."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event
from typing import Any
from urllib.error import HTTPError

import pytest
from django.test import RequestFactory

from games.classes.recording import all_exercises
from games.core.rate_limits import SLOT_PER_ADDRESS, RateLimited
from games.core.registry import all_rules
from games.web import slot as slots
from games.web.slot import TICKET, Job, Slot, SlotBusy, Ticket, WaitsForSlot, in_slot
from tests.support.game_factory import largest_variant, make_largest_game
from tests.support.kinds import importable_rules
from tests.support.players import Person
from tests.support.servers.http_client import PATIENCE, HTTPClient, Response
from tests.support.servers.site_process import serve, share_static
from tests.support.servers.worker_process import share_rows

PLAYERS = 60


def append(path: str, name: str) -> str:
    """Make a value, and leave a line about it. The first one waits until a file has gone."""
    with Path(path).open("a") as file:
        file.write(f"{name}\n")
    while name == "held" and Path(f"{path}.hold").exists():
        time.sleep(0.01)
    return name


def burn(seconds: float) -> float:
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass
    return seconds


def die(_name: str) -> None:
    os._exit(1)


def job(name: str, *values: Any, make: Any = append, **changed: Any) -> Job:
    return Job(name.encode(), make, values, "en")._replace(**changed)


@pytest.fixture
def slot() -> Iterator[Slot]:
    slot = Slot()
    yield slot
    slot.close()


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Return the file of `append`, which holds its first job until `release`."""
    (tmp_path / "lines.hold").touch()
    return tmp_path / "lines"


async def hold(slot: Slot, lines: Path) -> asyncio.Task[bool]:
    """Return a job that runs until `release`."""
    task = asyncio.create_task(slot.make(job("held", str(lines), "held")))
    while not lines.exists():
        await asyncio.sleep(0.01)
    return task


def release(lines: Path) -> None:
    Path(f"{lines}.hold").unlink()


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, PATIENCE))


def test_jobs_take_turns_by_address_and_within_one_by_browser(slot: Slot, lines: Path) -> None:
    asked = [("a", "1"), ("a", "1"), ("a", "2"), ("b", "1"), ("b", "1")]

    async def work() -> None:
        tasks = [await hold(slot, lines)]
        for number, (address, browser) in enumerate(asked):
            name = f"{address}{browser}{number}"
            wanted = job(name, str(lines), name, asked_by=(address, browser))
            tasks.append(asyncio.create_task(slot.make(wanted)))
        await asyncio.sleep(0)
        release(lines)
        assert all(await asyncio.gather(*tasks))

    run(work())
    assert lines.read_text().split() == ["held", "a10", "b13", "a22", "b14", "a11"]


def test_a_value_that_many_ask_for_is_made_once(slot: Slot, lines: Path) -> None:
    async def work() -> None:
        tasks = [await hold(slot, lines)]
        tasks += [asyncio.create_task(slot.make(job("held", str(lines), "held")))]
        for _ in range(3):
            tasks.append(asyncio.create_task(slot.make(job("one", str(lines), "one"))))
        await asyncio.sleep(0)
        release(lines)
        assert all(await asyncio.gather(*tasks))

    run(work())
    assert lines.read_text().split() == ["held", "one"]


def test_a_request_whose_turn_does_not_come_is_refused_unless_its_value_is_free(
    slot: Slot, lines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        held = await hold(slot, lines)
        monkeypatch.setattr(slots, "PATIENCE", 0.01)
        free = asyncio.create_task(slot.make(job("free", str(lines), "free", free=True)))
        assert not await slot.make(job("late", str(lines), "late"))
        release(lines)
        assert await held and await free

    run(work())
    assert lines.read_text().split() == ["held", "free"]


def test_a_job_that_ends_its_process_ends_no_other(slot: Slot, lines: Path) -> None:
    async def work() -> None:
        assert not await slot.make(job("die", "", make=die))
        release(lines)
        assert await slot.make(job("next", str(lines), "next"))

    run(work())


def test_processor_time_is_charged_to_the_address_that_asked(
    slot: Slot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SLOT_PER_ADDRESS, "limit", 2)
    run(slot.make(job("free", 0.4, make=burn, free=True, asked_by=("a", ""))))
    SLOT_PER_ADDRESS.check("a")
    run(slot.make(job("charged", 0.4, make=burn, asked_by=("a", ""))))
    SLOT_PER_ADDRESS.check("b")
    with pytest.raises(RateLimited):
        SLOT_PER_ADDRESS.check("a")


def asking(ticket: Ticket | None) -> Any:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")
    request.device_id = None  # type: ignore[attr-defined]
    if ticket:
        request.META[TICKET] = ticket
    return request


def test_a_view_waits_for_the_slot_unless_the_value_is_cached() -> None:
    ticket = Ticket()
    with pytest.raises(WaitsForSlot):
        in_slot(asking(ticket), burn, 0.0)
    assert ticket.job is not None
    assert ticket.job.asked_by == ("192.0.2.1", "")
    assert in_slot(asking(None), burn, 0.0) == 0
    assert in_slot(asking(Ticket()), burn, 0.0) == 0


def test_beyond_its_budget_an_address_gets_cached_and_free_values_only() -> None:
    SLOT_PER_ADDRESS.charge("192.0.2.1", SLOT_PER_ADDRESS.limit)
    in_slot(asking(None), burn, 0.0)
    assert in_slot(asking(Ticket()), burn, 0.0) == 0
    with pytest.raises(RateLimited):
        in_slot(asking(Ticket()), burn, 0.1)
    with pytest.raises(WaitsForSlot):
        in_slot(asking(Ticket()), burn, 0.1, free=True)


def test_a_refused_request_is_busy() -> None:
    with pytest.raises(SlotBusy):
        in_slot(asking(Ticket(refused=True)), burn, 0.0)


@pytest.fixture
def stingy_site(
    owner: Person, tmp_path: Path, site_data: Path, site: str
) -> Iterator[tuple[str, list[str]]]:
    """Run a site on which an address may use little of the slot, and yield its address and those of
    some large finished games on it."""
    variants = [largest_variant(rules) for rules in all_rules().values()]
    largest = max(variants, key=lambda variant: len(variant.start().view(None)["rows"]))
    games = [f"/g/{make_largest_game(owner, largest.rules).id}/" for _ in range(6)]
    share_static(tmp_path, site_data)
    share_rows(tmp_path)
    # No site makes a key for players that are there already.
    with serve(tmp_path, BOARDSITE_SLOT_SECONDS="2", BOARDSITE_SECRET="s" * 50) as address:
        yield address, games


def play(site: str, large: str) -> list[Response]:
    """Play a game, look at a class and at a large game, in a browser of its own."""
    rules, exercise = importable_rules(), next(all_exercises())[1]
    client = HTTPClient(site)
    answers = [client.get("/")]
    answers.append(client.post(f"/new/{rules.slug}/start/", {"with": "device"}))
    path = answers[-1].url.removeprefix(site)
    position = rules.start(rules.deal(rules.clean({}), Random(1)))
    for ply in range(3):
        seat = min(position.to_move())
        move = next(iter(position.legal_moves(seat)))
        position.play(seat, move)
        answers.append(client.post(f"{path}move/", {"seat": seat, "move": move, "ply": str(ply)}))
    return [*answers, client.get(f"/classes/{exercise.slug}/"), client.get(large)]


def status(client: HTTPClient, path: str) -> int:
    try:
        with client.opener.open(client.base + path, timeout=PATIENCE) as answer:
            return int(answer.status)
    except HTTPError as refused:
        with refused:
            return refused.code


@pytest.mark.django_db(transaction=True)
def test_sixty_of_an_address_play_while_one_more_asks_for_animations(
    stingy_site: tuple[str, list[str]],
) -> None:
    (site, games), done = stingy_site, Event()

    def animate() -> set[int]:
        client, answers = HTTPClient(site), set()
        while not done.is_set():
            answers |= {status(client, f"{game}animation.webp") for game in games}
        return answers

    with ThreadPoolExecutor(PLAYERS + 1) as threads:
        animations = threads.submit(animate)
        players = [
            threads.submit(play, site, games[number % len(games)]) for number in range(PLAYERS)
        ]
        try:
            answers = [answer for player in players for answer in player.result()]
        finally:
            done.set()
        # The slot is refused to the address, by a busy machine with 503, and nothing else.
        assert {200, 429} <= animations.result() <= {200, 429, 503}
    assert len(answers) == 7 * PLAYERS
    assert [(found.status, found.url) for found in answers if found.status != 200] == []
