"""Turns of hosts and addresses: nobody's many jobs delay the others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.test import RequestFactory
from django.utils import timezone

from games.core.rate_limits import (
    WAITING_ANALYSES_PER_ADDRESS,
    WAITING_GAMES_PER_ADDRESS,
    WAITING_GAMES_PER_PLAYER,
    RateLimited,
    Turns,
)
from games.models import Evaluation, Game
from games.services import computers
from games.state.snapshot import read_snapshot
from games.web.client_address import origin_of
from games.worker import leases
from tests.support.computer_games import make_game_against_computer
from tests.support.game_factory import make_game_with_moves
from tests.support.kinds import two_player_rules
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def turns() -> Turns:
    return Turns()


def make_waiting_games(host: Person, number: int, origin: str | None = None) -> list[Game]:
    games = [make_game_against_computer(host) for _ in range(number)]
    Game.objects.filter(pk__in=[game.pk for game in games]).update(origin=origin)
    return games


def order_of_games(turns: Turns) -> list[Game]:
    return list(iter(lambda: leases.next_turn(turns), None))


def test_a_host_of_many_games_delays_another_host_by_one_move(owner, stranger, turns):
    many, [one] = make_waiting_games(stranger, 4), make_waiting_games(owner, 1)
    assert order_of_games(turns) == [many[0], one, *many[1:]]


def test_many_hosts_of_one_address_delay_another_address_by_one_move(owner, turns):
    many = [
        game
        for _ in range(4)
        for game in make_waiting_games(new_person("Crowd"), 1, origin="crowd")
    ]
    [one] = make_waiting_games(owner, 1, origin="home")
    assert order_of_games(turns) == [many[0], one, *many[1:]]


def test_hosts_of_one_address_take_turns(owner, stranger, turns):
    many = make_waiting_games(stranger, 3, origin="school")
    [one] = make_waiting_games(owner, 1, origin="school")
    assert order_of_games(turns) == [many[0], one, *many[1:]]


def ask_analysis(person: Person, origin: str, moves: int = 2) -> Game:
    game = make_game_with_moves(person, moves)
    computers.ask_evaluations(
        snapshot=read_snapshot(game.id), plies=range(moves + 1), origin=origin
    )
    return game


def test_many_analyses_of_one_address_delay_another_address_by_one_position(owner, stranger, turns):
    for _ in range(3):
        ask_analysis(stranger, "crowd")
    one = ask_analysis(owner, "home")
    order = list(iter(lambda: leases.next_evaluation(hint=False, turns=turns), None))
    assert [number for number, row in zip(count(), order) if row.game_id == one.id] == [1, 3, 5]


def test_a_host_with_five_waiting_games_begins_no_sixth(owner, settings):
    settings.RATE_LIMITS = False
    make_waiting_games(owner, WAITING_GAMES_PER_PLAYER)
    settings.RATE_LIMITS = True
    with pytest.raises(RateLimited, match="has to move in 5 of your games"):
        make_game_against_computer(owner)


@pytest.mark.parametrize("address", ["192.0.2.7", "192.0.2.8"])
def test_a_sixth_game_of_an_address_says_that_it_waits_in_turn(settings, client, address):
    settings.RATE_LIMITS = False
    for _ in range(WAITING_GAMES_PER_ADDRESS):
        make_waiting_games(new_person("Crowd"), 1)
    origin = origin_of(RequestFactory().get("/", REMOTE_ADDR="192.0.2.7"))
    Game.objects.filter(computer_to_move=True).update(origin=origin)
    settings.RATE_LIMITS = True
    rules = two_player_rules()
    page = client.post(
        f"/new/{rules.slug}/start/", {"with": "computer"}, REMOTE_ADDR=address, follow=True
    )
    assert ("plays them in turn" in page.text) == (address == "192.0.2.7")


def test_the_addresses_of_two_days_cannot_be_compared(monkeypatch):
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.7")
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    found = []
    for now in (noon, noon + timedelta(hours=1), noon + timedelta(days=1)):
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        found.append(origin_of(request))
    assert found[0] == found[1] != found[2]


def test_an_address_with_five_waiting_analyses_starts_no_sixth(owner, stranger, settings):
    settings.RATE_LIMITS = True
    for _ in range(WAITING_ANALYSES_PER_ADDRESS):
        ask_analysis(stranger, "crowd")
    with pytest.raises(RateLimited, match="5 analyses are still running"):
        ask_analysis(stranger, "crowd")
    assert ask_analysis(owner, "home").evaluations.exists()


def test_the_address_of_a_game_is_not_stored(owner, client):
    game = make_game_with_moves(owner, 1)
    owner.client.post(f"/g/{game.id}/analysis/", REMOTE_ADDR="192.0.2.7")
    for row in Evaluation.objects.all():
        assert row.origin
        assert "192.0.2" not in row.origin
