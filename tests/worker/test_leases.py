"""Leases of jobs: exclusive, expiring, and released by an interrupted worker."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.contract.computer import WALL_SECONDS
from games.models import Evaluation, Game
from games.services import seats
from games.worker import jobs, leases
from games.worker.leases import LEASE
from tests.support.computer_games import make_game_against_computer
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_move
from tests.support.snapshots import ask_evaluations

pytestmark = pytest.mark.django_db


OFFSETS = (timedelta(seconds=-3), timedelta(0), timedelta(seconds=3))


@pytest.fixture
def shift_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Return a function that shifts the clock of this process."""
    real_now, real_time = timezone.now, time.time

    def shift(by: timedelta) -> None:
        def now() -> datetime:
            return real_now() + by

        monkeypatch.setattr(timezone, "now", now)
        monkeypatch.setattr(time, "time", lambda: real_time() + by.total_seconds())

    return shift


@pytest.mark.parametrize("hint", [True, False])
def test_a_leased_evaluation_is_not_leased_again(owner, hint):
    ask_evaluations(make_game(owner), [0], hint=hint)
    assert leases.next_evaluation(hint=hint) == Evaluation.objects.get()
    assert leases.next_evaluation(hint=hint) is None


def test_an_evaluation_is_leased_again_after_its_lease_expires(owner, shift_clock):
    ask_evaluations(make_game(owner), [0])
    found = leases.next_evaluation(hint=False)
    shift_clock(LEASE + timedelta(seconds=1))
    assert leases.next_evaluation(hint=False) == found


def test_a_turn_leased_during_the_wait_for_the_lock_is_skipped(owner, monkeypatch):
    game, original, leased = make_game_against_computer(owner), leases.write_transaction, []

    @contextmanager
    def after_another_lease() -> Iterator[Any]:
        monkeypatch.setattr(leases, "write_transaction", original)
        leased.append(leases.next_turn())
        with original():
            yield

    monkeypatch.setattr(leases, "write_transaction", after_another_lease)
    assert leases.next_turn() is None
    assert leased == [game]


@pytest.mark.parametrize("offset", OFFSETS)
def test_leases_tolerate_clocks_some_seconds_apart(owner, shift_clock, offset):
    make_game_against_computer(owner)
    assert leases.next_turn() is not None
    shift_clock(offset)
    assert leases.next_turn() is None


def test_a_leased_turn_is_not_leased_again_before_it_expires(owner, shift_clock):
    game = make_game_against_computer(owner)
    assert leases.next_turn() == game
    assert leases.next_turn() is None
    shift_clock(LEASE - timedelta(seconds=2))
    assert leases.next_turn() is None
    shift_clock(LEASE + timedelta(seconds=2))
    assert leases.next_turn() == game


@pytest.mark.parametrize("days", [1, -1, 400, -400])
def test_a_lease_ends_when_the_clock_jumps(owner, shift_clock, days):
    game = make_game_against_computer(owner)
    assert leases.next_turn() == game
    shift_clock(timedelta(days=days))
    assert leases.next_turn() == game
    assert leases.next_turn() is None


@pytest.mark.parametrize("days", [1, -1])
def test_seats_and_sessions_outlive_a_jump_of_the_clock(owner, shift_clock, days, admin_client):
    game = make_game(owner)
    token = seats.invitation_token(
        make_game(owner, seating={spec.key: "invite" for spec in game.specs}).seats.first()
    )
    shift_clock(timedelta(days=days))
    assert post_move(owner, game).status_code == 302
    assert owner.client.get(f"/join/{token}/").status_code == 200
    assert admin_client.get("/admin/").status_code == 200


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="other databases choose plans by the size of tables"
)
@pytest.mark.parametrize(
    ("next_job", "index"),
    [
        (leases.next_turn, "games_computer_to_move"),
        (partial(leases.next_evaluation, hint=True), "games_hint_waiting"),
        (partial(leases.next_evaluation, hint=False), "games_(ply|looked_at)_waiting"),
    ],
)
def test_the_queries_for_work_use_their_indexes(owner, next_job, index):
    make_game_against_computer(owner)
    game = make_game_with_moves(owner, 1)
    ask_evaluations(game, [0], hint=True)
    ask_evaluations(game, [1])
    with CaptureQueriesContext(connection) as queries:
        assert next_job() is not None
    selects = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    *searches, locking = selects
    assert searches
    for select in searches:
        [step, *_] = query_plan(select)
        assert re.search(f"USING (COVERING )?INDEX {index}", step)
    assert not any("TEMP B-TREE" in step for step in query_plan(searches[-1]))
    # The row that is leased is found by its key alone.
    assert re.search(r"\((id|rowid)=\?\)", query_plan(locking)[0])


def query_plan(select: str) -> list[str]:
    """Return the steps of SQLite's plan."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {select}")
        return [row[-1] for row in cursor.fetchall()]


def interrupt(error: type[BaseException], *_: Any, **__: Any) -> None:
    raise error


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("job", ["choose", "evaluate"])
def test_an_interrupted_job_releases_its_lease(owner, monkeypatch, error, job):
    game = make_game_against_computer(owner)
    if job == "evaluate":
        ask_evaluations(game, [0], hint=True)
    module = SimpleNamespace(**{job: partial(interrupt, error)})
    monkeypatch.setattr(jobs, "computer_module", lambda slug: module)
    schedule = jobs.SCHEDULES[0 if job == "evaluate" else 1]
    with pytest.raises(error):
        jobs.run_one_job(schedule)
    assert leases.next_turn() == game
    assert leases.next_evaluation(hint=True) == Evaluation.objects.first()


def test_a_search_ends_by_the_wall_before_its_lease_does():
    assert timedelta(seconds=WALL_SECONDS) < LEASE - leases.SKEW


def test_a_newer_lease_is_not_released(owner):
    first = make_game_against_computer(owner)
    leased = leases.next_turn()
    assert leased == first
    newer = timezone.now() + LEASE
    Game.objects.update(leased_until=newer)
    leases.release_lease(leased)
    leased.refresh_from_db()
    assert leased.leased_until == newer


def died() -> int:
    """Return the id of a process that is gone."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def hold_all_leases(holder: str) -> None:
    for model in (Game, Evaluation):
        model.objects.update(leased_by=holder)


@pytest.fixture
def leased(owner):
    """Return the game and the evaluation whose leases a process of this machine has."""
    game = make_game_against_computer(owner)
    ask_evaluations(game, [0], hint=True)
    return leases.next_turn(), leases.next_evaluation(hint=True)


def test_a_worker_releases_the_leases_of_a_process_that_died(leased):
    machine = leases.holder().rpartition(":")[0]
    hold_all_leases(f"{machine}:{died()}")
    leases.release_leases_of_the_dead()
    assert (leases.next_turn(), leases.next_evaluation(hint=True)) == leased


def test_a_worker_keeps_the_leases_of_processes_that_run(leased):
    leases.release_leases_of_the_dead()
    assert leases.next_turn() is None
    assert leases.next_evaluation(hint=True) is None


def test_a_worker_keeps_the_leases_of_other_machines(leased):
    hold_all_leases(f"elsewhere:{died()}")
    leases.release_leases_of_the_dead()
    assert leases.next_turn() is None
