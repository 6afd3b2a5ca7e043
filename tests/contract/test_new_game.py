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
# The others take half a minute each without finding more; SOAK=1 copies them too.
COPIED = list(all_rules()) if SOAK else list(all_rules())[1:2]
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
ALL = ["", "--ignore=tests/games", "--ignore-glob=*/browser", "--ignore-glob=*/ops"]
DOCUMENT = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
FOLDERS = ("boardsite", "docs", "games", "locale", "scripts", "static", "templates", "tests")
LONGEST = 12_000
"""Bytes of the document: the reading of a quarter of an hour."""
FILE = re.compile(r"^### `games/(\S+)`\n.*?^```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)


def copy_site(target: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, target / name, ignore=ignored)
    for name in ("biome.jsonc", "manage.py", "pyproject.toml"):
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
    tests = [name if name.startswith("-") else f"tests/{name}" for name in names]
    marks = ["-m", "not processes and not browser"]
    # Hypothesis takes seconds to make its table of all characters: share it.
    own = {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}
    printed = run(
        folder, "pytest", "-q", "-p", "no:cacheprovider", "-k", slug, *marks, *tests, **own
    )
    passed = re.search(r"(\d+) passed", printed)
    assert passed is not None
    assert int(passed[1]) > at_least


def run(folder: Path, *arguments: str, **variables: str) -> str:
    """Run a module in the copy, and return the output."""
    command = [sys.executable, "-m", *arguments]
    own = os.environ | variables
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("slug", COPIED)
def test_a_copied_folder_is_another_game(slug: str, tmp_path: Path) -> None:
    copy_site(tmp_path)
    add_game(tmp_path / "games", slug)
    run_tests(tmp_path, NEW, CONTRACT, 50)


def test_the_game_in_the_document_is_another_game(tmp_path: Path) -> None:
    copy_site(tmp_path)
    slug = add_game_of_the_document(tmp_path / "games")
    run(tmp_path, "scripts.save_games", DJANGO_SETTINGS_MODULE="tests.settings")
    run_tests(tmp_path, slug, ALL, 200)


def test_the_game_of_the_document_is_linted_and_formatted(tmp_path: Path) -> None:
    copy_site(tmp_path)
    folder = f"games/{add_game_of_the_document(tmp_path / 'games')}"
    run(tmp_path, "ruff", "check", "--no-cache", folder)
    run(tmp_path, "ruff", "format", "--check", "--no-cache", folder)
    run(tmp_path, "djlint", "--quiet", "--lint", "--extension=jinja", "--profile=jinja", folder)
    assert run_biome(tmp_path, folder) == ""


def run_biome(folder: Path, path: str) -> str:
    """Return the faults that Biome finds in a folder of the copy."""
    # The copy links to the Biome that this installs.
    subprocess.run([ROOT / "scripts" / "biome", "--version"], check=True, capture_output=True)
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    command = ["node_modules/.bin/biome", "ci", "--colors=off", "--error-on-warnings", path]
    program = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=folder, env=program, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def test_the_document_is_read_in_a_quarter_of_an_hour() -> None:
    assert len(DOCUMENT.encode()) <= LONGEST
