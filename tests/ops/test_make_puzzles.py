"""Making puzzles: a run that is stopped says so, and a later one goes on from there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.kinds import two_player_rules

PATIENCE = 60
"""Seconds for the first game."""


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Let child processes heed the interrupt, which a shell in the background lets them ignore."""
    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, ignored)


def start(folder: Path, count: int) -> subprocess.Popen[str]:
    """Start to make puzzles, with the state in a folder."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "manage.py", "make_puzzles", two_player_rules().slug]
    return subprocess.Popen(
        [*command, "--count", str(count), "--output", str(folder / "puzzles.jsonl")],
        env=os.environ
        | {"BOARDSITE_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "boardsite.settings"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_a_game(folder: Path) -> None:
    """Wait until a run has saved its first game."""
    until = time.monotonic() + PATIENCE
    while not list(folder.glob("puzzles-*.jsonl")):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_stopped_run_goes_on_and_makes_the_same_file(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    start(whole, 2).communicate()
    interrupted = start(stopped, 500)
    wait_for_a_game(stopped)
    interrupted.send_signal(signal.SIGINT)
    assert "The next run goes on from here." in interrupted.communicate()[1]
    assert interrupted.returncode == 1
    assert not (stopped / "puzzles.jsonl").exists()
    start(stopped, 2).communicate()
    assert (stopped / "puzzles.jsonl").read_bytes() == (whole / "puzzles.jsonl").read_bytes()
