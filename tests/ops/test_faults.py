"""What was answered stays, whatever breaks. ``make soak`` runs this at full length."""

from __future__ import annotations

import asyncio
import errno
import os
import pwd
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from django.core import serializers
from django.db import OperationalError, connection, models
from django.test import Client

from games import services
from games.middleware import COMMIT_FAILURE
from games.models import Game, Holder, Move, Player, Seat
from games.registry import all_rules
from scripts.services import database_user, find_redis, redis
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move
from tests.support.kinds import two_player_rules
from tests.support.players import new_person
from tests.support.resilient_play import AcceptedMove, ResilientGame
from tests.support.site_process import ROOT, Site, environment, query_database, share_static
from tests.support.stream_client import StreamClient, StreamedGame

SOAK = os.environ.get("SOAK") == "1"
MOVES, KILLS = (1_000, 12) if SOAK else (120, 3)
HANDS = 4
QUIET = {"BOARDSITE_RATE_LIMITS": "0"}
sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="is about SQLite's file")


@pytest.fixture
def open_site(tmp_path: Path, site: str, site_data: Path) -> Iterator[Callable[..., Site]]:
    """Makes processes of one site on ``tmp_path``, which shares the static files of `site`."""
    sites: list[Site] = []
    share_static(tmp_path, site_data)

    def make(**added: str) -> Site:
        sites.append(Site(tmp_path, "--computers", "0", **QUIET, **added))
        return sites[-1]

    yield make
    for each in sites:
        each.stop()


def check_all(data: Path, landed: list[AcceptedMove]) -> None:
    """Every move that was answered is there, every game replays, and the file is sound."""
    for game_id, ply, move in landed:
        question = "SELECT text FROM games_move WHERE game_id = ? AND ply = ?"
        assert query_database(data, question, game_id, ply) == [(move,)]
    command = [sys.executable, "manage.py", "verify_games"]
    run = subprocess.run(
        command, cwd=ROOT, env=environment(data), capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert ", 0 faults," in run.stdout
    if connection.vendor == "sqlite":
        assert query_database(data, "PRAGMA integrity_check") == [("ok",)]


# --- the server is killed -----------------------------------------------------------------


def test_of_a_server_that_is_killed_again_and_again_no_answered_move_is_lost(open_site, tmp_path):
    site = open_site()
    address = site.start()
    landed: list[AcceptedMove] = []

    def play(number: int) -> None:
        rng, kinds = Random(number), cycle(list(all_rules().values())[number:])
        while len(landed) < MOVES:
            table = ResilientGame(address, tmp_path, next(kinds))
            while len(landed) < MOVES and table.position.to_move():
                landed.append(table.play(rng))

    with ThreadPoolExecutor(HANDS) as pool:
        hands = [pool.submit(play, number % len(all_rules())) for number in range(HANDS)]
        for kill in range(1, KILLS + 1):
            while len(landed) < kill * MOVES // (KILLS + 1) and not any(h.done() for h in hands):
                time.sleep(0.01)
            site.stop(signal.SIGKILL)
            site.start()
        for hand in hands:
            hand.result()
    assert len(landed) >= MOVES
    check_all(tmp_path, landed)


# --- Redis is killed ----------------------------------------------------------------------


@pytest.mark.skipif(find_redis() is None, reason="there is no Redis here")
def test_without_redis_moves_go_on_and_boards_catch_up(open_site):
    with redis() as (url, server):
        here, there = open_site(REDIS_URL=url).start(), open_site(REDIS_URL=url).start()
        table = StreamedGame(here)

        async def work() -> None:
            watcher = (await StreamClient(there, table.path).connect()).start_reading()
            await watcher.wait_for(await asyncio.to_thread(table.change))
            for step in (lambda: server.stop(signal.SIGKILL), server.start):
                step()
                for _ in range(3):
                    await watcher.wait_for(await asyncio.to_thread(table.change), seconds=15)
            await watcher.disconnect()
            assert watcher.versions == sorted(set(watcher.versions))

        asyncio.run(asyncio.wait_for(work(), timeout=120))


# --- the disk is full, or may only be read -------------------------------------------------


@sqlite
def test_on_a_full_disk_a_move_is_refused_with_a_sentence_and_can_be_made_later(
    open_site, tmp_path
):
    site = open_site()
    table = ResilientGame(site.start(), tmp_path, two_player_rules())
    rng = Random(1)
    landed = [table.play(rng)]
    seat = min(table.position.to_move())
    move = next(iter(table.position.legal_moves(seat)))
    limits = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
    refused = table.post(seat, move)
    assert refused.status == 503
    assert "couldn’t save your last action" in refused.text
    assert table.browser.get(table.path).status == 200
    resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, limits)
    landed += [table.play(rng) for _ in range(3)]
    check_all(tmp_path, landed)


