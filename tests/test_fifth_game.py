"""Adding a game is adding a folder: each game's folder is copied under a new name in a copy of
the repository, where every test of games in general must find it and pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.registry import all_rules

ROOT = Path(__file__).resolve().parent.parent
NEW = "fifth"
GENERAL = ["test_contract.py", "test_contract_setup.py", "test_games_on_the_site.py"]


def copy_site(target: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("boardsite", "games", "scripts", "static", "templates"):
        shutil.copytree(ROOT / name, target / name, ignore=ignored)
    (target / "tests").mkdir()
    shared = ["__init__.py", "cast.py", "conftest.py", "playing.py", "serving.py", "settings.py"]
    for name in ["manage.py", "pyproject.toml", *(f"tests/{name}" for name in shared + GENERAL)]:
        shutil.copy(ROOT / name, target / name)


def add_game(games: Path, slug: str) -> None:
    """Copy the folder of a game, with the new name wherever the old one stood."""
    shutil.copytree(games / slug, games / NEW)
    for path in sorted((games / NEW).rglob("*"), reverse=True):
        if path.suffix in {".py", ".html", ".jinja", ".css", ".js", ".po"}:
            path.write_text(path.read_text(encoding="utf-8").replace(slug, NEW), encoding="utf-8")
        if path.name == slug:
            path.rename(path.with_name(NEW))


@pytest.mark.parametrize("slug", all_rules())
def test_a_folder_more_is_a_game_more(slug: str, tmp_path: Path) -> None:
    copy_site(tmp_path)
    add_game(tmp_path / "games", slug)
    tests = [f"tests/{name}" for name in GENERAL]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", NEW, *tests]
    # What Hypothesis knows of all characters takes it seconds to find out.
    own = os.environ | {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}
    run = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    passed = re.search(r"(\d+) passed", run.stdout)
    assert passed is not None
    assert int(passed[1]) > 50
