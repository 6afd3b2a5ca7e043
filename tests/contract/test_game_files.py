"""A game's folder has all the files that the site needs, or the system check names the
missing one.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.core.checks import run_checks

import games
from games.core.registry import all_rules
from games.management.checks import FILES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with copies of the games' files."""
    for slug in all_rules():
        for name in FILES:
            path = f"{slug}/{name.format(slug=slug)}"
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(games.__path__[0]) / path, tmp_path / path)
    monkeypatch.setattr(games, "__path__", [str(tmp_path)])
    return tmp_path


def test_every_game_has_the_files_that_a_game_must_have() -> None:
    assert run_checks(tags=["games"]) == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("slug", all_rules())
def test_a_file_that_a_game_lacks_is_named(folder: Path, slug: str, name: str) -> None:
    path = f"{slug}/{name.format(slug=slug)}"
    (folder / path).unlink()
    (fault,) = run_checks(tags=["games"])
    assert fault.msg.startswith(f"games/{path} is missing")
