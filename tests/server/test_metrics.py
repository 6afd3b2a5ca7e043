"""Metrics of all processes of a machine, in the form of Prometheus."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from games.core import rate_limits
from games.live.health import queues
from games.models import Game, WebHook
from games.notices.channels import set_hook
from games.notices.events import ask_for_test
from games.notices.outgoing import claim
from games.people.emails import ask_recovery
from tests.support.documents import section
from tests.support.game_factory import make_game
from tests.support.players import Person
from tests.support.servers.http_client import HTTPClient
from tests.support.servers.site_process import ROOT, Site, environment, share_static
from tests.support.snapshots import ask_evaluations

pytestmark = pytest.mark.services

TOKEN = "a-token"
CORE = "games/core/metrics.py"
CREATE_GAME = """
import django; django.setup()
from games.core.registry import all_rules
from games.services.players import new_player
from games.services.setup import NewGame, create_game
rules = next(rules for rules in all_rules().values() if rules.levels)
seating = {spec.key: "computer-1" for spec in rules.seats(rules.clean({}))}
create_game(player=new_player(), new=NewGame(rules=rules, options={}, seating=seating))
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, site_data: Path, site: str) -> Path:
    """Return the data folder of `counting_site`."""
    folder = tmp_path_factory.mktemp("metrics")
    share_static(folder, site_data)
    return folder


@pytest.fixture(scope="module")
def counting_site(data: Path) -> Iterator[str]:
    """Run a site of two serving processes with metrics, and yield its address."""
    running = Site(data, "--processes", "2", BOARDSITE_METRICS_TOKEN=TOKEN)
    try:
        yield running.start()
    finally:
        running.stop()


def scrape(address: str) -> dict[str, list[tuple[set[str], float]]]:
    """Return the values of each metric, with the values of their labels."""
    response = HTTPClient(address).get("/metrics/", Authorization=f"Bearer {TOKEN}")
    assert response.status == 200
    found: dict[str, list[tuple[set[str], float]]] = {}
    for family in text_string_to_metric_families(response.text):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((set(sample.labels.values()), sample.value))
    return found


def total(address: str, name: str, *labels: str) -> float:
    """Return the sum of the values of a metric that have all the labels."""
    values = scrape(address).get(f"boardsite_{name}", [])
    return sum(value for found, value in values if found >= set(labels))


def test_every_process_reports_the_metrics_of_all(counting_site: str, data: Path) -> None:
    for _ in range(20):
        assert HTTPClient(counting_site).get("/").status == 200
    # Requests go to any process.
    for _ in range(5):
        assert total(counting_site, "request_seconds_count", "pages", "200") >= 20
    command = [sys.executable, "-c", CREATE_GAME]
    subprocess.run(command, cwd=ROOT, env=environment(data), check=True)
    deadline = time.monotonic() + 100
    # A job is counted at its end, after its move.
    while not total(counting_site, "job_seconds_count", "move"):
        assert time.monotonic() < deadline, "no job of the computers was counted"
        time.sleep(0.2)
    assert total(counting_site, "moves_total", "computer") >= 1
    assert total(counting_site, "computer_turns") == 1
    assert total(counting_site, "streams") == 0


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer another"}])
def test_metrics_need_the_token(counting_site: str, header: dict[str, str]) -> None:
    assert HTTPClient(counting_site).get("/metrics/", **header).status == 401


def test_a_site_without_a_token_has_no_metrics(site: str) -> None:
    assert HTTPClient(site).get("/metrics/", Authorization="Bearer ").status == 404


@pytest.mark.django_db
def test_the_work_that_waits_for_computers_is_measured(owner: Person) -> None:
    one, other = make_game(owner), make_game(owner)
    ask_evaluations(other, [0], hint=True)
    ask_evaluations(one, [0])
    Game.objects.filter(pk=one.pk).update(
        computer_to_move=True, updated=timezone.now() - timedelta(seconds=50)
    )
    found = {name: value for (name, _), value in queues().items()}
    assert 50 <= found.pop("computer_turn_seconds") < 500
    waiting = {"computer_turns": 1, "waiting_hints": 1, "waiting_plies": 1}
    waiting |= {"damaged_games": 0, "verified_seconds": 0, "games": 2}
    waiting |= {"waiting_notices": 0, "waiting_emails": 0}
    assert waiting.items() <= found.items()
    assert found["database_bytes"] > 0 < found["disk_free_bytes"]


@pytest.mark.django_db
def test_the_letters_that_are_due_are_measured(owner: Person) -> None:
    set_hook(player=owner.player, url="https://hooks.example/", site="https://games.example/")
    ask_for_test(owner.player)
    ask_recovery(typed="Olive")
    ask_recovery(typed="Otto")
    found = {name: value for (name, _), value in queues().items()}
    assert (found["waiting_notices"], found["waiting_emails"]) == (1, 2)
    claim(WebHook.kind, [])
    found = {name: value for (name, _), value in queues().items()}
    assert (found["waiting_notices"], found["waiting_emails"]) == (0, 2)


METRIC = re.compile(r"boardsite_([a-z_]+)")


@pytest.mark.django_db
@pytest.mark.parametrize("file", ["deploy/alarms.yml", "deploy/dashboard.json"])
def test_alarms_and_dashboard_ask_for_metrics_that_there_are(file: str) -> None:
    counted = re.findall(r'_metric\(\s*"(\w+)",\s*"(\w+)"', (ROOT / CORE).read_text())
    known = {name.partition("{")[0] for name, _ in queues()}
    for kind, name in counted:
        suffixes = {"Counter": ["_total"], "Histogram": ["_count", "_bucket"]}.get(kind, [""])
        known |= {name + suffix for suffix in suffixes}
    asked = {*METRIC.findall((ROOT / file).read_text())}
    assert len(asked) > 8
    assert asked <= known


@pytest.mark.django_db
def test_every_metric_is_described_for_hosts() -> None:
    described = section("docs/hosting.md", "Metrics")
    for name in {name.partition("{")[0] for name, _ in queues()}:
        assert f"boardsite_{name}" in described, name


def test_a_refusal_is_counted_by_the_name_of_its_limit() -> None:
    assert rate_limits._name_of(rate_limits.PAGES_PER_ADDRESS) == "pages_per_address"
    assert rate_limits._name_of(rate_limits.RateLimit(1, 1.0)) == "other"
