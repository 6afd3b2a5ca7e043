"""The release before runs on the database of today, so that hosts can go back."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from games.core.registry import all_rules
from tests.ops.test_migrations import SECRET
from tests.ops.test_migrations import new_database as new_database
from tests.support import older_site
from tests.support.servers.site_process import ROOT

RELEASE = "2d49e3aeeec9a7d1b08ba6445bcba5c0b9c941f7"
"""The commit of version 1.0.0, named so that a clone without tags finds it."""
KEEP = ("EMPTY_GAMES", "RUNNING_GAMES", "FINISHED_GAMES", "PLAYERS")


CALL_OFF = """
import django; django.setup()
from games.services.play import play_for_site
from games.state.snapshot import locked
from tests.support.game_factory import make_game
from tests.support.players import new_person
with locked(make_game(new_person("Olive")).pk) as snapshot:
    play_for_site(snapshot, min(snapshot.standing.to_move), "void")
"""
"""Calls a game off, by a move that the release before does not know."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the release before, taken from the history of a full clone."""
    archived = subprocess.run(
        ["git", "archive", RELEASE], cwd=ROOT, capture_output=True, check=False
    )
    if archived.returncode:
        pytest.skip(f"the history has no commit {RELEASE[:10]}: {archived.stderr.decode()}")
    folder = tmp_path_factory.mktemp("release")
    with tarfile.open(fileobj=io.BytesIO(archived.stdout)) as files:
        files.extractall(folder, filter="data")
    # Its pages are used in the way of today, which its own tests may not know.
    shutil.copy(ROOT / "tests/support/filled_site.py", folder / "tests/support")
    return folder


def test_the_release_before_writes_and_removes_everything_in_the_database_of_today(
    new_database, release: Path, tmp_path: Path
) -> None:
    database = new_database()
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    database.run("-m", "tests.support.old_database", "today", "--fill", **settings)
    database.run("-c", CALL_OFF, **settings)
    older = run_in(release, database, Path(older_site.__file__).read_text())
    assert older.returncode == 0, older.stderr[-3_000:]
    assert set(older.stdout.split()) == {*all_rules(), "void"}
    assert database.verified_games()


def run_in(folder: Path, database, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program of an older version on a database."""
    kept = {f"BOARDSITE_KEEP_{name}": "1" for name in KEEP}
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "BOARDSITE_RATE_LIMITS": "0"}
    settings["BOARDSITE_SECRET"] = SECRET
    environment = {**os.environ, **kept, **settings, "DATABASE_URL": database.url}
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
