"""The strength of the computer, which is changed on the page of a game before the first move."""

from __future__ import annotations

import pytest

from games.core.refusals import NotYourSeat, Refusal
from games.core.registry import all_rules
from games.models import Game
from games.services import plans, play
from games.services.computers import change_level
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_move
from tests.support.kinds import default_specs, kinds_with_computers, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db
SHEET = 'popover id="levels-'


def start(person: Person, slug: str = "") -> Game:
    """Return a new game of one person against easy computers."""
    slug = slug or two_player_rules().slug
    person.client.post(f"/new/{slug}/start/", {"with": plans.COMPUTER})
    return Game.objects.latest("created")


def levels(game: Game) -> set[int]:
    """Return the levels of a game's computers."""
    found = game.seats.exclude(computer=None).values_list("computer", flat=True)
    return {level for level in found if level is not None}


def choose(person: Person, game: Game, level: object) -> int:
    """Choose a level on the page of a game, and return the status of the answer."""
    answer = person.client.post(f"{game.get_absolute_url()}level/", {"level": level})
    return answer.status_code


@pytest.mark.parametrize("slug", kinds_with_computers())
def test_the_level_of_all_computers_is_changed_before_the_first_move(slug, owner):
    game, highest = start(owner, slug), [*all_rules()[slug].ladder][-1]
    assert owner.client.get(game.get_absolute_url()).text.count(SHEET) == 1
    assert choose(owner, game, highest) == 302
    assert levels(game) == {highest}
    assert f"{SHEET}{highest}" in owner.client.get(game.get_absolute_url()).text


def test_the_changed_level_is_the_one_of_the_next_game(owner):
    choose(owner, start(owner), 1)
    assert levels(start(owner)) == {1}


def test_a_level_can_be_changed_after_a_move_of_the_computer(owner):
    rules = two_player_rules()
    first, second = (spec.key for spec in default_specs(rules))
    game = make_game(owner, rules=rules, seating={first: "computer-1", second: "me"})
    move = next(iter(rules.start(game.setup).legal_moves(first)))
    play.play_move(game_id=game.id, seat=first, text=move, ply=0, player=None)
    assert choose(owner, game, 2) == 302
    assert levels(game) == {2}


def test_a_level_stays_after_the_first_move_of_a_person(owner):
    game = start(owner)
    post_move(owner, game)
    assert SHEET not in owner.client.get(game.get_absolute_url()).text
    assert choose(owner, game, 1) == 422
    assert levels(game) == {2}


def test_no_one_else_changes_a_level(owner, stranger):
    game = start(owner)
    assert SHEET not in stranger.client.get(game.get_absolute_url()).text
    assert choose(stranger, game, 1) == 403
    with pytest.raises(NotYourSeat):
        change_level(game_id=game.id, player=stranger.player, level=1)
    assert levels(game) == {2}


def test_no_level_is_offered_without_a_computer(owner):
    game = make_game_with_moves(owner, 0)
    assert SHEET not in owner.client.get(game.get_absolute_url()).text
    with pytest.raises(Refusal, match="before your first move"):
        change_level(game_id=game.id, player=owner.player, level=1)


@pytest.mark.parametrize("level", ["0", "-1", "100", "x", ""])
def test_an_unknown_level_is_refused(level, owner):
    game = start(owner)
    assert choose(owner, game, level) == 422
    assert levels(game) == {2}


def test_the_same_level_again_makes_no_new_version(owner):
    game = start(owner)
    version = game.version
    assert choose(owner, game, 2) == 302
    game.refresh_from_db()
    assert game.version == version


@pytest.mark.parametrize("level", [0, -1, 100])
def test_no_program_sets_a_level_that_there_is_not(level: int, owner: Person) -> None:
    game = start(owner)
    with pytest.raises(Refusal):
        change_level(game_id=game.id, player=owner.player, level=level)
    assert levels(game) == {2}
