"""Adding a game is adding a folder.

In a copy of the repository, the folder of a game is copied under a new name, and so is the game of
docs/new-game.md, which is unlike the others. Every general test of games must find it there and
pass.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.core.registry import all_rules
from tests.support.repeats import SOAK

pytestmark = pytest.mark.processes

ROOT = Path(__file__).resolve().parents[2]
NEW = "fifth"
# The large games take half a minute without finding more; SOAK=1 copies them too.
COPIED = list(all_rules()) if SOAK else list(all_rules())[1::2]
CONTRACT = [
    "contract/test_contract.py",
    "contract/test_views_and_steps.py",
    "contract/test_moves.py",
    "contract/test_setup.py",
    "contract/test_broken_games.py",
    "contract/test_game_folders.py",
    "contract/test_style_sheets.py",
    "views/test_every_game.py",
]
PAGES = [
    "presentation/test_half_chosen_moves.py",
    "live/test_boards.py",
    "views/lobby/test_new_game.py",
    "views/test_pages.py",
    "views/lobby/test_invitations.py",
    "views/lobby/test_open_seats.py",
    "views/lobby/test_shared_seats.py",
]
DOCUMENT = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
FILE = re.compile(r"^### `games/(\S+)`\n.*?^```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)


def copy_site(target: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("boardsite", "games", "scripts", "static", "templates", "tests"):
        shutil.copytree(ROOT / name, target / name, ignore=ignored)
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / name, target / name)


def add_game(games: Path, slug: str) -> None:
    """Copy the folder of a game, with the new name wherever the old one stood."""
    shutil.copytree(games / slug, games / NEW)
    for path in sorted((games / NEW).rglob("*"), reverse=True):
        if path.suffix in {".py", ".html", ".jinja", ".css", ".js", ".po"}:
            path.write_text(path.read_text(encoding="utf-8").replace(slug, NEW), encoding="utf-8")
        if path.name == slug:
            path.rename(path.with_name(NEW))


def add_game_of_the_document(games: Path) -> str:
    """Write the files of the document, and return the slug of its game."""
    files = FILE.findall(DOCUMENT)
    for name, content in files:
        path = games / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    (slug,) = {name.split("/")[0] for name, _content in files}
    (games / slug / "__init__.py").touch()
    return slug


def run_tests(folder: Path, slug: str, names: list[str], at_least: int) -> None:
    """Run the tests in these files that are about the one game, in the copy of the repository."""
    tests = [f"tests/{name}" for name in names]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", slug, *tests]
    # Hypothesis takes seconds to make its table of all characters: share it.
    own = os.environ | {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}
    run = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    passed = re.search(r"(\d+) passed", run.stdout)
    assert passed is not None
    assert int(passed[1]) > at_least


@pytest.mark.parametrize("slug", COPIED)
def test_a_copied_folder_is_another_game(slug: str, tmp_path: Path) -> None:
    copy_site(tmp_path)
    add_game(tmp_path / "games", slug)
    run_tests(tmp_path, NEW, CONTRACT, 50)


def test_the_game_in_the_document_is_another_game(tmp_path: Path) -> None:
    copy_site(tmp_path)
    slug = add_game_of_the_document(tmp_path / "games")
    run_tests(tmp_path, slug, CONTRACT + PAGES, 100)


def test_the_game_of_the_document_is_linted_and_formatted(tmp_path: Path) -> None:
    copy_site(tmp_path)
    folder = f"games/{add_game_of_the_document(tmp_path / 'games')}"
    for how in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *how, "--no-cache", folder]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
