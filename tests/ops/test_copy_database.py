"""copy_database copies all rows into another database and verifies them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections

from boardsite.management.commands.copy_database import TARGET, are_equal
from games.core.registry import all_rules
from games.models import Account, Device, Evaluation, Game, Pack, Passkey, Player
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move, post_undo
from tests.support.players import new_person
from tests.support.servers.site_process import ROOT, database_url, environment
from tests.support.servers.worker_process import share_rows, share_tables

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

FINISHED = """
import django; django.setup()
from django.core.management import call_command
from games.services import play, players, setup
from games.core.registry import all_rules
call_command("migrate", verbosity=0)
player = players.new_player(name="Olive")
for rules in all_rules().values():
    seating = {seat.key: "me" for seat in rules.seats(rules.clean({}))}
    game = setup.create_game(
        player=player, new=setup.NewGame(rules=rules, options={}, seating=seating)
    )
    play.resign(game_id=game.id, seat=next(iter(seating)), player=player, ply=0)
"""
"""Creates a site with one resigned game of every kind."""


Done = subprocess.CompletedProcess[str]
Copy = Callable[[], Done]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a database with the tables of today and no rows, as a copy of none leaves it."""
    if connection.vendor != "sqlite":
        pytest.skip("copies this test's own SQLite")
    share_rows(tmp_path)
    return (tmp_path / "boardsite.sqlite3").rename(tmp_path / "target.sqlite3")


@pytest.fixture
def copy_to(django_db_blocker: Any) -> Callable[[str], Done]:
    """Return a function that runs the command on this test's own database."""

    def run(url: str) -> Done:
        out, errors, status = StringIO(), StringIO(), 0
        try:
            # A test may otherwise open those databases alone that its settings name.
            with django_db_blocker.unblock():
                call_command("copy_database", url, stdout=out, stderr=errors)
        except CommandError as error:
            status = errors.write(f"CommandError: {error}") and 1
        finally:
            if connections.databases.pop(TARGET, None):
                connections[TARGET].close()
                del connections[TARGET]
        return Done([], status, out.getvalue(), errors.getvalue())

    return run


@pytest.fixture
def copy(copy_to: Callable[[str], Done], target: Path) -> Copy:
    return lambda: copy_to(f"sqlite:///{target}")


def python(data: Path, *arguments: str, url: str = "") -> Done:
    """Run Python on a database, by default the SQLite in a data folder."""
    url = url or f"sqlite:///{data / 'boardsite.sqlite3'}"
    variables = environment(data, DATABASE_URL=url, BOARDSITE_SECRET="s" * 50)
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)


def select(target: Path, statement: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(target) as raw:
        rows = raw.execute(statement).fetchall()
    raw.close()
    return rows


def played_game() -> Game:
    olive, otto = new_person("Olive"), new_person("Otto")
    game = make_game(olive, otto)
    post_move(olive, game)
    return game


def test_games_players_and_moves_are_copied_and_replay(copy, target):
    game = played_game()
    done = copy()
    assert "1 games replay in the copy" in done.stdout
    assert "games.Move: 1, equal in both" in done.stdout
    assert select(target, "SELECT id FROM games_game") == [(game.pk,)]
    assert select(target, "SELECT name FROM games_player ORDER BY name") == [("Olive",), ("Otto",)]


def test_every_table_of_the_app_is_copied(copy, target):
    olive = Player.objects.create(name="Olive")
    account = Account.objects.create(player=olive, name="Olive", key="olive", password="hash")
    device = Device.objects.create(player=olive, name="Firefox")
    Passkey.objects.create(account=account, credential_id="id", public_key=b"\0\xff")
    pack = Pack.objects.create(player=olive, kind="some", name="Sea", texts=["whale"])
    done = copy()
    for model in apps.get_app_config("games").get_models():
        assert f"{model._meta.label}: {model.objects.count()}, equal in both" in done.stdout
    copied = "SELECT hex(public_key) FROM games_passkey JOIN games_account a ON a.id = account_id"
    assert select(target, copied) == [("00FF",)]
    ids = select(target, "SELECT id FROM games_device UNION ALL SELECT id FROM games_pack")
    assert ids == [(device.pk.hex,), (pack.pk.hex,)]


def test_finished_games_are_copied_to_any_database(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    share_tables(tmp_path)
    assert python(tmp_path, "-c", FINISHED).stderr == ""
    there = database_url(tmp_path / "elsewhere")
    done = python(tmp_path, "manage.py", "copy_database", there)
    assert done.stderr == ""
    assert f"{len(all_rules())} games replay in the copy" in done.stdout
    # New rows get keys after the copied ones.
    assert python(tmp_path, "-c", FINISHED, url=there).stderr == ""


def test_unreadable_games_are_copied_and_named(copy, target):
    whole, unreadable, gone = (played_game() for _ in range(3))
    Game.objects.filter(pk=unreadable.pk).update(setup={})
    Game.objects.filter(pk=gone.pk).update(kind="ludo")
    done = copy()
    assert done.returncode == 0
    assert "1 games replay in the copy" in done.stdout
    assert f"game {unreadable.pk} does not replay: The setup" in done.stderr
    assert f"game {gone.pk} does not replay: This site has no game" in done.stderr
    assert whole.pk not in done.stderr


def test_evaluations_of_undone_moves_are_not_copied(copy, target):
    olive = new_person("Olive")
    game = make_game(olive)
    for _ in range(2):
        post_move(olive, game)
    game.refresh_from_db()
    first, second = game.moves.values_list("pk", flat=True)
    for ply, move_id in [(0, 0), (1, first), (2, second)]:
        Evaluation.objects.create(game=game, ply=ply, move_id=move_id)
    post_undo(olive, game)
    assert list(game.moves.values_list("pk", flat=True)) == [first]
    done = copy()
    assert done.returncode == 0, done.stderr
    copied = select(target, "SELECT ply, move_id FROM games_evaluation ORDER BY ply")
    assert copied == [(0, 0), (1, first)]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgre://b:word@127.0.0.1:1/b", "That is not the address of a database"),
        ("postgres://b:word@127.0.0.1:1/b", "That database cannot be used: connection failed"),
        ("sqlite:////nowhere/at/all.sqlite3", "That database cannot be used: unable to open"),
        (f"sqlite:///{__file__}", "That database cannot be used: file is not a database"),
        ("sqlite:///:memory:", "That is not the address of a database"),
        ("mysql://b:word@127.0.0.1/b", "That is not the address of a database"),
    ],
)
def test_an_unusable_database_is_refused_in_a_sentence(copy_to, url, message):
    done = copy_to(url)
    assert done.stderr.startswith(f"CommandError: {message}")
    assert "word@" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("command", [["verify_games"], ["copy_database", "sqlite:///{target}"]])
