"""Answered moves survive kills, full disks and lost services. ``make soak`` runs more of them."""

from __future__ import annotations

import asyncio
import errno
import os
import pwd
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from django.core import serializers
from django.db import OperationalError, connection, models
from django.test import Client, RequestFactory

from games.core.registry import all_rules
from games.models import Game, Holder, Move, Player, Seat
from games.services.seats import invitation_token
from games.views.errors import server_error
from games.views.middleware import COMMIT_FAILURE
from scripts.services import database_user, find_redis, redis
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move
from tests.support.kinds import two_player_rules
from tests.support.players import new_person
from tests.support.repeats import SOAK
from tests.support.servers.http_client import Response
from tests.support.servers.resilient_play import AcceptedMove, ResilientGame
from tests.support.servers.site_process import ROOT, Site, environment, query_database, share_static
from tests.support.servers.stream_client import StreamClient, StreamedGame

pytestmark = pytest.mark.services

MOVES, KILLS = (1_000, 12) if SOAK else (80, 2)
THREADS = 4
NO_LIMITS = {"BOARDSITE_RATE_LIMITS": "0"}
NOT_SAVED = "couldn’t save your last action"
sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="only for SQLite's file")


@pytest.fixture
def open_site(tmp_path: Path, site: str, site_data: Path) -> Iterator[Callable[..., Site]]:
    """Return a maker of processes of one site on ``tmp_path``."""
    sites: list[Site] = []
    share_static(tmp_path, site_data)

    def make(**added: str) -> Site:
        sites.append(Site(tmp_path, "--computers", "0", **NO_LIMITS, **added))
        return sites[-1]

    yield make
    for site in sites:
        site.stop()


def check_all(data: Path, accepted: list[AcceptedMove]) -> None:
    """Assert that all accepted moves are stored, all games replay, and the file is intact."""
    for game_id, ply, move in accepted:
        query = "SELECT text FROM games_move WHERE game_id = ? AND ply = ?"
        assert query_database(data, query, game_id, ply) == [(move,)]
    command = [sys.executable, "manage.py", "verify_games"]
    run = subprocess.run(
        command, cwd=ROOT, env=environment(data), capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert ", 0 faults," in run.stdout
    if connection.vendor == "sqlite":
        assert query_database(data, "PRAGMA integrity_check") == [("ok",)]


# --- the server is killed -----------------------------------------------------------------


def test_no_accepted_move_is_lost_by_kills_of_the_server(open_site, tmp_path):
    site = open_site()
    address = site.start()
    accepted: list[AcceptedMove] = []

    def play(number: int) -> None:
        rng, kinds = Random(number), cycle(list(all_rules().values())[number:])
        while len(accepted) < MOVES:
            table = ResilientGame(address, tmp_path, next(kinds))
            while len(accepted) < MOVES and table.position.to_move():
                accepted.append(table.play(rng))

    with ThreadPoolExecutor(THREADS) as pool:
        players = [pool.submit(play, number % len(all_rules())) for number in range(THREADS)]
        for kill in range(1, KILLS + 1):
            while len(accepted) < kill * MOVES // (KILLS + 1) and not any(
                player.done() for player in players
            ):
                time.sleep(0.01)
            site.stop(signal.SIGKILL)
            site.start()
        for player in players:
            player.result()
    assert len(accepted) >= MOVES
    check_all(tmp_path, accepted)


# --- Redis is killed ----------------------------------------------------------------------


@pytest.mark.skipif(find_redis() is None, reason="no Redis is installed")
def test_boards_follow_after_redis_is_killed_and_restarted(open_site):
    with redis() as (url, server):
        here, there = open_site(REDIS_URL=url).start(), open_site(REDIS_URL=url).start()
        table = StreamedGame(here)

        async def work() -> None:
            client = (await StreamClient(there, table.path).connect()).start_reading()
            await client.wait_for(await asyncio.to_thread(table.change))
            for step in (lambda: server.stop(signal.SIGKILL), server.start):
                step()
                for _ in range(3):
                    await client.wait_for(await asyncio.to_thread(table.change), seconds=15)
            await client.disconnect()
            assert client.versions == sorted(set(client.versions))

        asyncio.run(asyncio.wait_for(work(), timeout=120))


