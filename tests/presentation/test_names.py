"""The sentences of a game call its people by their names."""

from __future__ import annotations

import re

import pytest

from games.contract import text
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game
from games.presentation.game_page import build_page, render_update
from games.presentation.sight import call_by_name, seat_names
from games.presentation.visibility import Perspective, Viewer, perspective
from games.services import players
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page, next_legal_move, post_move, post_resign
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import new_person

FIRST, SECOND = seat_keys(two_player_rules())


def told(game: Game, viewer: Viewer | None = None) -> str:
    """Return the events and the end of a game, without invisible characters."""
    snapshot = read_snapshot(game.pk)
    page = build_page(snapshot, perspective(snapshot, viewer or Viewer()))
    sentences = " ".join(translate(sentence) for sentence in [*page.news.events, *page.turn.ending])
    return re.sub("[\u2068\u2069]", "", sentences)


def test_a_seat_inside_a_sentence_is_called_by_its_person():
    inner = text("%(seat)s, seated", seat=text("Player %(n)s", n=2))
    sentence = text("%(who)s moves to %(cell)s.", who=inner, cell="b3")
    names = {text("Player %(n)s", n=2): "Otto"}
    assert str(call_by_name(sentence, names)) == "Otto, seated moves to b3."
    assert str(call_by_name(sentence, {})) == str(sentence)


@pytest.mark.django_db
def test_a_move_and_the_end_name_the_people(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert told(game).startswith("Olive ")
    post_resign(opponent, game)
    assert "Otto" in told(game)
    assert "Olive wins." in told(game)


@pytest.mark.django_db
def test_a_seat_without_a_named_person_keeps_its_own_name(owner):
    game = make_game(owner, seating={FIRST: "me", SECOND: "computer-1"})
    snapshot = read_snapshot(game.pk)
    assert seat_names(snapshot) == {game.specs[0].name: "\u2068Olive\u2069"}
    nameless = make_game(new_person(""), new_person(""))
    assert seat_names(read_snapshot(nameless.pk)) == {}


@pytest.mark.django_db
def test_one_person_on_two_seats_names_neither(owner):
    assert seat_names(read_snapshot(make_game(owner).pk)) == {}


@pytest.mark.django_db
def test_one_name_on_two_seats_is_told_apart(owner):
    same = make_game(owner, new_person("Olive"))
    names = {name.strip("\u2068\u2069") for name in seat_names(read_snapshot(same.pk)).values()}
    assert names == {"Olive", "Olive (2)"}


@pytest.mark.django_db
def test_a_name_is_escaped_wherever_a_sentence_has_it(owner):
    eve = new_person("<b>Eve</b>")
    game = make_game(eve, owner)
    post_move(eve, game)
    page = get_game_page(owner, game)
    assert "<b>Eve" not in page
    assert "&lt;b&gt;Eve&lt;/b&gt;\u2069 " in page


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "nl"])
def test_a_new_name_is_in_the_next_rendering(owner, language):
    game = make_game(owner)
    spectator = Perspective(language=language)
    assert b"Ada" not in render_update(read_snapshot(game.pk), spectator)
    names = {FIRST: "Ada", SECOND: "Bea"}
    players.name_seats(game_id=game.pk, player=owner.player, names=names)
    assert "\u2068Ada\u2069".encode() in render_update(read_snapshot(game.pk), spectator)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", all_rules())
def test_moves_name_people_instead_of_seats_that_play_for_themselves(slug):
    rules = all_rules()[slug]
    specs = rules.seats(rules.clean({}))
    people = [new_person(f"Person {index}") for index, _ in enumerate(specs)]
    game = make_game(*people, rules=rules)
    sentences = []
    while len(sentences) < 6 and not game.over:
        seat, _move = next_legal_move(game)
        post_move(people[[spec.key for spec in specs].index(seat)], game)
        game.refresh_from_db()
        sentences.append(told(game))
    alone = [str(spec.name) for spec in specs if not spec.role]
    assert not [sentence for sentence in sentences if any(name in sentence for name in alone)]
    assert not alone or all("Person" in sentence for sentence in sentences)
