"""A new name is shown at all tables of the player, and not without end."""

from __future__ import annotations

import pytest

from games.models import Game
from games.rate_limits import RateLimit
from games.signals import game_changed
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move
from tests.support.kinds import two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def running(owner: Person) -> Game:
    return make_game(owner)


@pytest.fixture
def over(owner: Person) -> Game:
    game = make_game(owner)
    owner.client.post(f"/g/{game.id}/resign/", {"seat": next_legal_move(game)[0], "ply": 0})
    return game


@pytest.fixture
def announced(running, over):
    """The games of which is told from now on that they have changed."""
    told = []

    def hear(*, game_id, **_):
        told.append(game_id)

    game_changed.connect(hear)
    yield told
    game_changed.disconnect(hear)


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
    owner, monkeypatch, announced, running, name
):
    monkeypatch.setattr("games.views.common.NAMES_PER_PLAYER", RateLimit(0, 60))
    before = running.version
    assert rename(owner, name) == 302
    running.refresh_from_db()
    assert (announced, running.version) == ([], before)


def test_a_rename_announces_a_change_of_running_games(owner, announced, running):
    rename(owner, "Ann")
    assert announced == [running.id]


def test_a_rename_is_shown_in_finished_games(owner, client, announced, over):
    assert "Olive" in client.get(over.get_absolute_url()).text
    rename(owner, "Ann")
    shown = client.get(over.get_absolute_url()).text
    assert "Ann" in shown and "Olive" not in shown
