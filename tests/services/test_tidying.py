"""``manage.py tidy``: old rows that the settings do not keep are removed, all others stay."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Evaluation, Game, Heartbeat, Move, Player, PositionValues
from games.services import players, tidying
from games.services.tidying import AT_ONCE, tidy_daily
from tests.support.analyses import analyse, store_values
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_resign
from tests.support.players import Person, new_person
from tests.support.snapshots import ask_evaluations

pytestmark = [pytest.mark.django_db, pytest.mark.services]

KEEP = {
    "games without a move": 10,
    "running games": 20,
    "finished games": 0,
    "evaluations": 5,
    "analyses": 5,
    "players without games": 30,
    "expired sessions": 1,
    "sent notices": 30,
    "sightings": 1,
    "imports": 30,
    "unused classes": 30,
    "classes": 180,
}


@pytest.fixture(autouse=True)
def keep_days(settings, tmp_path):
    settings.KEEP_DAYS, settings.DATA_DIR = dict(KEEP), tmp_path
    return settings.KEEP_DAYS


def tidy(**options: bool) -> str:
    output = StringIO()
    call_command("tidy", stdout=output, **options)
    return output.getvalue()


def age(game: Game, days: float) -> None:
    """Let the last change of a game be so many days ago."""
    Game.objects.filter(pk=game.pk).update(updated=timezone.now() - timedelta(days=days))


@pytest.mark.parametrize(("days", "left"), [(9, 1), (11, 0)])
def test_a_game_without_a_move_is_removed_first(owner, days, left):
    age(make_game(owner), days)
    tidy()
    assert Game.objects.count() == left


@pytest.mark.parametrize(("days", "left"), [(19, 1), (21, 0)])
def test_an_abandoned_game_is_removed_with_its_moves(owner, days, left):
    age(make_game_with_moves(owner, 2), days)
    tidy()
    assert (Game.objects.count(), Move.objects.count()) == (left, 2 * left)


@pytest.mark.parametrize(("kept", "left"), [(0, 1), (400, 1), (30, 0)])
def test_finished_games_stay_unless_the_setting_says_otherwise(owner, keep_days, kept, left):
    keep_days["finished games"] = kept
    game = make_game_with_moves(owner, 2)
    post_resign(owner, game)
    age(game, 300)
    tidy()
    assert Game.objects.count() == left


def test_nothing_is_removed_if_everything_is_kept(owner, keep_days):
    keep_days |= dict.fromkeys(keep_days, 0)
    age(make_game(owner), 5000)
    assert tidy().count("kept for ever") == len(KEEP)
    assert Game.objects.exists()


def test_a_dry_run_counts_and_removes_nothing(owner):
    age(make_game(owner), 100)
    assert "games without a move, older than 10 days: 1 to remove" in tidy(dry_run=True)
    assert Game.objects.exists()


def evaluated_game(owner: Person, days: float) -> Game:
    """Return a finished game with an evaluation that was seen so many days ago."""
    game = make_game_with_moves(owner, 2)
    post_resign(owner, game)
    store_values(game, 1, best=3)
    PositionValues.objects.update(seen=timezone.now() - timedelta(days=days))
    return game


@pytest.mark.parametrize(("days", "left"), [(4, 2), (6, 0)])
def test_a_position_that_has_waited_too_long_is_removed(owner, days, left):
    ask_evaluations(make_game_with_moves(owner, 1), range(2))
    Evaluation.objects.update(asked=timezone.now() - timedelta(days=days))
    tidy()
    assert Evaluation.objects.count() == left


def analysed_game(owner: Person, days: float) -> Game:
    """Return a finished game whose analysis was last seen so many days ago."""
    game = make_game_with_moves(owner, 2)
    analyse(owner, game)
    PositionValues.objects.update(seen=timezone.now() - timedelta(days=days))
    return game


@pytest.mark.parametrize(("days", "left"), [(4, 1), (6, 0)])
def test_a_whole_analysis_goes_that_nobody_looks_at(owner, days, left):
    analysed_game(owner, days)
    tidy()
    assert PositionValues.objects.count() == left


def test_a_whole_analysis_that_is_looked_at_stays(owner):
    game = analysed_game(owner, 6)
    owner.client.get(f"/g/{game.id}/analysis/")
    tidy()
    assert PositionValues.objects.exists()


def test_looking_at_an_analysis_twice_a_day_writes_once(owner):
    game = evaluated_game(owner, 6)
    owner.client.get(f"/g/{game.id}/analysis/")
    with CaptureQueriesContext(connection) as queries:
        owner.client.get(f"/g/{game.id}/analysis/")
    assert not [query for query in queries if query["sql"].startswith("UPDATE")]


def test_an_evaluation_that_was_removed_is_computed_again_when_asked_for(owner):
    game = evaluated_game(owner, 6)
    tidy()
    owner.client.post(f"/g/{game.id}/analysis/")
    assert Evaluation.objects.count() == game.ply + 1


def test_a_player_without_a_game_is_removed(owner):
    old = new_person("Old").player
    make_game(owner)
    Player.objects.update(created=timezone.now() - timedelta(days=31))
    new = players.new_player(name="New")
    tidy()
    assert set(Player.objects.all()) == {owner.player, new}
    assert old not in Player.objects.all()


def test_a_player_is_removed_with_the_last_game(owner):
    age(make_game(owner), 100)
    Player.objects.update(created=timezone.now() - timedelta(days=100))
    tidy()
    assert not Player.objects.exists()


def test_expired_sessions_are_removed():
    now = timezone.now()
    for key, days in (("old", -2), ("new", 2)):
        Session.objects.create(session_key=key, expire_date=now + timedelta(days=days))
    tidy()
    assert [session.pk for session in Session.objects.all()] == ["new"]


def test_rows_are_removed_in_small_batches(owner, monkeypatch):
    monkeypatch.setattr(tidying, "LOOKED_UP", AT_ONCE + 1)
    for _ in range(AT_ONCE + 3):
        age(make_game(owner), 100)
    rule = next(rule for rule in tidying.RULES if rule.name == "games without a move")
    assert list(rule.remove()) == [AT_ONCE, 1, 2]
    assert not Game.objects.exists()


def test_a_game_that_goes_on_while_rows_are_removed_stays(owner):
    games = [make_game(owner) for _ in range(AT_ONCE + 1)]
    for game in games:
        age(game, 100)
    removing = tidying.RULES[0].remove()
    next(removing)
    Game.objects.update(updated=timezone.now())
    assert list(removing) == [0]
    assert Game.objects.count() == 1


def test_a_worker_removes_old_rows_once_a_day(owner):
    age(make_game(owner), 100)
    worker = tidy_daily()
    assert [next(worker), next(worker)] == [True, False]
    age(make_game(owner), 100)
    assert next(worker) is False
    Heartbeat.objects.update(at=timezone.now() - timedelta(days=2))
    assert next(tidy_daily()) is True


def test_the_workers_of_a_site_remove_rows_once_together(owner):
    next(tidy_daily())
    age(make_game(owner), 100)
    assert next(tidy_daily()) is False
