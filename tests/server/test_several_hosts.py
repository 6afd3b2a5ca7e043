"""Processes that start together on one database: one migrates, the others wait."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.services import find_postgres, postgres
from tests.support.servers.http_client import HTTPClient
from tests.support.servers.site_process import ROOT, Site, environment, share_static

pytestmark = pytest.mark.services

HOSTS = 3
OLD = "0.1"
SECRET = "s" * 50


@pytest.fixture(params=["sqlite", "postgresql"])
def hosts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[Path, dict[str, str]]]:
    """Return the data folders of the hosts and their environment: one folder with SQLite, which
    processes of one machine share, and one for each host with PostgreSQL."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'old.sqlite3'}"
        yield {tmp_path: {"DATABASE_URL": url, "BOARDSITE_SECRET": SECRET}}
        return
    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as (url, _):
        variables = {"DATABASE_URL": url, "BOARDSITE_SECRET": SECRET}
        yield {tmp_path / str(number): variables for number in range(HOSTS)}


def run(data: Path, variables: dict[str, str], *arguments: str) -> str:
    """Run a Python program on the database of a host and return its output."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment(data, **variables),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_hosts_that_start_together_on_an_old_database_migrate_it_once(
    hosts: dict[Path, dict[str, str]], site: str, site_data: Path
) -> None:
    for data in hosts:
        data.mkdir(exist_ok=True)
        share_static(data, site_data)
    first, variables = next(iter(hosts.items()))
    games = run(first, variables, "-m", "tests.support.old_database", OLD).split()
    folders = (list(hosts) * HOSTS)[:HOSTS]
    sites = [Site(data, "--computers", "0", **variables) for data in folders]
    try:
        clients = [HTTPClient(address) for address in Site.start_together(sites)]
        for client in clients:
            assert {client.get(f"/g/{game}/").status for game in games} == {200}
        assert not any("Traceback" in started.log() for started in sites)
    finally:
        for started in sites:
            started.stop()
    assert f"{len(games)} games" in run(first, variables, "manage.py", "verify_games")
    shown = run(first, variables, "manage.py", "showmigrations", "--plan")
    assert "[ ]" not in shown
