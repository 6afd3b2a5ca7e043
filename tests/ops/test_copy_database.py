"""Moving to another database: everything arrives, and it is checked."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection

from boardsite.database_copy import same
from games.models import Evaluation, Game
from games.registry import all_rules
from tests.support.game_factory import make_game
from tests.support.players import new_person
from tests.support.posts import post_move, post_undo
from tests.support.site_process import ROOT, database_url, environment

pytestmark = pytest.mark.django_db(transaction=True)

FINISHED = """
import django; django.setup()
from django.core.management import call_command
from games import services
from games.registry import all_rules
call_command("migrate", verbosity=0)
player = services.new_player(name="Olive")
for rules in all_rules().values():
    seating = {seat.key: "me" for seat in rules.seats(rules.clean({}))}
    game = services.create_game(player=player, rules=rules, options={}, seating=seating)
    services.resign(game_id=game.id, seat=next(iter(seating)), player=player, ply=0)
"""
"""A site on which one game of every kind has been given up."""

MoveTo = Callable[[], subprocess.CompletedProcess[str]]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "target.sqlite3"


@pytest.fixture
def move(tmp_path: Path, target: Path) -> MoveTo:
    """Run the command on a copy of this test's database, as an operator would."""

    if connection.vendor != "sqlite":
        pytest.skip("copies this test's own SQLite")

    def run() -> subprocess.CompletedProcess[str]:
        with sqlite3.connect(tmp_path / "boardsite.sqlite3") as copy:
            connection.connection.backup(copy)
        copy.close()
        return python(tmp_path, "manage.py", "copy_database", f"sqlite:///{target}")

    return run


def python(data: Path, *arguments: str, url: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python on a database, or on the SQLite in a data folder."""
    own = environment(data, DATABASE_URL=url or f"sqlite:///{data / 'boardsite.sqlite3'}")
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True)


def ask(target: Path, question: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(target) as raw:
        rows = raw.execute(question).fetchall()
    raw.close()
    return rows


def played_game() -> Game:
    olive, otto = new_person("Olive"), new_person("Otto")
    game = make_game(olive, otto)
    post_move(olive, game)
    return game


def test_games_players_and_moves_arrive_and_replay(move, target):
    game = played_game()
    done = move()
    assert "1 games replay there" in done.stdout
    assert "games.Move: 1, the same in both" in done.stdout
    assert ask(target, "SELECT id FROM games_game") == [(game.pk,)]
    assert ask(target, "SELECT name FROM games_player ORDER BY name") == [("Olive",), ("Otto",)]


def test_finished_games_arrive_in_any_database(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    assert python(tmp_path, "-c", FINISHED).stderr == ""
    there = database_url(tmp_path / "elsewhere")
    done = python(tmp_path, "manage.py", "copy_database", there)
    assert done.stderr == ""
    assert f"{len(all_rules())} games replay there" in done.stdout
    # New rows are numbered after those that came.
    assert python(tmp_path, "-c", FINISHED, url=there).stderr == ""


def test_games_that_cannot_be_read_arrive_and_are_named(move, target):
    whole, unreadable, gone = (played_game() for _ in range(3))
    Game.objects.filter(pk=unreadable.pk).update(setup={})
    Game.objects.filter(pk=gone.pk).update(kind="ludo")
    done = move()
    assert done.returncode == 0
    assert "1 games replay there" in done.stdout
    assert f"game {unreadable.pk} does not replay: The setup" in done.stderr
    assert f"game {gone.pk} does not replay: There is no game of the kind" in done.stderr
    assert whole.pk not in done.stderr


def test_evaluations_of_moves_that_were_taken_back_stay_behind(move, target):
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
    done = move()
    assert done.returncode == 0, done.stderr
    kept = ask(target, "SELECT ply, move_id FROM games_evaluation ORDER BY ply")
    assert kept == [(0, 0), (1, first)]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgre://b:word@127.0.0.1:1/b", "That is not the address of a database"),
        ("postgres://b:word@127.0.0.1:1/b", "That database cannot be used: connection failed"),
        ("sqlite:////nowhere/at/all.sqlite3", "That database cannot be used: unable to open"),
        (f"sqlite:///{__file__}", "That database cannot be used: file is not a database"),
        ("sqlite:///:memory:", "That is not the address of a database"),
        ("mysql://b:word@127.0.0.1/b", "That is not the address of a database"),
    ],
)
def test_of_a_database_that_cannot_be_reached_a_sentence_tells(tmp_path, url, said):
    done = python(tmp_path, "manage.py", "copy_database", url)
    assert done.stderr.startswith(f"CommandError: {said}")
    assert "word@" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    "command", [["verify_games"], ["copy_database", "sqlite:///{}/target.sqlite3"]]
)
def test_of_a_site_that_is_newer_than_its_database_a_sentence_tells(tmp_path, command):
    done = python(tmp_path, "manage.py", *[part.format(tmp_path) for part in command])
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
def test_rows_are_compared_by_what_their_json_says(sent, arrived, equal):
    assert same([(1, sent)], [(1, arrived)]) is equal


def test_a_row_too_few_or_too_many_is_a_difference():
    assert not same([(1,), (2,)], [(1,)])
    assert not same([(1,)], [(1,), (2,)])


@pytest.mark.parametrize(
    ("table", "column", "named"),
    [("auth_user", "username", "users"), ("games_move", "text", "moves")],
)
def test_what_arrives_otherwise_than_it_was_sent_stops_the_move(move, target, table, column, named):
    move()  # of nothing yet: makes the tables
    played_game()
    User.objects.create_user("clerk")
    ask(
        target,
        f"CREATE TRIGGER spoil AFTER INSERT ON {table} BEGIN"
        f" UPDATE {table} SET {column} = 'other' WHERE id = new.id; END",
    )
    done = move()
    assert done.returncode == 1
    assert f"The {named} did not arrive" in done.stderr
    assert ask(target, f"SELECT * FROM {table}") == []


def test_dates_arrive_as_they_were(move, target):
    game = played_game()
    long_ago = game.created.replace(year=2001)
    Game.objects.filter(pk=game.pk).update(created=long_ago, updated=long_ago)
    move()
    dates = ask(target, "SELECT substr(created, 1, 4), substr(updated, 1, 4) FROM games_game")
    assert dates == [("2001", "2001")]


def test_a_rematch_still_knows_its_game(move, target):
    olive = new_person("Olive")
    game = make_game(olive)
    seat = game.seats.first().key
    olive.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    olive.client.post(f"/g/{game.id}/rematch/")
    move()
    again = ask(target, "SELECT rematch_of_id FROM games_game WHERE rematch_of_id IS NOT NULL")
    assert again == [(game.pk,)]


def test_staff_keep_their_permissions(move, target):
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="view_game"))
    move()
    held = """SELECT codename FROM auth_permission JOIN auth_user_user_permissions
              ON auth_permission.id = permission_id"""
    assert ask(target, held) == [("view_game",)]


def test_a_database_with_games_is_not_overwritten(move):
    played_game()
    assert move().returncode == 0
    again = move()
    assert again.returncode == 1
    assert "in that database already, and it has to be empty" in again.stderr


def test_new_rows_are_numbered_after_the_moved_ones(move, target):
    game = played_game()
    game.moves.update(ply=7)
    move()
    before = ask(target, "SELECT max(id) FROM games_move")[0][0]
    ask(
        target,
        "INSERT INTO games_move (game_id, ply, seat, text, played)"
        f" VALUES ('{game.pk}', 99, '', '', '')",
    )
    assert ask(target, "SELECT max(id) FROM games_move")[0][0] > before
