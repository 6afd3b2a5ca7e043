"""The commands of the repository name missing and wrong requirements."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import chromium

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "dirname", "make", "cmp", "sed", "expand", "env")

OLD = """#!/bin/sh
case $1 in
  --version) echo "Python 3.9.2" ;;
  *) exit 1 ;;
esac
"""
WITHOUT_VENV = """#!/bin/sh
case $2 in
  *"import venv"*) echo "No module named 'ensurepip'" >&2; exit 1 ;;
  *) exit 0 ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Make a machine with the repository's commands and little more than a shell and make."""
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found, f"{tool} is needed for this test"
        (tmp_path / "bin" / tool).symlink_to(found)
    shutil.copytree(ROOT / "scripts", tmp_path / "site" / "scripts")
    for path in [ROOT / "Makefile", *ROOT.glob("requirements*.lock")]:
        shutil.copy(path, tmp_path / "site")
    return tmp_path


def add_python(machine: Path, source: str) -> None:
    program = machine / "bin" / "python3"
    program.write_text(source)
    program.chmod(0o755)


def make(machine: Path, target: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", target],
        cwd=machine / "site",
        env={"PATH": str(machine / "bin")},
        capture_output=True,
        text=True,
    )


def refusal(machine: Path, target: str) -> str:
    """Return the sentence with which a command stops before it has changed anything."""
    run = make(machine, target)
    assert run.returncode != 0
    assert run.stdout == ""
    assert not (machine / "site" / ".venv").exists()
    sentence, *rest = run.stderr.splitlines()
    assert all(line.startswith("make: ***") for line in rest)
    return sentence


@pytest.mark.parametrize("target", ["play", "test", "check", "bench", "admin"])
def test_every_command_names_a_missing_python(machine: Path, target: str) -> None:
    assert refusal(machine, target).startswith("Python 3.11 or newer is needed, and there is no")


@pytest.mark.parametrize("target", ["play", "test"])
def test_an_old_python_is_named_with_its_version(machine: Path, target: str) -> None:
    add_python(machine, OLD)
    sentence = "Python 3.11 or newer is needed; python3 is Python 3.9.2."
    assert refusal(machine, target).startswith(sentence)


def test_a_python_without_venv_is_named_with_its_package(machine: Path) -> None:
    add_python(machine, WITHOUT_VENV)
    assert "python3-venv" in refusal(machine, "play")


def test_help_lists_every_command(machine: Path) -> None:
    targets = [line.split()[0] for line in make(machine, "help").stdout.splitlines()]
    assert {"play", "admin", "test", "check", "bench", "messages", "lock"} <= set(targets)


def test_the_variable_chromium_names_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "browser"
    program.touch(0o755)
    monkeypatch.setenv("CHROMIUM", str(program))
    assert chromium.find() == str(program)


def test_a_missing_browser_in_the_variable_chromium_is_an_error(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "scripts.chromium"],
        cwd=ROOT,
        env={**os.environ, "CHROMIUM": str(tmp_path / "nothing")},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "nothing, which is not a program" in run.stderr


FORBIDDEN = [
    ("{game}/engine.py", "import django", "games.{game}.engine imports django"),
    ("{game}/rules.py", "import games.models", "games.{game}.rules imports games.models"),
    ("{game}/rules.py", "import {other}", "games.{game}.rules imports {other}"),
    ("core/registry.py", "import {other}", "games.core.registry imports {other}"),
]
"""Files, lines for them, and the findings in these."""


def test_every_forbidden_import_is_found(tmp_path: Path) -> None:
    from games.core.registry import all_rules

    game, other = list(all_rules())[:2]
    names = {"game": game, "other": f"games.{other}.engine"}
    for name in ("games", "boardsite", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.svg"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file, line, _broken in FORBIDDEN:
        with (tmp_path / "games" / file.format(**names)).open("a") as source:
            source.write(f"\n{line.format(**names)}\n")
    program = "from importlinter.cli import lint_imports_command as lint; lint()"
    command = [sys.executable, "-c", program, "--no-cache", "--no-logo"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1
    expected = [broken.format(**names) for *_import, broken in FORBIDDEN]
    assert [broken for broken in expected if broken not in run.stdout] == []
