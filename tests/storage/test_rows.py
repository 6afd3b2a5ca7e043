"""Rows of games as moves copy and write them."""

from __future__ import annotations

from copy import copy

import pytest
from django.utils import timezone

from games.models import Game
from games.storage.compiled_queries import update_row
from tests.support.game_factory import make_game
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Person:
    return new_person("Olive")


def test_a_copied_game_changes_alone(owner: Person) -> None:
    game = Game.objects.select_related("created_by").get(pk=make_game(owner).pk)
    changed = copy(game)
    changed.ply, changed.created_by = 7, None
    assert (game.ply, game.created_by) == (0, owner.player)


def test_a_copied_game_is_stored_as_the_same_row(owner: Person) -> None:
    changed = copy(make_game(owner))
    changed.ply = 7
    changed.save()
    assert list(Game.objects.values_list("ply", flat=True)) == [7]


def test_an_update_writes_values_of_all_types_and_the_time_of_the_change(owner: Person) -> None:
    game = make_game(owner)
    began = timezone.now()
    game.ply, game.hints, game.to_move, game.banner, game.flag_at = 7, True, ["white"], None, began
    update_row(game, ("ply", "hints", "to_move", "banner", "flag_at", "updated"))
    stored = Game.objects.get()
    written = (stored.ply, stored.hints, stored.to_move, stored.banner, stored.flag_at)
    assert written == (7, True, ["white"], None, began)
    assert stored.updated >= began


def test_an_update_writes_one_value(owner: Person) -> None:
    game = make_game(owner)
    game.marks = "not a list"
    update_row(game, ("marks",))
    assert Game.objects.get().marks == "not a list"
