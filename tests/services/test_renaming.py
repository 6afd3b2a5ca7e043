"""Renaming a player: shown in all games of the player, and limited."""

from __future__ import annotations

import pytest

from games.bus import game_changed
from games.core.rate_limits import RateLimit
from games.core.registry import all_rules
from games.models import Game, Holder
from games.services import setup
from tests.support.game_factory import make_finished_game, make_game
from tests.support.game_requests import get_game_page, post_move
from tests.support.kinds import kinds_with_two_information_sets, two_player_rules
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


@pytest.fixture(params=kinds_with_two_information_sets())
def guessing(request, owner, opponent) -> Game:
    """Return a game in which the owner has a secret seat, whose side moves openly."""
    rules = all_rules()[request.param]
    specs = rules.seats(rules.clean({}))
    seating = {spec.key: "me" if spec.secret else "invite" for spec in specs}
    new = setup.NewGame(rules=rules, options={}, seating=seating)
    game = setup.create_game(player=owner.player, new=new)
    [secret] = game.to_move
    for spec in specs:
        if not spec.secret:
            Holder.objects.create(seat=game.seats.get(key=spec.key), player=opponent.player)
    assert rename(owner, "Olive") == 302
    post_move(owner, game)
    game.refresh_from_db()
    assert secret not in game.to_move
    return game


def test_a_secret_seat_is_not_renamed_while_its_side_moves_openly(owner, guessing):
    response = owner.client.post("/settings/", {"name": "a1 b2 c3"})
    assert response.status_code == 422
    assert "could be a hint" in response.text
    sent = {f"name-{seat.key}": "a1 b2 c3" for seat in guessing.seats.filter(players=owner.player)}
    assert owner.client.post(f"/g/{guessing.id}/names/", sent).status_code == 422
    assert new_game(owner, "a1 b2 c3") == 422
    assert "a1 b2 c3" not in get_game_page(owner, guessing)


def test_no_account_brings_another_name_to_a_secret_seat(owner, stranger, guessing):
    sent = {"name": "a1 b2 c3", "password": "four wise otters"}
    assert stranger.client.post("/me/account/create/", sent).status_code == 200
    rename(stranger, "a1 b2 c3")
    response = owner.client.post("/me/account/sign-in/", sent)
    assert response.status_code == 422
    assert "could be a hint" in response.text
    assert "a1 b2 c3" not in get_game_page(owner, guessing)


def test_an_open_seat_is_renamed_while_its_side_moves(owner, opponent, guessing):
    assert rename(opponent, "Otto") == 302


def test_the_people_on_one_device_are_named_at_any_time(owner):
    rules = all_rules()[kinds_with_two_information_sets()[0]]
    keys = [spec.key for spec in rules.seats(rules.clean({}))]
    new = setup.NewGame(rules=rules, options={}, seating=dict.fromkeys(keys, "me"))
    game = setup.create_game(player=owner.player, new=new)
    post_move(owner, game)
    sent = {f"name-{key}": f"Person {key}" for key in keys}
    assert owner.client.post(f"/g/{game.id}/names/", sent).status_code == 302


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


@pytest.mark.services
def test_a_rename_announces_a_change_of_running_games(owner, changed_games, running_game):
    rename(owner, "Ann")
    assert changed_games == [running_game.id]


def test_a_rename_is_shown_in_finished_games(owner, client, changed_games, finished_game):
    assert "Olive" in client.get(finished_game.get_absolute_url()).text
    rename(owner, "Ann")
    page = client.get(finished_game.get_absolute_url()).text
    assert "Ann" in page and "Olive" not in page
