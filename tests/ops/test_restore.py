"""After a lost disk the games are restored, and players still hold their seats."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.services import find_postgres, postgres
from tests.support.servers.deployment import read_deploy
from tests.support.servers.site_process import ROOT

pytestmark = pytest.mark.services

# A stand-in for Litestream, which copies the whole database again and again.
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


def run_drill(program: Path, **variables: str) -> str:
    """Run the drill and return its output."""
    unset = {"BOARDSITE_DATA", "BOARDSITE_SECRET", "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "restore_drill.py", "--litestream", program],
        env={name: value for name, value in os.environ.items() if name not in unset} | variables,
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


def test_the_drill_loses_all_data_and_a_player_keeps_the_seat(tmp_path: Path) -> None:
    program, own = tmp_path / "litestream", tmp_path / "own.sqlite3"
    program.write_text(COPIER)
    program.chmod(0o755)
    output = run_drill(program, DATABASE_URL=f"sqlite:///{own}")
    assert "integrity: ok" in output
    assert "A player still has the seat." in output
    # The drill did not use the database of the site.
    assert not own.exists()


@pytest.mark.services
@pytest.mark.skipif(not shutil.which("pg_dump"), reason="there is no pg_dump")
@pytest.mark.skipif(find_postgres() is None, reason="there is no PostgreSQL")
def test_the_drill_drops_a_database_of_postgresql_and_restores_it(tmp_path: Path) -> None:
    with postgres() as (url, _):
        done = subprocess.run(
            [sys.executable, ROOT / "deploy" / "restore_drill.py", "--postgres", url],
            capture_output=True,
            text=True,
        )
    assert "A player still has the seat." in done.stdout, done.stderr
    assert " 0 faults" in done.stdout
    assert done.returncode == 0


def test_without_litestream_the_drill_stops_with_a_sentence(tmp_path: Path) -> None:
    program = tmp_path / "litestream"
    sentence = f"There is no {program} here: install Litestream, or pass --litestream.\n"
    assert run_drill(program) == sentence


def install_secret(folder: Path) -> str:
    """Return the secret in /etc/boardsite.env after the commands of docs/hosting.md, run twice."""
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
def test_the_installation_creates_a_secret_outside_the_data(tmp_path: Path) -> None:
    # A second run keeps the first secret.
    assert re.fullmatch(r"[0-9a-f]{64}", install_secret(tmp_path))


def test_compose_demands_a_secret() -> None:
    compose = read_deploy("compose.yaml")
    assert "BOARDSITE_SECRET: ${BOARDSITE_SECRET:?}" in compose


def test_the_database_password_in_compose_fits_into_a_url() -> None:
    compose = read_deploy("compose.yaml")
    assert "letters and digits" in compose
    assert 'POSTGRES_PASSWORD=$(openssl rand -hex 24)"' in compose


def test_the_replica_is_described_as_a_url() -> None:
    # Without a scheme Litestream stops with "replica url scheme required".
    comment = " ".join(read_deploy("litestream.yml").replace("\n#", " ").split())
    assert re.search(r"BOARDSITE_REPLICA is file:///\S+ on another disk,.* or s3://", comment)


def test_litestream_0_3_and_0_5_find_the_replica() -> None:
    # 0.3 ignores `replica:` without a message and copies nothing; 0.5 reads a list of one too.
    settings = read_deploy("litestream.yml")
    assert re.search(r"^    replicas:\n      - url: ", settings, re.MULTILINE)
    assert not re.search(r"^ *replica:", settings, re.MULTILINE)
