"""Games between computers: marked as such, and limited per player and address."""

from __future__ import annotations

import pytest

from games.contract import text
from games.core.rate_limits import COMPUTER_GAMES_PER_PLAYER, RateLimit, RateLimited
from games.models import Game
from games.services import computers
from tests.support.computer_games import make_game_between_computers
from tests.support.game_factory import make_game
from tests.support.kinds import default_specs, two_player_rules

pytestmark = pytest.mark.django_db


def form_data(choice: str) -> dict[str, str]:
    """Return the form of a new game with the same choice for every seat."""
    rules = two_player_rules()
    seats = {f"seat-{spec.key}": choice for spec in default_specs(rules)}
    return {**{option.name: str(option.default) for option in rules.options}, **seats, "name": ""}


def test_a_game_with_a_released_seat_is_no_game_between_computers(owner):
    game = make_game_between_computers(owner)
    computers.release_seats(game=game, reason=text("It cannot go on."))
    game.refresh_from_db()
    assert not game.only_computers


def test_computers_among_themselves_play_without_a_clock(owner):
    form = {**form_data("computer-1"), "time": "5+3"}
    owner.client.post(f"/new/{two_player_rules().slug}/", form)
    assert Game.objects.get().clock is None


def test_running_games_between_computers_per_player_are_limited(owner):
    responses = [
        owner.client.post(f"/new/{two_player_rules().slug}/", form_data("computer-1"))
        for _ in range(COMPUTER_GAMES_PER_PLAYER + 1)
    ]
    assert [response.status_code for response in responses] == [302] * COMPUTER_GAMES_PER_PLAYER + [
        429
    ]
    assert (
        f"You already have {COMPUTER_GAMES_PER_PLAYER} games between computers running"
        in responses[-1].text
    )
    assert Game.objects.count() == COMPUTER_GAMES_PER_PLAYER


def test_a_finished_game_between_computers_frees_its_place(owner):
    for _ in range(COMPUTER_GAMES_PER_PLAYER):
        make_game_between_computers(owner)
    with pytest.raises(RateLimited):
        make_game_between_computers(owner)
    Game.objects.filter(pk=Game.objects.first().pk).update(status=Game.Status.OVER)
    assert make_game_between_computers(owner).only_computers


def test_games_with_people_are_allowed_beyond_the_limit(owner):
    for _ in range(COMPUTER_GAMES_PER_PLAYER):
        make_game_between_computers(owner)
    assert owner.client.post(f"/new/{two_player_rules().slug}/", form_data("me")).status_code == 302


def test_games_of_others_and_with_people_do_not_count(owner, stranger):
    for _ in range(COMPUTER_GAMES_PER_PLAYER):
        make_game_between_computers(stranger)
        make_game(owner)
    assert make_game_between_computers(owner).only_computers


def test_games_between_computers_without_a_cookie_count_by_address(client, monkeypatch):
    monkeypatch.setattr("games.views.lobby.new.COMPUTER_GAMES_PER_ADDRESS", RateLimit(1, 60))
    responses = []
    for _ in range(2):
        client.cookies.clear()
        responses.append(
            client.post(f"/new/{two_player_rules().slug}/", form_data("computer-1")).status_code
        )
    assert responses == [302, 429]
    assert Game.objects.count() == 1
