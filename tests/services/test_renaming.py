"""Renaming a player: shown in all games of the player, and limited."""

from __future__ import annotations

import pytest

from games.core.rate_limits import RateLimit
from games.models import Game
from games.state.signals import game_changed
from tests.support.game_factory import make_finished_game, make_game
from tests.support.kinds import two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def running_game(owner: Person) -> Game:
    return make_game(owner)


@pytest.fixture
def finished_game(owner: Person) -> Game:
    return make_finished_game(owner)


@pytest.fixture
def changed_games(running_game, finished_game):
    """Yield a list that collects the ids of games changed_games as changed."""
    ids = []

    def receive(*, game_id, **_):
        ids.append(game_id)

    game_changed.connect(receive)
    yield ids
    game_changed.disconnect(receive)


def rename(owner: Person, name: str) -> int:
    return owner.client.post("/settings/", {"name": name}).status_code


def test_renames_per_player_are_limited(owner, monkeypatch):
    monkeypatch.setattr("games.views.common.NAMES_PER_PLAYER", RateLimit(2, 60))
    responses = [rename(owner, name) for name in ("Ann", "Ben", "Cas")]
    assert responses == [302, 302, 429]
    owner.player.refresh_from_db()
    assert owner.player.name == "Ben"


def test_a_rename_beyond_the_limit_is_refused_with_a_sentence(owner, monkeypatch):
    monkeypatch.setattr("games.views.common.NAMES_PER_PLAYER", RateLimit(0, 60))
    assert "Too many requests" in owner.client.post("/settings/", {"name": "Ann"}).text


def new_game(owner: Person, name: str) -> int:
    rules = two_player_rules()
    return owner.client.post(f"/new/{rules.slug}/", {"name": name}).status_code


def test_renames_at_new_games_count_too(owner, monkeypatch):
    monkeypatch.setattr("games.views.common.NAMES_PER_PLAYER", RateLimit(2, 60))
    names = ("Ann", "Ann", "Ben", "Ben", "", "Cas")
    assert [new_game(owner, name) for name in names] == [302] * 5 + [429]
    owner.player.refresh_from_db()
    assert owner.player.name == "Ben"
    assert Game.objects.count() == 5


def test_the_first_name_of_a_player_is_not_counted(client, monkeypatch):
    monkeypatch.setattr("games.views.common.NAMES_PER_PLAYER", RateLimit(0, 60))
    assert client.post(f"/new/{two_player_rules().slug}/", {"name": "Ann"}).status_code == 302


@pytest.mark.parametrize("name", ["Olive", "  Olive "])
def test_saving_settings_with_the_same_name_is_no_rename(
    owner, monkeypatch, changed_games, running_game, name
):
    monkeypatch.setattr("games.views.common.NAMES_PER_PLAYER", RateLimit(0, 60))
    before = running_game.version
    assert rename(owner, name) == 302
    running_game.refresh_from_db()
    assert (changed_games, running_game.version) == ([], before)


def test_a_rename_announces_a_change_of_running_games(owner, changed_games, running_game):
    rename(owner, "Ann")
    assert changed_games == [running_game.id]


def test_a_rename_is_shown_in_finished_games(owner, client, changed_games, finished_game):
    assert "Olive" in client.get(finished_game.get_absolute_url()).text
    rename(owner, "Ann")
    page = client.get(finished_game.get_absolute_url()).text
    assert "Ann" in page and "Olive" not in page