# --- another program holds the database ---------------------------------------------------


@sqlite
def test_a_database_that_another_program_locks_answers_politely(open_site, tmp_path):
    site = open_site()
    address = site.start()
    tables = [ResilientGame(address, tmp_path, two_player_rules()) for _ in range(4)]
    seat = min(tables[0].position.to_move())
    move = next(iter(tables[0].position.legal_moves(seat)))

    def post(table: ResilientGame) -> Response:
        return table.post(seat, move)

    with closing(sqlite3.connect(tmp_path / "boardsite.sqlite3")) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(len(tables)) as pool:
            refused = list(pool.map(post, tables))
        assert tables[0].browser.get(tables[0].path).status == 200
        other.execute("COMMIT")
    assert {response.status for response in refused} == {503}
    assert all(NOT_SAVED in response.text for response in refused)
    assert {post(table).status for table in tables} == {200}
    assert site.log().count("The database does not answer: database is locked") == 1
    assert "Traceback" not in site.log()


# --- the disk is full or read-only ---------------------------------------------------------


@sqlite
def test_a_move_refused_by_a_full_disk_can_be_made_later(open_site, tmp_path):
    site = open_site()
    table = ResilientGame(site.start(), tmp_path, two_player_rules())
    rng = Random(1)
    accepted = [table.play(rng)]
    seat = min(table.position.to_move())
    move = next(iter(table.position.legal_moves(seat)))
    limits = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
    refused = table.post(seat, move)
    assert refused.status == 503
    assert NOT_SAVED in refused.text
    assert table.browser.get(table.path).status == 200
    resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, limits)
    assert "Traceback" not in site.log()
    accepted += [table.play(rng) for _ in range(3)]
    check_all(tmp_path, accepted)


def all_rows() -> str:
    """Return all rows of the site as JSON."""
    stored: tuple[type[models.Model], ...] = (Player, Game, Seat, Holder, Move)
    return "".join(serializers.serialize("json", model.objects.order_by("pk")) for model in stored)


@pytest.fixture
def full_database() -> Iterator[None]:
    """Leave the database no free page, so that a new one finds the disk full."""
    with _full_sqlite() if connection.vendor == "sqlite" else _full_postgres():
        yield


@contextmanager
def _full_postgres() -> Iterator[None]:
    """Move the games to a disk of their own and fill it."""
    user = database_user()
    if os.geteuid() != 0 or user is None:
        pytest.skip("only root can make a small disk")
    with tempfile.TemporaryDirectory() as folder, connection.cursor() as cursor:
        size = f"size=1m,mode=700,uid={pwd.getpwnam(user).pw_uid}"
        mounting = ["mount", "-t", "tmpfs", "-o", size, "small", folder]
        if subprocess.run(mounting, check=False, capture_output=True).returncode != 0:
            pytest.skip("no small disk can be mounted here")
        try:
            cursor.execute("CREATE TABLESPACE small LOCATION %s", [folder])
            # Rows of earlier tests have left free space.
            cursor.execute("VACUUM FULL games_game")
            cursor.execute("ALTER TABLE games_game SET TABLESPACE small")
            fill(Path(folder) / "rest")
            yield
            (Path(folder) / "rest").unlink()
            cursor.execute("ALTER TABLE games_game SET TABLESPACE pg_default")
            cursor.execute("DROP TABLESPACE small")
        finally:
            subprocess.run(["umount", folder], check=True)


def fill(file: Path) -> None:
    """Write until the disk is full."""
    with file.open("wb", buffering=0) as rest:
        try:
            while True:
                rest.write(bytes(1024))
        except OSError as error:
            assert error.errno == errno.ENOSPC


