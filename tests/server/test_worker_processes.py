"""`serve --processes`: several processes answer at one address, and end together."""

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

from games.registry import all_rules
from tests.support.resilient_play import ResilientGame
from tests.support.site_process import Site, share_static

PATIENCE = 30.0


class Both(Site):
    """A site of two processes, whose start ends when both answer."""

    def __init__(self, data: Path, of: Path) -> None:
        share_static(data, of)
        self.data = data
        super().__init__(data, "--thinkers", "0", "--processes", "2", BOARDSITE_RATE_LIMITS="0")

    def start(self) -> str:
        self.address = super().start()
        until(lambda: len(listening(self)) == 2)
        return self.address


@pytest.fixture(scope="module")
def both(tmp_path_factory, site: str, site_data: Path) -> Iterator[Both]:
    running = Both(tmp_path_factory.mktemp("both"), site_data)
    running.start()
    yield running
    running.stop()


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError(true)
        time.sleep(0.05)


def listening(site: Site) -> set[int]:
    """The processes of a site that have begun to answer: they wait for what happens (epoll)."""
    family = {site.process.pid, *children(site.process.pid)}
    return {pid for pid in family if any("eventpoll" in name for name in open_files(pid))}


def children(parent: int) -> set[int]:
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.add(int(stat.parent.name))
    return found


def open_files(pid: int) -> list[str]:
    try:
        return [str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()]
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
    ending = Both(tmp_path, site_data)
    address, others = ending.start(), children(ending.process.pid)
    ending.stop(how)
    until(lambda: all(map(is_gone, others)) and is_free(address))


def test_a_process_that_dies_is_started_again(both):
    [other] = children(both.process.pid)
    os.kill(other, signal.SIGKILL)
    until(lambda: is_gone(other) and len(listening(both)) == 2)


@pytest.mark.parametrize("slug", all_rules())
def test_a_game_is_played_at_both_in_turn(both, slug):
    table, rng = ResilientGame(both.address, both.data, all_rules()[slug]), Random(1)
    family = sorted(listening(both))
    while table.position.to_move() and table.ply < 12:
        os.kill(family[0], signal.SIGSTOP)
        table.play(rng)
        os.kill(family[0], signal.SIGCONT)
        family.reverse()
    assert f'data-ply="{table.ply}"' in table.browser.get(table.path).text


def inodes_listening(address: str) -> set[str]:
    """The sockets that listen at the port of an address, as links of /proc name them."""
    port = urlsplit(address).port or 0
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {f"socket:[{f[9]}]" for f in lines if f[1].endswith(f":{port:04X}") and f[3] == "0A"}


def runs(pid: int, command: str) -> bool:
    try:
        return command.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


@pytest.fixture
def thinking(tmp_path: Path, site: str, site_data: Path) -> Iterator[Any]:
    """A site of two processes that answer and one that thinks."""
    share_static(tmp_path, site_data)
    running: Any = Site(tmp_path, "--thinkers", "1", "--processes", "2")
    running.address = running.start()
    yield running
    running.stop()


def all_that_run(site: Site) -> list[int]:
    """The other processes of a site, once each is there."""
    family: list[int] = []

    def all_run() -> bool:
        family[:] = children(site.process.pid)
        return all(
            any(runs(pid, name) for pid in family) for name in ("run_computers", "serve_worker")
        )

    until(all_run)
    return family


def test_a_site_that_is_told_to_stop_ends_when_all_its_processes_have(thinking):
    family = all_that_run(thinking)
    thinking.stop()
    assert thinking.process.returncode == 0
    assert all(map(is_gone, family))


def test_only_processes_that_answer_keep_the_port_open(thinking):
    # Another one would hold it while it ends: connections would come in that nobody answers.
    family = all_that_run(thinking)
    doors = inodes_listening(thinking.address)
    holders = [pid for pid in family if not doors.isdisjoint(open_files(pid))]
    assert [runs(pid, "serve_worker") for pid in holders] == [True]
