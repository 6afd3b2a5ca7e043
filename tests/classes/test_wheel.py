"""The wheel of the command, installed where there is nothing else, and the document about it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from games.classes.recording import all_exercises
from scripts.sources import ROOT
from tests.support.documents import section, table_rows
from tests.support.pupils import EXERCISES, all_faults, planted, pupil_path

pytestmark = [pytest.mark.processes, pytest.mark.django_db]
GUIDE = "docs/classes.md"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a Python with nothing but the wheel of the site."""
    folder = tmp_path_factory.mktemp("wheel")
    address = reverse("classes_wheel")
    wheel = folder / address.rpartition("/")[2]
    wheel.write_bytes(Client().get(address).content)
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index"]
    subprocess.run([*pip, wheel], check=True)
    return python


def command(python: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-m", "games.classes", *arguments],
        cwd=python.parent,
        capture_output=True,
        text=True,
    )


def test_the_wheel_judges_without_django(python: Path, tmp_path: Path) -> None:
    assert subprocess.run([python, "-c", "import django"], capture_output=True).returncode == 1
    for exercise in EXERCISES:
        done = command(python, exercise, pupil_path(exercise), "--seed", "5")
        assert done.stdout.startswith("Right"), done
    fault = all_faults()[0]
    wrong = tmp_path / "wrong.py"
    wrong.write_text(planted(fault))
    done = command(python, fault.exercise, wrong)
    assert done.returncode == 1
    assert "differ" in done.stdout


def test_the_classes_of_the_games_are_in_the_wheel(python: Path) -> None:
    classes = [exercise.reference for _rules, exercise in all_exercises() if exercise.reference]
    for found in classes:
        package = found.__module__.rpartition(".")[0]
        line = f"from {package} import {found.__name__}"
        subprocess.run([python, "-c", line], cwd=python.parent, check=True)


def test_the_wheel_of_a_release_is_that_of_the_site(tmp_path: Path) -> None:
    make = [sys.executable, "-m", "games.classes.wheel", tmp_path]
    subprocess.run(make, cwd=ROOT, check=True, capture_output=True)
    address = reverse("classes_wheel")
    assert (tmp_path / address.rpartition("/")[2]).read_bytes() == Client().get(address).content


def test_every_page_of_an_exercise_has_the_address_of_the_wheel() -> None:
    for exercise in EXERCISES:
        page = Client().get(reverse("exercise", args=[exercise])).text
        assert f"pip install http://testserver{reverse('classes_wheel')}" in page


def test_the_guide_names_the_verdicts_options_and_fields(python: Path) -> None:
    source = (ROOT / "games" / "classes" / "__main__.py").read_text()
    verdicts = {row[0].strip("`") for row in table_rows(section(GUIDE, "What a verdict means"))}
    assert verdicts == {"right", "different", "stopped", "unusable"}
    assert all(f'"{verdict}"' in source for verdict in verdicts)
    help_text = command(python, "--help").stdout
    rows = table_rows(section(GUIDE, "The command"))
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row[0])}
    options = {name for name in named if name.startswith("--")}
    assert options == set(re.findall(r"--[a-z]+", help_text)) - {"--help"}
    line = command(python, EXERCISES[0], "missing.py", "--json").stdout
    assert named - options == set(json.loads(line))
