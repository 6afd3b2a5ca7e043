"""The lists of a player's own games on the front page."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Game
from tests.support.game_factory import make_finished_game, make_game, make_game_with_open_seat
from tests.support.game_requests import poll_lists, post_move
from tests.support.kinds import default_specs, seat_keys
from tests.support.players import Person

pytestmark = pytest.mark.django_db

RULES = next(
    rules
    for rules in all_rules().values()
    if len(rules.ladder) > 1 and len(default_specs(rules)) == 2
)


def make_game_against_computer(owner: Person, level: int) -> Game:
    mine, computer = seat_keys(RULES)
    return make_game(owner, rules=RULES, seating={mine: "me", computer: f"computer-{level}"})


def entry(person: Person, game: Game) -> str:
    """Return the list entry of a game on the front page, with single spaces as browsers show."""
    page = person.client.get("/").text
    html = page.split(f'href="{game.get_absolute_url()}"')[1].split("</li>")[0]
    return re.sub(r"[ \n]+", " ", html)


def test_games_against_computers_are_listed_with_their_levels(owner):
    games = [make_game_against_computer(owner, level) for level in (1, 2)]
    for level, game in enumerate(games, start=1):
        assert f"against {RULES.ladder[level].name} (computer)" in entry(owner, game)


def test_a_game_is_listed_with_its_moves_and_its_age(owner):
    game = make_game_against_computer(owner, 1)
    post_move(owner, game)
    assert "1 move, just now" in entry(owner, game)
    long_ago = timezone.now() - timedelta(days=3, hours=2)
    Game.objects.filter(pk=game.pk).update(updated=long_ago)
    assert "1 move, 3\xa0days ago" in entry(owner, game)


def test_a_game_with_my_turn_is_marked_beside_its_move_count(owner, opponent):
    game = make_game(owner, opponent)
    assert "Your turn" in entry(owner, game)
    assert "0 moves" in entry(owner, game)


def test_a_game_that_waits_for_an_open_seat_names_the_seat(owner):
    game = make_game_with_open_seat(owner)
    assert "nobody yet" not in entry(owner, game)
    post_move(owner, game)
    game.refresh_from_db()
    (open_spec,) = (spec for spec in game.specs if spec.key in game.to_move)
    assert f"{open_spec.name}: nobody yet </em>" in entry(owner, game)


def test_a_game_that_waits_for_another_player_names_no_seat(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert "nobody yet" not in entry(owner, game)


def test_an_unreadable_result_leaves_the_other_games_listed(owner):
    broken, other = make_game(owner), make_game(owner)
    Game.objects.filter(pk=broken.pk).update(status=Game.Status.OVER, result_json=["all"])
    assert "0 moves" in entry(owner, broken)
    assert "Your turn" in entry(owner, other)


def test_a_finished_game_shows_whether_i_won(owner, opponent):
    game = make_finished_game(owner, opponent)
    assert "Lost" in entry(owner, game)
    assert "Won" in entry(opponent, game)
    assert "against Otto" in entry(owner, game)


def fewest_queries(owner) -> int:
    """Return the queries of a front page. One of two visits may find a cached board too old."""
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            owner.client.get("/")
        counts.append(len(queries))
    return min(counts)


def test_more_games_take_no_more_queries(owner):
    make_game_against_computer(owner, 1)
    owner.client.get("/")
    few = fewest_queries(owner)
    for level in (1, 2, 1):
        make_game_against_computer(owner, level)
    assert fewest_queries(owner) == few


def test_unchanged_lists_are_answered_with_304(owner, opponent):
    game = make_game(owner, opponent)
    first = poll_lists(owner)
    assert first.status_code == 200
    assert game.get_absolute_url() in first.text
    assert "csrfmiddlewaretoken" not in first.text
    again = poll_lists(owner, first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    post_move(owner, game)
    assert poll_lists(owner, first["ETag"]).status_code == 200


def test_the_title_of_the_front_page_has_a_dot_while_a_game_waits(owner, opponent):
    make_game(owner, opponent)
    assert "<title>● Squarely:" in owner.client.get("/").text
    assert "<title>● Squarely:" in poll_lists(owner).text
    assert "<title>Squarely:" in poll_lists(opponent).text
