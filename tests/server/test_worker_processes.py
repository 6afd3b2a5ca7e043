"""`serve --processes`: several processes serve one address and end together."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from games.core.registry import all_rules
from tests.support.servers.resilient_play import ResilientGame
from tests.support.servers.site_process import Site, children, share_static

pytestmark = pytest.mark.services

PATIENCE = 30.0


class TwoProcesses(Site):
    """A site of two serving processes, whose start ends when both serve."""

    def __init__(self, data: Path, of: Path) -> None:
        share_static(data, of)
        self.data = data
        super().__init__(data, "--computers", "0", "--processes", "2", BOARDSITE_RATE_LIMITS="0")

    def start(self) -> str:
        self.address = super().start()
        try:
            wait_until(lambda: len(listening(self)) == 2)
        except TimeoutError:
            self.stop()
            raise
        return self.address


@pytest.fixture(scope="module")
def two_processes(tmp_path_factory, site: str, site_data: Path) -> Iterator[TwoProcesses]:
    running = TwoProcesses(tmp_path_factory.mktemp("two"), site_data)
    running.start()
    yield running
    running.stop()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(condition)
        time.sleep(0.05)


def listening(site: Site) -> set[int]:
    """Return the processes of a site that serve already: they have an event loop (epoll)."""
    family = {site.process.pid, *children(site.process.pid)}
    return {pid for pid in family if any("eventpoll" in name for name in open_files(pid))}


def open_files(pid: int) -> list[str]:
    try:
        return [str(file.readlink()) for file in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return []


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def is_free(address: str) -> bool:
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", urlsplit(address).port)) != 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_all_processes_end_with_the_first(tmp_path, site, site_data, how):
    ending = TwoProcesses(tmp_path, site_data)
    address, others = ending.start(), children(ending.process.pid)
    ending.stop(how)
    wait_until(lambda: all(map(is_gone, others)) and is_free(address))


def test_a_process_that_dies_is_restarted(two_processes):
    [other] = children(two_processes.process.pid)
    os.kill(other, signal.SIGKILL)
    wait_until(lambda: is_gone(other) and len(listening(two_processes)) == 2)


@pytest.mark.parametrize("slug", all_rules())
def test_a_game_is_played_at_both_processes_in_turn(two_processes, slug):
    table, rng = (
        ResilientGame(two_processes.address, two_processes.data, all_rules()[slug]),
        Random(1),
    )
    family = sorted(listening(two_processes))
    while table.position.to_move() and table.ply < 12:
        os.kill(family[0], signal.SIGSTOP)
        table.play(rng)
        os.kill(family[0], signal.SIGCONT)
        family.reverse()
    assert f'data-ply="{table.ply}"' in table.browser.get(table.path).text


def listening_inodes(address: str) -> set[str]:
    """Return the sockets that listen at the port of an address, named as in /proc."""
    port = urlsplit(address).port or 0
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {f"socket:[{f[9]}]" for f in lines if f[1].endswith(f":{port:04X}") and f[3] == "0A"}


def runs(pid: int, command: str) -> bool:
    try:
        return command.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


@pytest.fixture
def site_with_computers(tmp_path: Path, site: str, site_data: Path) -> Iterator[Any]:
    """Run a site of two serving processes and one for the computer players."""
    share_static(tmp_path, site_data)
    running: Any = Site(tmp_path, "--computers", "1", "--processes", "2")
    running.address = running.start()
    yield running
    running.stop()


def child_processes(site: Site) -> list[int]:
    """Wait for all child processes of a site, and return them."""
    family: list[int] = []

    def all_started() -> bool:
        family[:] = children(site.process.pid)
        return all(
            any(runs(pid, name) for pid in family) for name in ("run_computers", "serve_worker")
        )

    wait_until(all_started)
    return family


def test_a_stopped_site_ends_after_all_its_processes(site_with_computers):
    family = child_processes(site_with_computers)
    site_with_computers.stop()
    assert site_with_computers.process.returncode == 0
    assert all(map(is_gone, family))


def test_only_serving_processes_hold_the_listeners(site_with_computers):
    # A process that holds a listener without serving it would leave connections unanswered.
    family = child_processes(site_with_computers)
    listeners = listening_inodes(site_with_computers.address)
    holders = [pid for pid in family if not listeners.isdisjoint(open_files(pid))]
    assert [runs(pid, "serve_worker") for pid in holders] == [True]
