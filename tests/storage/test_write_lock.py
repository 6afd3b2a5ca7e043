"""One writer at a time, in this process and among others; and who is told after the commit."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.db import connection, transaction

from games.models import Player
from games.signals import game_changed, notify_changed
from games.storage import write_lock
from games.storage.write_lock import write_transaction
from tests.support.game_factory import make_game
from tests.support.players import new_person

pytestmark = pytest.mark.django_db(transaction=True)
sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="others lock rows, not all")

# Another process of the site: says that it is there, then adds to the number that is a name.
PROGRAM = """
import sys, django; django.setup()
from games.models import Player
from games.storage.write_lock import writing
print("ready", flush=True)
for _ in range(int(sys.argv[1])):
    with writing():
        player = Player.objects.get()
        player.name = str(int(player.name) + 1)
        player.save()
print(player.name)
"""


def held() -> bool:
    return write_lock._in_this_process.locked()


@sqlite
def test_the_turn_is_held_while_writing_and_given_back_before_others_are_told():
    seen = []
    with write_transaction():
        transaction.on_commit(lambda: seen.append(held()))
        assert held()
    assert seen == [False] and not held()


def test_writing_inside_writing_is_one_transaction():
    seen = []
    with write_transaction():
        with write_transaction():
            Player.objects.create(name="Ann")
            transaction.on_commit(lambda: seen.append(Player.objects.count()))
        assert seen == []
    assert seen == [1]


def test_a_failure_keeps_nothing_and_gives_the_turn_back():
    def break_off() -> None:
        with write_transaction():
            Player.objects.create(name="Ann")
            raise LookupError

    with pytest.raises(LookupError):
        break_off()
    assert not held() and not Player.objects.exists()


def test_a_part_of_somebody_elses_transaction_waits_for_no_turn():
    with transaction.atomic():
        with write_transaction():
            assert not held()
            Player.objects.create(name="Ann")
        assert Player.objects.exists()


def another(data: Path, times: int) -> subprocess.Popen[str]:
    """A process that writes to the database in ``data`` so many times."""
    environment = {**os.environ, "BOARDSITE_DATA": str(data)}
    environment["DJANGO_SETTINGS_MODULE"] = "boardsite.settings"
    environment.pop("DATABASE_URL", None)
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(times)], env=environment, stdout=-1, text=True
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder whose database holds one player, called 0."""
    begin = "import django; django.setup(); from django.core.management import call_command as c\n"
    begin += "c('migrate', verbosity=0)\nfrom games.models import Player as P\nP(name='0').save()"
    environment = {**os.environ, "BOARDSITE_DATA": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "boardsite.settings"
    environment.pop("DATABASE_URL", None)
    subprocess.run([sys.executable, "-c", begin], env=environment, check=True)
    return tmp_path


def test_processes_that_write_at_once_all_get_their_turns(data):
    processes = [another(data, 50) for _ in range(3)]
    last = [process.communicate()[0].split()[-1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert max(map(int, last)) == 150


def test_a_process_waits_for_the_turn_of_another_one(data):
    with (data / "boardsite.sqlite3.writer").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = another(data, 1)
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        assert process.poll() is None
    assert process.communicate()[0] == "1\n"


# --- announcements ------------------------------------------------------------------------


@pytest.fixture
def told():
    """What listeners in this process hear."""
    heard: list[tuple[str, int]] = []

    def hear(*, game_id: str, version: int, **_: object) -> None:
        heard.append((game_id, version))

    game_changed.connect(hear)
    yield heard
    game_changed.disconnect(hear)


def test_a_change_is_told_after_the_commit(told):
    game = make_game(new_person("Olive"))
    told.clear()
    with write_transaction():
        notify_changed(game)
        assert told == []
    assert told == [(game.id, game.version)]


def test_what_is_not_kept_is_not_told(told):
    def break_off() -> None:
        with write_transaction():
            notify_changed(game)
            raise LookupError

    game = make_game(new_person("Olive"))
    told.clear()
    with pytest.raises(LookupError):
        break_off()
    assert told == []


def test_a_listener_that_fails_does_not_fail_the_move(told):
    def fails(**_: object) -> None:
        raise LookupError

    game = make_game(new_person("Olive"))
    game_changed.connect(fails)
    try:
        with write_transaction():
            notify_changed(game)
    finally:
        game_changed.disconnect(fails)
    assert told[-1] == (game.id, game.version)