def everything() -> str:
    """Every row of the site."""
    kept: tuple[type[models.Model], ...] = (Player, Game, Seat, Holder, Move)
    return "".join(serializers.serialize("json", model.objects.order_by("pk")) for model in kept)


@pytest.fixture
def no_room() -> Iterator[None]:
    """The database has no page left: what needs a new one finds the disk full."""
    with _no_room_in_sqlite() if connection.vendor == "sqlite" else _no_room_in_postgres():
        yield


@contextmanager
def _no_room_in_postgres() -> Iterator[None]:
    """Games are on a disk of their own, which is full to the last byte."""
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
def _no_room_in_sqlite() -> Iterator[None]:
    with connection.cursor() as cursor:
        # Pages that migrations left free would be room.
        cursor.execute("VACUUM")
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        (most,) = cursor.execute("PRAGMA max_page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        yield
        cursor.execute(f"PRAGMA max_page_count = {most}")


@pytest.fixture
def read_only() -> Iterator[None]:
    """The database may only be read."""
    sqlite_way = ("PRAGMA query_only = ON", "PRAGMA query_only = OFF")
    other_way = tuple(f"SET default_transaction_read_only = {flag}" for flag in ("on", "off"))
    begin, end = sqlite_way if connection.vendor == "sqlite" else other_way
    with connection.cursor() as cursor:
        cursor.execute(begin)
        yield
        cursor.execute(end)


def requests_that_write() -> list[tuple[Client, str, dict[str, object]]]:
    """A browser, an address and a form for each thing that people write."""
    owner, stranger = new_person("Olive"), new_person("Stan")
    owner.client.raise_request_exception = stranger.client.raise_request_exception = False
    game = make_game(owner)
    seat, move = next_legal_move(game)
    rules = two_player_rules()
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    waiting = make_game(owner, seating={first: "me", second: "invite"})
    token = services.invitation_token(waiting.seats.get(key=second))
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
def test_where_the_database_may_only_be_read_nothing_is_kept_by_halves(request):
    wishes = requests_that_write()
    before = everything()
    request.getfixturevalue("read_only")
    for client, address, form in wishes:
        answer = client.post(address, form)
        assert answer.status_code == 503, address
        assert "couldn’t save your last action" in answer.text and "<html" in answer.text
        partial = client.post(address, form, headers={"HX-Request": "true"})
        assert partial.status_code == 503
        assert "couldn’t save your last action" in partial.text and "<html" not in partial.text
        assert partial["Retry-After"] == "5"
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_where_the_disk_is_full_games_end_in_a_sentence_and_nothing_is_kept_by_halves(request):
    owner = new_person("Olive")
    owner.client.raise_request_exception = False
    rules = two_player_rules()
    options = {option.name: str(option.default) for option in rules.options}
    seats = {f"seat-{spec.key}": "invite" for spec in rules.seats(rules.clean({}))}
    request.getfixturevalue("no_room")
    statuses = []
    for _ in range(200):
        before = everything()
        answer = owner.client.post(f"/new/{rules.slug}/", {**options, **seats})
        statuses.append(answer.status_code)
        if answer.status_code == 503:
            break
    assert statuses[-1] == 503
    assert "couldn’t save your last action" in answer.text
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_a_move_that_may_not_be_on_the_disk_is_answered_as_not_kept():
    owner = new_person("Olive")
    owner.client.raise_request_exception = False
    game = make_game(owner)
    failed = {COMMIT_FAILURE: OperationalError("disk I/O error")}
    answer = owner.client.post(f"/g/{game.id}/move/", {}, headers={"HX-Request": "true"}, **failed)
    assert answer.status_code == 503
    assert "couldn’t save your last action" in answer.text and "<html" not in answer.text


@pytest.mark.django_db(transaction=True)
def test_what_is_our_own_mistake_is_no_503(client, monkeypatch):
    from games.views import home

    monkeypatch.setattr(home, "render", None)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    assert "our fault" in answer.text
    assert "every accepted move is saved" in answer.text
