"""Statistics of the admin: games by day and kind."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.admin import statistics
from games.core.registry import all_rules
from games.models import Game
from tests.support.game_factory import make_finished_game, make_game
from tests.support.players import Person
from tests.support.staff import GAME_LIST, log_in_staff

pytestmark = pytest.mark.django_db


def test_games_are_counted_by_day_and_kind(owner: Person) -> None:
    finished, running, old = make_finished_game(owner), make_game(owner), make_game(owner)
    Game.objects.filter(pk=running.pk).update(only_computers=True)
    yesterday = timezone.now() - timedelta(days=1)
    Game.objects.filter(pk=old.pk).update(created=yesterday)
    counted = statistics.read_statistics()
    assert counted.days[0].total == (2, 1, 1)
    assert counted.days[1].total == (1, 0, 0)
    assert counted.days[0].kinds[list(all_rules()).index(finished.kind)] == (2, 1, 1)
    assert counted.days[0].players == 1
    assert len(counted.days) == statistics.DAYS
    assert counted.since is None


def test_only_the_newest_games_of_a_busy_site_are_counted(owner, monkeypatch):
    games = [make_game(owner) for _ in range(4)]
    monkeypatch.setattr(statistics, "COUNTED", 2)
    counted = statistics.read_statistics()
    assert counted.since == Game.objects.get(pk=games[1].pk).created
    assert counted.days[0].total.games == 3
    assert len(counted.days) == 1


def test_the_list_of_games_leads_to_the_statistics(clerk, owner):
    make_game(owner)
    assert 'href="/admin/games/game/statistics/"' in clerk.get(GAME_LIST).text
    page = clerk.get(f"{GAME_LIST}statistics/")
    assert page.status_code == 200
    assert "New players" in page.text


def test_staff_without_permission_see_no_statistics(db):
    assert log_in_staff("view_player").get(f"{GAME_LIST}statistics/").status_code == 403
