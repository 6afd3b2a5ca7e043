"""A worker that is killed in thought is followed by another, long before its lease expires."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.worker.leases import LEASE
from tests.support.kinds import kinds_with_computers
from tests.support.servers.site_process import ROOT, Site, environment, query_database, share_static

pytestmark = pytest.mark.services

CREATE_GAME = """
import sys, django; django.setup()
from games.core.registry import all_rules
from games.services.players import new_player
from games.services.setup import NewGame, create_game
rules = all_rules()[sys.argv[1]]
seating = {spec.key: f"computer-{[*rules.ladder][-1]}" for spec in rules.seats(rules.clean({}))}
create_game(player=new_player(), new=NewGame(rules=rules, options={}, seating=seating))
"""
HOLDER = "SELECT leased_by FROM games_game WHERE leased_until IS NOT NULL AND computer_to_move"


@pytest.fixture
def site_with_a_worker(tmp_path: Path, site: str, site_data: Path) -> Iterator[Any]:
    share_static(tmp_path, site_data)
    running = Site(tmp_path, "--computers", "1")
    running.start()
    yield running
    running.stop()


def holder(data: Path, *others: int) -> int:
    """Wait for a process that holds a lease, none of ``others``, and return it."""
    deadline = time.monotonic() + LEASE.total_seconds() / 2
    while time.monotonic() < deadline:
        for (name,) in query_database(data, HOLDER):
            if (pid := int(name.rpartition(":")[2] or 0)) and pid not in others:
                return pid
        time.sleep(0.002)
    raise TimeoutError("nobody thinks")


def test_a_worker_killed_in_thought_is_followed_by_another(site_with_a_worker, tmp_path):
    command = [sys.executable, "-c", CREATE_GAME, kinds_with_computers()[-1]]
    subprocess.run(command, cwd=ROOT, env=environment(tmp_path), check=True)
    killed = holder(tmp_path)
    os.kill(killed, signal.SIGKILL)
    assert holder(tmp_path, killed)
