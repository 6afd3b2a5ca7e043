"""The command that compares a pupil's file, with files that differ."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.support.pupils import all_faults, command, planted, pupil

FAULT = {fault.name: fault for fault in all_faults()}


def test_a_difference_is_shown_as_lines_of_the_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "my_kluizenaar.py"
    path.write_text(planted(FAULT["negative index accepted"]))
    done = command("kluizenaar", path)
    assert done.returncode == 1
    assert ">>> spelbord = Kluizenaar(" in done.stdout
    assert "The board should be:" in done.stdout


def test_modules_that_browsers_lack_work_here(tmp_path: Path) -> None:
    path = tmp_path / "my_hermit.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom enum import Enum\n\n"
        "class Colour(Enum):\n    R = 1\n\n@dataclass\nclass Pair:\n    r: 'int'\n    c: 'int'\n\n"
        + pupil("hermit")
    )
    assert command("hermit", path).returncode == 0


def test_an_endless_loop_is_stopped_and_told(tmp_path: Path) -> None:
    path = tmp_path / "my_hermit.py"
    path.write_text(
        "class Hermit:\n    def __init__(self, n):\n        while True:\n            pass\n"
    )
    # As a shell starts a background job.
    ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        done = command("hermit", path)
    finally:
        signal.signal(signal.SIGINT, ignored)
    assert done.returncode == 1
    assert "longer than 10 seconds" in done.stdout