def test_an_old_database_is_refused_in_a_sentence(tmp_path, target, command):
    done = python(tmp_path, "manage.py", *[part.format(target=target) for part in command])
    assert done.stderr.startswith("CommandError: The database is older than the site")


@pytest.mark.parametrize(
    ("sent", "arrived", "equal"),
    [
        ({"winners": ["one"], "reason": {}}, {"reason": {}, "winners": ["one"]}, True),
        ({"worth": -0.0}, {"worth": 0}, True),
        ({"winners": ["one", "two"]}, {"winners": ["two", "one"]}, False),
        ({"winners": ["one"]}, {"winners": []}, False),
    ],
)
def test_rows_are_compared_by_the_values_of_their_json(sent, arrived, equal):
    assert are_equal([(1, sent)], [(1, arrived)]) is equal


def test_a_missing_or_additional_row_is_a_difference():
    assert not are_equal([(1,), (2,)], [(1,)])
    assert not are_equal([(1,)], [(1,), (2,)])


@pytest.mark.parametrize(
    ("table", "column", "named"),
    [("auth_user", "username", "users"), ("games_move", "text", "moves")],
)
def test_a_difference_rolls_the_copy_back(copy, target, table, column, named):
    played_game()
    User.objects.create_user("clerk")
    select(
        target,
        f"CREATE TRIGGER spoil AFTER INSERT ON {table} BEGIN"
        f" UPDATE {table} SET {column} = 'other' WHERE id = new.id; END",
    )
    done = copy()
    assert done.returncode == 1
    assert f"The copied {named} differ" in done.stderr
    assert select(target, f"SELECT * FROM {table}") == []


def test_dates_are_copied_unchanged(copy, target):
    game = played_game()
    long_ago = game.created.replace(year=2001)
    Game.objects.filter(pk=game.pk).update(created=long_ago, updated=long_ago)
    copy()
    dates = select(target, "SELECT substr(created, 1, 4), substr(updated, 1, 4) FROM games_game")
    assert dates == [("2001", "2001")]


def test_a_rematch_still_knows_its_game(copy, target):
    olive = new_person("Olive")
    game = make_game(olive)
    seat = game.seats.first().key
    olive.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    olive.client.post(f"/g/{game.id}/rematch/")
    copy()
    again = select(target, "SELECT rematch_of_id FROM games_game WHERE rematch_of_id IS NOT NULL")
    assert again == [(game.pk,)]


def test_staff_keep_their_permissions(copy, target):
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="view_game"))
    copy()
    permissions = """SELECT codename FROM auth_permission JOIN auth_user_user_permissions
              ON auth_permission.id = permission_id"""
    assert select(target, permissions) == [("view_game",)]


def test_a_database_with_games_is_not_overwritten(copy):
    played_game()
    assert copy().returncode == 0
    again = copy()
    assert again.returncode == 1
    assert "in that database already, and it has to be empty" in again.stderr


def test_new_rows_get_keys_after_the_copied_ones(copy, target):
    game = played_game()
    game.moves.update(ply=7)
    copy()
    before = select(target, "SELECT max(id) FROM games_move")[0][0]
    select(
        target,
        "INSERT INTO games_move (game_id, ply, seat, text, played)"
        f" VALUES ('{game.pk}', 99, '', '', '')",
    )
    assert select(target, "SELECT max(id) FROM games_move")[0][0] > before
