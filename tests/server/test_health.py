"""The health addresses, as load balancers and monitoring ask them."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.utils import OperationalError
from django.utils import timezone

from games.live import health
from games.live.health import COMPUTER_PATIENCE, FREE_BYTES, failures, queues, warnings
from games.models import Game, Heartbeat
from games.services.verification import note_restore_drill
from scripts.services import Service, find_postgres, find_redis, postgres, redis
from tests.support.game_factory import make_game
from tests.support.players import Person
from tests.support.servers.http_client import HTTPClient
from tests.support.servers.site_process import Site, share_static

pytestmark = pytest.mark.services

BALANCER = {"Host": "10.0.0.7:8000"}


@pytest.mark.parametrize("path", ["/health/", "/health/ready/"])
def test_a_working_site_is_alive_and_ready_under_any_host_name(site: str, path: str) -> None:
    response = HTTPClient(site).get(path, **BALANCER)
    assert response.status == 200
    assert json.loads(response.text)["status"] in {"alive", "ready"}
    assert response.headers["Cache-Control"] == "no-store"


def test_other_addresses_below_are_unknown(site: str) -> None:
    assert HTTPClient(site).get("/health/secrets/").status == 404


@pytest.mark.django_db
def test_a_site_without_faults_has_no_failures_and_no_warnings() -> None:
    assert failures() == {}
    assert warnings() == {}


@pytest.mark.django_db
@pytest.mark.parametrize("late", [True, False])
def test_a_game_that_waits_too_long_for_a_computer_is_a_warning(owner: Person, late: bool) -> None:
    make_waiting(owner, COMPUTER_PATIENCE + timedelta(seconds=5 if late else -30))
    assert ("computers" in warnings()) == late
    assert failures() == {}


@pytest.mark.django_db
@pytest.mark.parametrize("changes", [{"only_computers": True}, {"kind": "removed"}])
def test_nobody_is_warned_of_a_game_that_no_person_waits_for_or_no_computer_can_play(
    owner: Person, changes: dict[str, Any]
) -> None:
    make_waiting(owner, timedelta(hours=1), **changes)
    assert warnings() == {}
    assert queues()["computer_turns", "Games that wait for a computer"] == (
        0 if "kind" in changes else 1
    )


def make_waiting(owner: Person, age: timedelta, **changes: Any) -> None:
    """Store a game that has waited for a computer's move."""
    game, since = make_game(owner), timezone.now() - age
    Game.objects.filter(pk=game.pk).update(computer_to_move=True, updated=since, **changes)


@pytest.mark.django_db
def test_a_disk_without_room_is_a_warning(monkeypatch: Any) -> None:
    usage = shutil.disk_usage("/")._replace(free=FREE_BYTES - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert warnings() == {"disk": "Only 99 MiB are free."}
    assert failures() == {}


@pytest.mark.django_db
def test_a_fault_of_one_part_is_reported_in_one_line(monkeypatch: Any) -> None:
    def fails() -> str:
        raise OperationalError("connection refused\n\tIs the server running?")

    monkeypatch.setattr(health, "CHECKS", {**health.CHECKS, "database": fails})
    assert failures() == {"database": "connection refused"}


@pytest.mark.skipif(find_redis() is None, reason="no Redis is installed")
def test_a_host_without_its_redis_stays_ready_and_warns(
    tmp_path: Path, site: str, site_data: Path
) -> None:
    share_static(tmp_path, site_data)
    with redis() as (url, server):
        host = Site(tmp_path, "--computers", "0", REDIS_URL=url)
        try:
            client = HTTPClient(host.start())
            assert json.loads(client.get("/health/ready/").text)["warnings"] == {}
            server.stop(signal.SIGKILL)
            response = client.get("/health/ready/")
            assert response.status == 200
            assert set(json.loads(response.text)["warnings"]) == {"bus"}
        finally:
            host.stop()


@pytest.fixture
def database() -> Iterator[tuple[str, Service]]:
    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as running:
        yield running


def test_sites_that_start_together_migrate_once_and_outlive_an_outage(
    database: tuple[str, Service], tmp_path: Path, site: str, site_data: Path
) -> None:
    url, server = database
    sites = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        share_static(tmp_path / name, site_data)
        sites.append(Site(tmp_path / name, "--computers", "0", DATABASE_URL=url))
    try:
        clients = [HTTPClient(address) for address in Site.start_together(sites)]
        assert [client.get("/").status for client in clients] == [200, 200]
        server.stop(signal.SIGQUIT)
        refused = [clients[0].get("/") for _ in range(5)]
        assert {response.status for response in refused} == {503}
        assert "Try again in a moment" in refused[-1].text
        assert clients[0].get("/health/").status == 200
        assert clients[0].get("/health/ready/").status == 503
        server.start()
        # A pool that sleeps between attempts would refuse for minutes.
        assert 200 in {clients[0].get("/").status for _ in range(3)}
        assert sites[0].log().count("The database does not answer") == 1
    finally:
        for started in sites:
            started.stop()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("succeeded", "days", "warning"),
    [
        (True, 1, None),
        (True, 101, "The last restore drill was 101 days ago."),
        (False, 1, "The last restore drill, 1 days ago, failed."),
    ],
)
def test_the_age_and_result_of_the_last_restore_drill_are_told(
    succeeded: bool, days: int, warning: str | None
) -> None:
    note_restore_drill(succeeded=not succeeded)
    Heartbeat.objects.update(at=timezone.now() - timedelta(days=500))
    note_restore_drill(succeeded=succeeded)
    last = Heartbeat.objects.order_by("at").last()
    assert last
    last.at = timezone.now() - timedelta(days=days, hours=1)
    last.save()
    assert warnings().get("restore drill") == warning
    gauges = {name: value for (name, _), value in queues().items()}
    assert gauges["restore_drill_failed"] == (not succeeded)
    assert gauges["restore_drill_seconds"] // 86_400 == days


@pytest.mark.django_db
def test_a_site_without_a_drill_is_no_warning_but_a_metric() -> None:
    assert "restore drill" not in warnings()
    assert queues()["restore_drill_seconds", "Time since the last restore drill; -1: never"] == -1
