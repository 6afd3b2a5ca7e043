"""Worker processes of ``run_computers``: killed, early and idle ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from games.contract import Rules
from games.core.registry import all_rules, computer_module
from games.management.commands import run_computers
from tests.support.kinds import kinds_with_computers
from tests.support.servers.site_process import ROOT, environment, query_database
from tests.support.servers.worker_process import share_tables

pytestmark = pytest.mark.processes

CREATE_GAMES = """
import sys, django; django.setup()
from django.core.management import call_command
from games.core.registry import all_rules
from games.services.players import new_player
from games.services.setup import NewGame, create_game
call_command("migrate", verbosity=0)
rules = all_rules()[sys.argv[1]]
seating = {spec.key: "computer-1" for spec in rules.seats(rules.clean({}))}
for _ in range(int(sys.argv[2])):
    create_game(player=new_player(), new=NewGame(rules=rules, options={}, seating=seating))
"""


GAMES = 4


LEASE_SECONDS = 5
"""Seconds after which the lease of a killed worker expires, instead of `LEASE`."""


RUN_COMPUTERS = f"""
import sys, django; django.setup()
from datetime import timedelta
from django.core.management import call_command
from games.worker import leases
leases.LEASE = timedelta(seconds={LEASE_SECONDS})
call_command("run_computers", parent=int(sys.argv[1]))
"""


def fastest_kind() -> str:
    """Return the slug of the game whose computer makes its first move fastest."""

    def seconds(rules: Rules) -> float:
        computer: Any = computer_module(rules.slug)
        options = {**rules.clean({}), **rules.computer_options}
        position = rules.start(rules.deal(options, Random(1)))
        began = time.monotonic()
        computer.choose(position, min(position.to_move()), 1, Random(1))
        return time.monotonic() - began

    return min((all_rules()[slug] for slug in kinds_with_computers()), key=seconds).slug


def run_program(data: Path, source: str, *arguments: str) -> str:
    command = [sys.executable, "-c", source, *arguments]
    run = subprocess.run(command, cwd=ROOT, env=environment(data), check=True, stdout=-1, text=True)
    return run.stdout.strip()


@pytest.fixture
def workers(tmp_path: Path, transactional_db: None) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Yield two worker processes on a database of games between computers."""
    share_tables(tmp_path)
    run_program(tmp_path, CREATE_GAMES, fastest_kind(), str(GAMES))
    command = [sys.executable, "-c", RUN_COMPUTERS, str(os.getpid())]
    both = [subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path)) for _ in range(2)]
    yield both
    for worker in both:
        worker.kill()
        worker.wait()


def wait_for_count(data: Path, sql: str, minimum: int) -> None:
    """Wait until a query of one number returns at least ``minimum``."""
    deadline = time.monotonic() + 150
    while query_database(data, sql)[0][0] < minimum:
        assert time.monotonic() < deadline, "no worker makes progress"
        time.sleep(0.02)


def test_two_workers_make_one_move_per_ply_and_one_survives_the_other(workers, tmp_path):
    wait_for_count(tmp_path, "SELECT count(*) FROM games_move", 5)
    workers[0].kill()
    workers[0].wait()
    wait_for_count(tmp_path, "SELECT count(*) FROM games_game WHERE status = 'over'", GAMES)
    assert workers[1].poll() is None
    twice = "SELECT game_id, ply FROM games_move GROUP BY game_id, ply HAVING count(*) > 1"
    assert query_database(tmp_path, twice) == []
    verify = "from django.core.management import call_command as c; c('verify_games')"
    output = run_program(tmp_path, f"import django; django.setup(); {verify}")
    assert f"{GAMES} games" in output and " 0 faults" in output


def test_a_worker_waits_for_the_tables_of_its_database(tmp_path):
    log = tmp_path / "log"
    command = [sys.executable, "manage.py", "run_computers", "--parent", str(os.getpid())]
    with (
        log.open("w") as errors,
        subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path), stderr=errors) as worker,
    ):
        try:
            deadline = time.monotonic() + 60
            while "The database is older than the site" not in log.read_text():
                assert time.monotonic() < deadline, "the worker wrote nothing"
                time.sleep(0.1)
            run_program(tmp_path, CREATE_GAMES, fastest_kind(), "1")
            wait_for_count(tmp_path, "SELECT count(*) FROM games_move", 1)
        finally:
            worker.kill()
    assert "does not answer" not in log.read_text()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="reads /proc of Linux")
def test_an_idle_worker_loads_the_computer_players(tmp_path, transactional_db):
    share_tables(tmp_path)
    migrate = "from django.core.management import call_command as c; c('migrate', verbosity=0)"
    run_program(tmp_path, f"import django; django.setup(); {migrate}")
    command = [sys.executable, "manage.py", "run_computers", "--parent", str(os.getpid())]
    with subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path)) as worker:
        try:
            deadline = time.monotonic() + 60
            while "llvmlite" not in Path(f"/proc/{worker.pid}/maps").read_text():
                assert time.monotonic() < deadline, "no computer player was loaded"
                time.sleep(0.1)
        finally:
            worker.kill()


def test_a_worker_ends_after_a_job_that_swallows_its_signal(db, monkeypatch):
    done = []

    def swallow(order: object) -> bool:
        assert not done, "the worker goes on"
        done.append(order)
        # As compiled code does.
        with suppress(SystemExit):
            signal.raise_signal(signal.SIGTERM)
        return True

    monkeypatch.setattr(run_computers, "run_one_job", swallow)
    before = signal.getsignal(signal.SIGTERM)
    call_command("run_computers")
    assert len(done) == 1
    assert signal.getsignal(signal.SIGTERM) is before
