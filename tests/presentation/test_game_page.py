"""The page of a game for each viewer: perspectives, turns, seats and links."""

from __future__ import annotations

import re
from html import escape

import pytest
from django.urls import reverse

from games.core.registry import all_rules
from games.presentation.visibility import Perspective, Viewer, perspective
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page, post_move
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import Person, new_person


def attribute(name: str, html: str) -> str:
    """Return an attribute of the board."""
    return re.search(rf'<section id="board"[^>]* {name}="([^"]*)"', html)[1]


@pytest.mark.django_db
def test_viewers_who_see_the_same_have_equal_perspectives(owner, opponent, stranger):
    game = make_game(owner, opponent)
    snapshot, first = read_snapshot(game.pk), game.specs[0].key

    def perspective_of(person: Person | None, seat: str | None = None) -> Perspective:
        return perspective(snapshot, Viewer(person.player.pk if person else None, seat))

    assert perspective_of(stranger, first) == perspective_of(None)
    assert perspective_of(owner, "nowhere") == perspective_of(owner)
    assert perspective_of(owner, first) != perspective_of(owner)
    assert perspective_of(owner) != perspective_of(opponent)


@pytest.mark.django_db
def test_a_solo_player_needs_no_undo_request(owner, opponent):
    solo, shared = make_game(owner), make_game(owner, opponent)
    viewer = Viewer(owner.player.pk)
    assert perspective(read_snapshot(solo.pk), viewer).is_solo
    assert not perspective(read_snapshot(shared.pk), viewer).is_solo


@pytest.mark.django_db
def test_seats_of_computers_are_not_empty(owner):
    first, second = seat_keys(two_player_rules())
    for other, is_empty in (("computer-1", False), ("invite", True)):
        game = make_game(owner, seating={first: "me", second: other})
        assert (f'data-empty="{second}"' in get_game_page(owner, game)) == is_empty


@pytest.mark.django_db
def test_only_the_player_to_move_has_a_board_of_my_turn(owner, opponent, stranger):
    game = make_game(owner, opponent)
    for mover, waiting in ((owner, opponent), (opponent, owner)):
        turns = [
            "my-turn" in attribute("class", get_game_page(person, game))
            for person in (mover, waiting)
        ]
        assert turns == [True, False]
        assert "my-turn" not in attribute("class", get_game_page(stranger, game))
        post_move(mover, game)


def turn(html: str) -> str:
    """Return the sentence that tells whose turn it is."""
    return re.search(r'<p class="whose">(.*?)</p>', html)[1]


@pytest.mark.django_db
def test_a_turn_in_a_game_of_three_names_the_player(owner, opponent, stranger):
    rules, seating = next(
        (rules, option.name)
        for rules in all_rules().values()
        for option in rules.options
        if option.high == 4
    )
    game = make_game(owner, opponent, new_person("<Abel>"), rules=rules, **{seating: 3})
    turns = []
    for mover in (owner, opponent):
        turns.append([turn(get_game_page(person, game)) for person in (owner, opponent, stranger)])
        post_move(mover, game)
    first = "\u2068Olive\u2069 to move."
    second = "\u2068Otto\u2069 to move."
    assert turns == [["Your turn.", first, first], [second, "Your turn.", second]]
    assert turn(get_game_page(stranger, game)) == "\u2068&lt;Abel&gt;\u2069 to move."


@pytest.mark.django_db
def test_a_turn_names_the_seat_of_a_player_without_a_name(opponent, stranger):
    game = make_game(new_person(""), opponent)
    assert turn(get_game_page(stranger, game)) == f"{game.specs[0].name} to move."


@pytest.mark.django_db
def test_the_prompt_is_shown_for_the_first_two_moves_of_a_seat(owner, opponent):
    game, shown = make_game(owner, opponent), []
    for mover in (owner, opponent) * 3:
        page = get_game_page(mover, game)
        shown.append("data-known=" in page)
        post_move(mover, game)
    assert shown == [False] * 4 + [True] * 2


@pytest.mark.django_db
def test_a_computer_that_is_waited_for_thinks_in_the_prompt_and_by_its_piece(owner):
    first, second = seat_keys(two_player_rules())
    game = make_game(owner, seating={first: "me", second: "computer-1"})
    assert 'class="thinks"' not in get_game_page(owner, game)
    post_move(owner, game)
    page = get_game_page(owner, game)
    assert turn(page) == f"{game.specs[1].name} is thinking…"
    assert 'class="thinks"' in page


def people(page: str) -> list[str]:
    """Return the people beside a board, with the words behind their names."""
    found = re.findall(r"<bdi>(.*?)</bdi>( <small>\((.*?)\))?", page)
    return [" ".join(filter(None, (name, mark))) for name, _, mark in found]


@pytest.mark.django_db
def test_the_viewer_is_told_behind_the_right_name(owner, opponent):
    game = make_game(owner, opponent)
    assert sorted(people(get_game_page(owner, game))) == ["Olive you", "Otto"]
    assert sorted(people(get_game_page(opponent, game))) == ["Olive", "Otto you"]
    nameless = new_person("")
    game = make_game(nameless, opponent)
    assert sorted(people(get_game_page(nameless, game))) == ["Otto", "You"]


@pytest.mark.django_db
def test_the_first_game_of_a_kind_tells_its_aim_until_the_first_move(owner, opponent):
    game = make_game(owner, opponent)
    aim = f'<p class="aim">{escape(str(game.rules.tagline))}</p>'
    assert aim in get_game_page(owner, game)
    post_move(owner, game)
    assert aim not in get_game_page(owner, game)
    assert aim in get_game_page(opponent, game)
    assert aim not in get_game_page(owner, make_game(owner, opponent))


@pytest.mark.django_db
def test_no_analysis_is_offered_before_the_first_move(owner):
    game = make_game(owner)
    address = reverse("analysis", args=[game.id])
    assert address not in get_game_page(owner, game)
    post_move(owner, game)
    assert address in get_game_page(owner, game)
