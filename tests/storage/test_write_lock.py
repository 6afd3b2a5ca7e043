"""The write lock excludes writers of all processes; listeners are notified after the commit."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction

from games.bus import game_changed, notify_changed
from games.models import Player
from games.storage import write_lock
from games.storage.write_lock import write_transaction
from tests.support.game_factory import make_game
from tests.support.players import new_person
from tests.support.servers.worker_process import share_rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]
sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="others lock rows, not all")

# Another process of the site, which prints that it is ready, then increments the number in a name.
PROGRAM = """
import sys, django; django.setup()
from games.models import Player
from games.storage.write_lock import write_transaction
print("ready", flush=True)
for _ in range(int(sys.argv[1])):
    with write_transaction():
        player = Player.objects.get()
        player.name = str(int(player.name) + 1)
        player.save()
print(player.name)
"""
# One that tries, while it writes, to share its lock on a file.
SHARER = """
import fcntl, sys, django; django.setup()
from games.storage.write_lock import write_transaction
with write_transaction(), open(sys.argv[1]) as lock:
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        print("not shared")
"""


def is_locked() -> bool:
    return write_lock._process_lock.locked()


@sqlite
def test_the_lock_is_held_while_writing_and_released_before_other_callbacks():
    seen = []
    with write_transaction():
        transaction.on_commit(lambda: seen.append(is_locked()))
        assert is_locked()
    assert seen == [False] and not is_locked()


def test_nested_write_transactions_are_one():
    seen = []
    with write_transaction():
        with write_transaction():
            Player.objects.create(name="Ann")
            transaction.on_commit(lambda: seen.append(Player.objects.count()))
        assert seen == []
    assert seen == [1]


def test_a_failure_rolls_back_and_releases_the_lock():
    def fail() -> None:
        with write_transaction():
            Player.objects.create(name="Ann")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert not is_locked() and not Player.objects.exists()


def test_a_write_inside_another_transaction_takes_no_lock():
    with transaction.atomic():
        with write_transaction():
            assert not is_locked()
            Player.objects.create(name="Ann")
        assert Player.objects.exists()


def another_process(
    data: Path, argument: int | Path, program: str = PROGRAM
) -> subprocess.Popen[str]:
    """Start a process that writes to the database in ``data``, by default so many times."""
    environment = {**os.environ, "BOARDSITE_DATA": str(data), "BOARDSITE_SECRET": "s" * 50}
    environment["DJANGO_SETTINGS_MODULE"] = "boardsite.settings"
    environment.pop("DATABASE_URL", None)
    return subprocess.Popen(
        [sys.executable, "-c", program, str(argument)], env=environment, stdout=-1, text=True
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Make a data folder whose database holds one player, called 0."""
    if connection.vendor != "sqlite":
        pytest.skip("the lock of a file, whatever database the tests have")
    Player.objects.create(name="0")
    share_rows(tmp_path)
    return tmp_path


def test_concurrent_processes_lose_no_write(data):
    processes = [another_process(data, 50) for _ in range(3)]
    last = [process.communicate()[0].split()[-1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert max(map(int, last)) == 150


def test_a_process_waits_for_the_lock_of_another_one(data):
    with (data / "boardsite.sqlite3.writer").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = another_process(data, 1)
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        assert process.poll() is None
    assert process.communicate()[0] == "1\n"


def test_a_process_shares_the_lock_with_no_other(data):
    process = another_process(data, data / "boardsite.sqlite3.writer", SHARER)
    assert process.communicate()[0] == "not shared\n"


# --- notifications ------------------------------------------------------------------------


@pytest.fixture
def notified():
    """Record the signals that a listener in this process receives."""
    received: list[tuple[str, int]] = []

    def receive(*, game_id: str, version: int, **_: object) -> None:
        received.append((game_id, version))

    game_changed.connect(receive)
    yield received
    game_changed.disconnect(receive)


def test_listeners_are_notified_after_the_commit(notified):
    game = make_game(new_person("Olive"))
    notified.clear()
    with write_transaction():
        notify_changed(game)
        assert notified == []
    assert notified == [(game.id, game.version)]


def test_listeners_are_not_notified_of_a_rollback(notified):
    def fail() -> None:
        with write_transaction():
            notify_changed(game)
            raise LookupError

    game = make_game(new_person("Olive"))
    notified.clear()
    with pytest.raises(LookupError):
        fail()
    assert notified == []


def test_a_failing_listener_does_not_fail_the_move(notified):
    def fails(**_: object) -> None:
        raise LookupError

    game = make_game(new_person("Olive"))
    game_changed.connect(fails)
    try:
        with write_transaction():
            notify_changed(game)
    finally:
        game_changed.disconnect(fails)
    assert notified[-1] == (game.id, game.version)


@pytest.fixture
def lock_from_outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Yield another program's connection, which holds SQLite's own lock."""
    monkeypatch.setattr(write_lock, "PATIENCE", 0.05)
    Player.objects.create(name="Ann")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], uri=True)) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        yield other
    write_lock._locked_out.clear()
    connection.close()


def rename() -> None:
    with write_transaction():
        Player.objects.update(name="Ben")


def patience() -> int:
    with connection.cursor() as cursor:
        return int(cursor.execute("PRAGMA busy_timeout").fetchone()[0])


@sqlite
def test_writers_hardly_wait_after_one_has_waited_in_vain(lock_from_outside, monkeypatch):
    monkeypatch.setattr(write_lock, "IMPATIENCE", 0.01)
    for expected in (50, 10, 10):
        with pytest.raises(OperationalError, match="locked"):
            rename()
        assert patience() == expected
    lock_from_outside.execute("COMMIT")
    rename()
    rename()
    assert patience() == 50
    assert Player.objects.get().name == "Ben"


@sqlite
def test_a_failure_inside_a_transaction_does_not_count_as_a_lock():
    with pytest.raises(OperationalError), write_transaction():
        raise OperationalError("disk I/O error")
    assert not write_lock._locked_out.is_set()