@contextmanager
def _full_sqlite() -> Iterator[None]:
    with connection.cursor() as cursor:
        # Migrations have left free pages.
        cursor.execute("VACUUM")
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        (most,) = cursor.execute("PRAGMA max_page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        yield
        cursor.execute(f"PRAGMA max_page_count = {most}")


@pytest.fixture
def read_only() -> Iterator[None]:
    """Make the database read-only."""
    sqlite_commands = ("PRAGMA query_only = ON", "PRAGMA query_only = OFF")
    other_commands = tuple(f"SET default_transaction_read_only = {flag}" for flag in ("on", "off"))
    begin, end = sqlite_commands if connection.vendor == "sqlite" else other_commands
    with connection.cursor() as cursor:
        cursor.execute(begin)
        yield
        cursor.execute(end)


def writing_requests() -> list[tuple[Client, str, dict[str, object]]]:
    """Return a browser, an address and a form for each action that writes."""
    owner, stranger = new_person("Olive"), new_person("Stan")
    owner.client.raise_request_exception = stranger.client.raise_request_exception = False
    game = make_game(owner)
    seat, move = next_legal_move(game)
    rules = two_player_rules()
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    waiting = make_game(owner, seating={first: "me", second: "invite"})
    token = invitation_token(waiting.seats.get(key=second))
    options = {option.name: str(option.default) for option in rules.options}
    seats = {f"seat-{first}": "me", f"seat-{second}": "invite"}
    return [
        (owner.client, f"/g/{game.id}/move/", {"seat": seat, "move": move, "ply": 0}),
        (owner.client, f"/g/{game.id}/resign/", {"seat": seat, "ply": 0}),
        (owner.client, f"/new/{rules.slug}/", {**options, **seats, "name": "Ollie"}),
        (owner.client, "/settings/", {"name": "Ollie"}),
        (stranger.client, f"/join/{token}/", {"name": "Stanley"}),
        (owner.client, f"/g/{waiting.id}/device/", {"seat": first}),
    ]


@pytest.mark.django_db(transaction=True)
def test_a_read_only_database_refuses_every_write_as_a_whole(request):
    requests = writing_requests()
    before = all_rows()
    request.getfixturevalue("read_only")
    for client, address, form in requests:
        response = client.post(address, form)
        assert response.status_code == 503, address
        assert NOT_SAVED in response.text and "<html" in response.text
        partial = client.post(address, form, headers={"HX-Request": "true"})
        assert partial.status_code == 503
        assert NOT_SAVED in partial.text and "<html" not in partial.text
        assert partial["Retry-After"] == "5"
    assert all_rows() == before


@pytest.mark.django_db(transaction=True)
def test_a_full_database_refuses_a_game_as_a_whole(request):
    owner = new_person("Olive")
    owner.client.raise_request_exception = False
    rules = two_player_rules()
    options = {option.name: str(option.default) for option in rules.options}
    seats = {f"seat-{spec.key}": "invite" for spec in rules.seats(rules.clean({}))}
    request.getfixturevalue("full_database")
    statuses = []
    for _ in range(200):
        before = all_rows()
        response = owner.client.post(f"/new/{rules.slug}/", {**options, **seats})
        statuses.append(response.status_code)
        if response.status_code == 503:
            break
    assert statuses[-1] == 503
    assert NOT_SAVED in response.text
    assert all_rows() == before


@pytest.mark.django_db(transaction=True)
def test_a_move_that_may_not_be_durable_is_answered_as_not_saved():
    owner = new_person("Olive")
    owner.client.raise_request_exception = False
    game = make_game(owner)
    failed = {COMMIT_FAILURE: OperationalError("disk I/O error")}
    response = owner.client.post(
        f"/g/{game.id}/move/", {}, headers={"HX-Request": "true"}, **failed
    )
    assert response.status_code == 503
    assert NOT_SAVED in response.text and "<html" not in response.text


@pytest.mark.parametrize("method", ["get", "head"])
def test_a_page_of_an_outage_speaks_of_no_action(method: str) -> None:
    request = getattr(RequestFactory(), method)("/", headers={"HX-Request": "true"})
    try:
        raise OperationalError("connection refused")
    except OperationalError:
        response = server_error(request)
    assert response.status_code == 503
    assert NOT_SAVED not in response.text and "Try again in a moment" in response.text


@pytest.mark.django_db(transaction=True)
def test_a_bug_is_a_500(client, monkeypatch):
    from games.views.pages import home

    monkeypatch.setattr(home, "show_page", None)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "our fault" in response.text
    assert "every accepted move is saved" in response.text
