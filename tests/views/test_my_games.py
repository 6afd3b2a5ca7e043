"""The lists of one's own games on the front page: each can be told from the others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game
from games.registry import all_rules
from tests.support.game_factory import make_game, make_game_with_open_seat
from tests.support.game_requests import post_move
from tests.support.players import Person

pytestmark = pytest.mark.django_db

RULES = next(
    rules
    for rules in all_rules().values()
    if rules.levels > 1 and len(rules.seats(rules.clean({}))) == 2
)


def against(owner: Person, level: int) -> Game:
    mine, computer = (spec.key for spec in RULES.seats(RULES.clean({})))
    return make_game(owner, rules=RULES, seating={mine: "me", computer: f"computer-{level}"})


def entry(who: Person, game: Game) -> str:
    """How the front page lists a game."""
    page = who.client.get("/").text
    return page.split(f'href="{game.get_absolute_url()}"')[1].split("</li>")[0]


def test_games_against_computers_are_listed_with_their_levels(owner):
    games = [against(owner, level) for level in (1, 2)]
    for level, game in enumerate(games, start=1):
        assert f"with computer, level {level}" in entry(owner, game)


def test_a_game_is_listed_with_its_moves_and_its_age(owner):
    game = against(owner, 1)
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
    (empty,) = (spec for spec in game.specs if spec.key in game.to_move)
    assert f"{empty.name}: nobody yet</em>" in entry(owner, game)


def test_a_game_that_waits_for_another_player_names_no_seat(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert "nobody yet" not in entry(owner, game)


def test_an_unreadable_result_leaves_the_other_games_listed(owner):
    broken, whole = make_game(owner), make_game(owner)
    Game.objects.filter(pk=broken.pk).update(status=Game.Status.OVER, result_json=["all"])
    assert "0 moves" in entry(owner, broken)
    assert "Your turn" in entry(owner, whole)


def test_a_finished_game_shows_whether_i_won(owner, opponent):
    game = make_game(owner, opponent)
    seat = game.seats.filter(players=owner.player).first().key
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    assert "You lose." in entry(owner, game)
    assert "You win." in entry(opponent, game)
    assert "with Otto" in entry(owner, game)


def test_more_games_take_no_more_queries(owner):
    against(owner, 1)
    with CaptureQueriesContext(connection) as few:
        owner.client.get("/")
    for level in (1, 2, 1):
        against(owner, level)
    with CaptureQueriesContext(connection) as many:
        owner.client.get("/")
    assert len(many) == len(few)


def lists(who: Person, tag: str = "") -> HttpResponse:
    """What the front page gets when it asks for its lists again, with the tag of those it has."""
    return who.client.get("/", headers={"HX-Request": "true", "If-None-Match": tag})


def test_unchanged_lists_are_answered_with_304(owner, opponent):
    game = make_game(owner, opponent)
    first = lists(owner)
    assert first.status_code == 200
    assert game.get_absolute_url() in first.text
    assert "csrfmiddlewaretoken" not in first.text
    again = lists(owner, first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    post_move(owner, game)
    assert lists(owner, first["ETag"]).status_code == 200


def test_the_title_of_the_front_page_has_a_dot_while_a_game_waits(owner, opponent):
    make_game(owner, opponent)
    assert "<title>● Boardsite" in owner.client.get("/").text
    assert "<title>● Boardsite" in lists(owner).text
    assert "<title>Boardsite" in lists(opponent).text
