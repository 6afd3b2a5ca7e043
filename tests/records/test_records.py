"""Records against the computers: the games that count, and the level that is offered."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.contract import Result, text
from games.models import Game, Holder
from games.records import offers, outcomes_of, records
from games.services.verification import store_outcomes
from tests.support.game_factory import make_game
from tests.support.kinds import seat_keys, three_player_options, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db

RULES = two_player_rules()
MINE, OTHER = seat_keys(RULES)


def played(person: Person, level: int, won: bool | None, *, days_ago: int = 0) -> None:
    """Let a person have finished a game against a level; ``won`` is None for a draw."""
    game = make_game(person, seating={MINE: "me", OTHER: f"computer-{level}"})
    end(game, {True: {MINE}, False: {OTHER}, None: set()}[won], days_ago)


def end(game: Game, winners: set[str], days_ago: int = 0) -> None:
    result = Result(frozenset(winners), text("An end."))
    Game.objects.filter(pk=game.pk).update(
        status=Game.Status.OVER, result_json=result.to_json(), computer_to_move=False
    )
    ended = timezone.now() - timedelta(days=days_ago)
    Holder.objects.filter(seat__game=game).update(ended=ended)


def test_wins_and_losses_are_counted_for_each_level(owner: Person) -> None:
    for level, won in [(1, True), (1, False), (2, True), (2, None)]:
        played(owner, level, won)
    found = records(outcomes_of(owner.player))
    assert [(record.level, record.played, record.won) for record in found] == [(1, 2, 1), (2, 2, 1)]


def test_the_longest_streak_follows_the_order_of_the_games(owner: Person) -> None:
    for days_ago, won in enumerate([True, False, True, True, True, None, True]):
        played(owner, 1, won, days_ago=days_ago)
    [record] = records(outcomes_of(owner.player))
    assert record.longest == 3


@pytest.mark.parametrize("imported", [{}, {"day": "2007-11-03"}])
def test_games_that_began_elsewhere_or_in_another_game_do_not_count(
    owner: Person, imported: dict[str, str]
) -> None:
    played(owner, 1, True)
    Game.objects.update(imported=imported)
    assert outcomes_of(owner.player) == []


def test_games_with_other_people_do_not_count(owner: Person, opponent: Person) -> None:
    end(make_game(owner, opponent), {MINE})
    assert outcomes_of(owner.player) == []


def test_games_that_end_with_a_stand_in_do_not_count(owner: Person) -> None:
    played(owner, 1, won=True)
    claim = dict.fromkeys(["player", "joined", "since", "by"], "")
    Game.objects.update(claims=[{"seat": "gone", **claim}])
    assert outcomes_of(owner.player) == []


def test_games_between_ones_own_seats_do_not_count(owner: Person) -> None:
    end(make_game(owner), {MINE})
    assert outcomes_of(owner.player) == []


def test_a_stored_outcome_counts_as_that_of_the_game(owner: Person) -> None:
    for level, won in [(1, True), (2, False), (3, None)]:
        played(owner, level, won, days_ago=level)
    before = outcomes_of(owner.player)
    store_outcomes()
    Game.objects.update(result_json=None)
    assert outcomes_of(owner.player) == before
    assert [(outcome.level, outcome.won) for outcome in before] == [
        (3, None),
        (2, False),
        (1, True),
    ]


def test_a_win_with_one_of_two_own_seats_counts_for_nobody(owner: Person) -> None:
    rules, options = three_player_options()
    first, second, third = (spec.key for spec in rules.seats({**rules.clean({}), **options}))
    seating = {first: "me", second: "me", third: "computer-1"}
    end(make_game(owner, rules=rules, seating=seating, **options), {first})
    assert outcomes_of(owner.player) == []


def test_a_visitor_without_games_has_no_record() -> None:
    assert outcomes_of(None) == []


@pytest.mark.parametrize(
    ("level", "results", "offered"),
    [
        (1, [True], []),
        (1, [True, True], [2]),
        (1, [True, False, True], []),
        (2, [False, False], []),
        (2, [False, False, False], [1]),
        (1, [False, False, False], []),
        ([*RULES.ladder][-1], [True, True], []),
        (2, [True, None], []),
    ],
)
def test_the_next_level_is_offered_after_a_run(
    owner: Person, level: int, results: list[bool | None], offered: list[int]
) -> None:
    for number, won in enumerate(results):
        played(owner, level, won, days_ago=len(results) - number)
    assert [offer.level for offer in offers(outcomes_of(owner.player))] == offered


def test_results_of_another_level_end_a_run(owner: Person) -> None:
    played(owner, 2, True, days_ago=2)
    played(owner, 1, True, days_ago=1)
    assert offers(outcomes_of(owner.player)) == []


def test_ones_games_show_the_record_and_begin_the_next_level(owner: Person) -> None:
    for _ in range(2):
        played(owner, 1, True)
    page = owner.client.get(reverse("my_games")).text
    assert 'id="records"' in page
    assert "two wins in a row" in page
    address = reverse("quick_start", args=[RULES.slug])
    response = owner.client.post(address, {"with": "computer", "level": "2"})
    game = Game.objects.get(pk=response["Location"].split("/")[2])
    assert {seat.computer for seat in game.seats.all()} == {None, 2}


def test_an_unknown_level_is_a_bad_request(owner: Person) -> None:
    address = reverse("quick_start", args=[RULES.slug])
    response = owner.client.post(address, {"with": "computer", "level": "99"})
    assert response.status_code == 400
    assert not Game.objects.exists()


def test_the_front_page_shows_which_levels_are_beaten(owner: Person, stranger: Person) -> None:
    played(owner, 1, True)
    assert 'class="beaten"' in owner.client.get(reverse("home")).text
    assert 'class="beaten"' not in stranger.client.get(reverse("home")).text


def test_a_damaged_result_is_left_out(owner: Person) -> None:
    played(owner, 1, True)
    Game.objects.update(result_json={"winners": None})
    assert outcomes_of(owner.player) == []
