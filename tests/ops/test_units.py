"""The systemd units of deploy/, and the command that works on their data."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from boardsite.server.uvicorn_server import SHUTDOWN_SECONDS
from boardsite.server.wsgi_bridge import BODY_SECONDS
from games.worker.jobs import SECONDS_A_MOVE
from tests.support.servers.deployment import (
    read_deploy,
    read_example_settings,
    read_hosting,
    write_program,
)
from tests.support.servers.http_client import HTTPClient
from tests.support.servers.site_process import Site, share_static

SITE_UNITS = ("boardsite.service", "boardsite-computers.service")
UNITS = (*SITE_UNITS, "litestream.service")


def variables(unit: str) -> dict[str, str]:
    """Return the environment variables of a unit."""
    lines = re.findall(r"^Environment=(.*)", read_deploy(unit), re.MULTILINE)
    return dict(setting.split("=", 1) for line in lines for setting in line.split())


@pytest.mark.parametrize("unit", UNITS)
def test_all_units_use_the_same_data_folder(unit: str) -> None:
    assert variables(unit)["BOARDSITE_DATA"] == variables(UNITS[0])["BOARDSITE_DATA"]


@pytest.mark.parametrize("unit", UNITS)
def test_the_example_settings_name_the_data_of_the_units(unit: str) -> None:
    assert "EnvironmentFile=-/etc/boardsite.env" in read_deploy(unit)
    assert variables(unit).items() <= read_example_settings().items()


@pytest.mark.parametrize("unit", UNITS)
def test_other_users_cannot_read_the_files_of_a_unit(unit: str) -> None:
    assert re.search(r"^UMask=0077$", read_deploy(unit), re.MULTILINE)
    folders, modes = (read_deploy(unit).count(f"\nStateDirectory{part}=") for part in ("", "Mode"))
    assert folders == modes


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_sandboxed(unit: str) -> None:
    lines = read_deploy(unit).splitlines()
    for line in ("CapabilityBoundingSet=", "ProtectSystem=strict", "NoNewPrivileges=yes"):
        assert line in lines
    assert "SystemCallFilter=@system-service" in lines
    # Searches are compiled while the site runs.
    assert ("MemoryDenyWriteExecute=yes" in lines) == (unit not in SITE_UNITS)


def test_litestream_may_write_the_replica_of_the_example_settings() -> None:
    unit = read_deploy("litestream.service")
    written = re.findall(r"^ReadWritePaths=-?(.*)$", unit, re.MULTILINE)
    assert urlsplit(read_example_settings()["BOARDSITE_REPLICA"]).path in written


@pytest.mark.parametrize("unit", UNITS)
def test_a_failing_unit_is_restarted_without_limit(unit: str) -> None:
    before_service = read_deploy(unit).partition("[Service]")[0]
    assert re.search(r"^StartLimitIntervalSec=0$", before_service, re.MULTILINE)
    assert re.search(r"^RestartSec=[1-9]$", read_deploy(unit), re.MULTILINE)


@pytest.mark.parametrize("unit", UNITS)
def test_the_user_of_a_unit_is_created_at_installation(unit: str) -> None:
    user = re.findall(r"^User=(.*)", read_deploy(unit), re.MULTILINE)
    assert user == re.findall(r"useradd --system (\w+)", read_hosting())


@pytest.mark.parametrize("unit", UNITS)
def test_a_stopping_unit_has_time_for_requests_and_searches(unit: str) -> None:
    [seconds] = re.findall(r"^TimeoutStopSec=(\d+)$", read_deploy(unit), re.MULTILINE)
    assert 2 * (SHUTDOWN_SECONDS + SECONDS_A_MOVE) <= int(seconds) < 60


def test_an_incomplete_request_does_not_keep_a_site_from_stopping(
    tmp_path: Path, site: str, site_data: Path
) -> None:
    share_static(tmp_path, site_data)
    stopping = Site(tmp_path, "--computers", "0")
    parts = urlsplit(stopping.start())
    with socket.create_connection((parts.hostname or "", parts.port or 0)) as sender:
        sender.sendall(b"POST /settings/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\na")
        # Once a later request is answered, the incomplete one has been read.
        assert HTTPClient(parts.geturl()).get("/settings/").status == 200
        assert stopping.process is not None
        stopping.process.terminate()
        try:
            assert stopping.process.wait(timeout=BODY_SECONDS / 2) is not None
        finally:
            stopping.process.kill()


def test_deploy_manage_runs_a_command_like_a_unit(tmp_path: Path) -> None:
    (tmp_path / "deploy").mkdir()
    settings = tmp_path / "boardsite.env"
    settings.write_text(read_deploy("boardsite.env") + "DATABASE_URL='postgres://b:x$y&z@db/b'\n")
    manage = tmp_path / "deploy" / "manage"
    write_program(manage, read_deploy("manage").replace("/etc/boardsite.env", str(settings)))
    write_program(tmp_path / "bin" / "runuser", '#!/bin/sh\necho "$1 $2"; shift 3; exec "$@"\n')
    python = '#!/bin/sh\necho "$HOME $BOARDSITE_DATA $DATABASE_URL"; echo "$@"\n'
    write_program(tmp_path / ".venv" / "bin" / "python", python)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    command = [manage, "verify_games", "--x"]
    done = subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, check=True)
    data = read_example_settings()["BOARDSITE_DATA"]
    assert done.stdout.splitlines() == [
        "-u boardsite",
        f"{data} {data} postgres://b:x$y&z@db/b",
        "manage.py verify_games --x",
    ]
