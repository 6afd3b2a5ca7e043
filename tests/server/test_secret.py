"""The secret key that an installation creates for itself."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured

from boardsite.environment import parse_database_url
from boardsite.secret import NAME, is_in_use
from boardsite.secret import stored_secret as stored_secret_beside
from scripts.services import find_postgres, postgres
from tests.support.servers.site_process import ROOT, environment


def run(data: Path, *arguments: str, **added: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the site on a data folder."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(data, **added),
        capture_output=True,
        text=True,
        check=False,
    )


def stored_secret(folder: Path, *, in_use: bool = False) -> str:
    return stored_secret_beside(folder, lambda: in_use)


def test_the_key_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    folder, other = tmp_path / "new", tmp_path / "other"
    folder.mkdir(), other.mkdir()
    assert stored_secret(folder) == stored_secret(folder) != stored_secret(other)
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600
    assert os.listdir(folder) == [NAME]


def test_a_key_that_could_not_be_written_is_created_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(ImproperlyConfigured, match="no space"):
            stored_secret(tmp_path)
    assert os.listdir(tmp_path) == []
    assert stored_secret(tmp_path)


def test_concurrent_starts_share_the_key_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(made: str, path: Path) -> None:
        with monkeypatch.context() as first:
            first.setattr(os, "link", own)
            found.append(stored_secret(tmp_path))
        own(made, path)

    own, found = os.link, list[str]()
    monkeypatch.setattr(os, "link", link)
    assert [stored_secret(tmp_path)] == found


def test_an_empty_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).touch()
    with pytest.raises(ImproperlyConfigured, match="is empty"):
        stored_secret(tmp_path)


def test_a_missing_key_is_not_replaced_beside_a_database_in_use(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="secret key is missing"):
        stored_secret(tmp_path, in_use=True)
    assert os.listdir(tmp_path) == []
    key = stored_secret(tmp_path)
    assert stored_secret(tmp_path, in_use=True) == key


def test_an_sqlite_database_is_in_use_once_it_has_players(tmp_path: Path) -> None:
    file = tmp_path / "boardsite.sqlite3"
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}
    assert not is_in_use(database)
    file.touch()
    assert not is_in_use(database)
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE games_player (id)")
        assert not is_in_use(database)
        connection.execute("INSERT INTO games_player VALUES (1)")
        connection.commit()
    assert is_in_use(database)


@pytest.mark.skipif(find_postgres() is None, reason="PostgreSQL is not installed")
def test_a_postgresql_database_is_in_use_once_it_has_players() -> None:
    with postgres() as (url, server):
        database = parse_database_url(url)
        assert not is_in_use(database)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE games_player (id int)")
            assert not is_in_use(database)
            connection.execute("INSERT INTO games_player VALUES (1)")
        assert is_in_use(database)
        server.stop()
        with pytest.raises(ImproperlyConfigured, match="does not answer"):
            is_in_use(database)


def test_a_site_whose_key_is_lost_does_not_start(tmp_path: Path) -> None:
    assert run(tmp_path, "migrate", "--verbosity", "0").returncode == 0
    make_player = "from games.models import Player; Player.objects.create()"
    assert run(tmp_path, "shell", "-c", make_player).returncode == 0
    (tmp_path / NAME).unlink()
    refused = run(tmp_path, "serve", "--port", "0")
    assert refused.returncode == 1
    assert "The site cannot start: The secret key is missing" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_read_only_data_folder_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    mounting = ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "none", str(tmp_path)]
    if os.geteuid() or subprocess.run(mounting, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount a read-only folder")
    try:
        known = run(tmp_path, "serve", "--port", "0", BOARDSITE_SECRET="s" * 50)
        unknown = run(tmp_path, "serve", "--port", "0")
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
    assert "cannot be written (Read-only file system)" in known.stderr
    assert "The secret key cannot be stored" in unknown.stderr
    assert "Traceback" not in known.stderr + unknown.stderr
