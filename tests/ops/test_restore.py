"""After the disk is lost the players have their games back, and their seats in them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.site_process import ROOT

# Stands in for Litestream: copies the whole database again and again.
COPIER = f"""#!{sys.executable}
import os, pathlib, sqlite3, sys, time, urllib.parse

data = pathlib.Path(os.environ["BOARDSITE_DATA"], "boardsite.sqlite3")
replica = pathlib.Path(urllib.parse.urlsplit(os.environ["BOARDSITE_REPLICA"]).path)
replica.mkdir(exist_ok=True)
copy, whole = replica / "copy", replica / "whole"
if sys.argv[1] == "restore":
    data.write_bytes(whole.read_bytes())
while sys.argv[1] == "replicate":
    with sqlite3.connect(data) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    target.close()
    copy.rename(whole)
    time.sleep(0.2)
"""


def drill(program: Path, **given: str) -> str:
    """What the drill says."""
    own = {"BOARDSITE_DATA", "BOARDSITE_SECRET", "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "restore_drill.py", "--litestream", program],
        env={name: value for name, value in os.environ.items() if name not in own} | given,
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


def test_the_drill_loses_all_data_and_a_player_still_has_the_seat(tmp_path: Path) -> None:
    program, own = tmp_path / "litestream", tmp_path / "own.sqlite3"
    program.write_text(COPIER)
    program.chmod(0o755)
    said = drill(program, DATABASE_URL=f"sqlite:///{own}")
    assert "integrity: ok" in said
    assert "A player still has the seat." in said
    # Where the site's own database is not the one in its data folder.
    assert not own.exists()


def test_without_litestream_the_drill_says_what_it_needs(tmp_path: Path) -> None:
    program = tmp_path / "litestream"
    told = f"There is no {program} here: install Litestream, or tell where it is.\n"
    assert drill(program) == told


def filled_in(folder: Path) -> str:
    """The secret that /etc/boardsite.env holds after the commands of docs/hosting.md."""
    settings = folder / "boardsite.env"
    shutil.copy(ROOT / "deploy" / "boardsite.env", settings)
    lines = re.findall(r"^    (sed .*)$", (ROOT / "docs" / "hosting.md").read_text(), re.MULTILINE)
    for line in lines * 2:
        command = line.replace("/etc/boardsite.env", str(settings))
        subprocess.run(["sh", "-c", command], check=True)
    found = re.findall(r"^BOARDSITE_SECRET=(.*)$", settings.read_text(), re.MULTILINE)
    assert len(found) == 1
    return found[0]


@pytest.mark.skipif(not shutil.which("openssl"), reason="the installation has openssl")
def test_an_installation_is_given_a_secret_that_is_not_in_the_data(tmp_path: Path) -> None:
    # The commands were given twice: the first secret stays.
    assert re.fullmatch(r"[0-9a-f]{64}", filled_in(tmp_path))


def test_in_compose_the_secret_is_given_too() -> None:
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    assert "BOARDSITE_SECRET: ${BOARDSITE_SECRET:?}" in compose


def test_the_password_of_the_database_is_made_so_that_it_can_stand_in_an_address() -> None:
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    assert "letters and digits" in compose
    assert 'POSTGRES_PASSWORD=$(openssl rand -hex 24)"' in compose
