"""The command that compares a file on the pupil's own machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pupils import EXERCISES, command, pupil_path


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_right_file_passes_without_django(exercise: str) -> None:
    done = command(exercise, pupil_path(exercise))
    assert done.returncode == 0
    assert done.stdout == "Right: the example of the document and 40 runs.\n"


def test_an_unknown_exercise_is_explained_with_the_known_ones() -> None:
    done = command("ludo", "x.py")
    assert done.returncode == 2
    assert all(exercise in done.stderr for exercise in EXERCISES)


def test_a_missing_file_is_explained(tmp_path: Path) -> None:
    done = command(EXERCISES[0], tmp_path / "missing.py")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
