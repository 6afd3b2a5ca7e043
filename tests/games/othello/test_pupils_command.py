"""The command that compares a pupil's file, with files that differ."""

from __future__ import annotations

from pathlib import Path

from tests.support.pupils import all_faults, command, planted

FAULT = {fault.name: fault for fault in all_faults()}


def test_a_program_is_run_on_its_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "my_othello.py"
    path.write_text(planted(FAULT["counts swapped"]))
    done = command("othello", path)
    assert done.returncode == 1
    assert "should be “4:1”" in done.stdout
