"""Presentation is a function of (snapshot, viewer): the values of its pages need no query."""

from __future__ import annotations

import pytest

from games.core.registry import all_rules
from games.presentation.analysis import report
from games.presentation.board import build_board
from games.presentation.game_page import build_page, render_update
from games.presentation.lists import build_entry
from games.presentation.pictures import render_svg
from games.presentation.visibility import Perspective, Viewer, perspective
from games.state.evaluations import read_evaluations
from games.state.lists import finished_games, running_games
from games.state.snapshot import GameSnapshot, read_snapshot
from games.state.variations import may_analyse, never_evaluable
from games.storage.cache import clear_all
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_resign
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[False, True], ids=["running", "over"])
def snapshot(request: pytest.FixtureRequest, owner: Person) -> GameSnapshot:
    """Return a snapshot of a game of four plies, running or resigned."""
    game = make_game_with_moves(owner, 4)
    if request.param:
        post_resign(owner, game)
    clear_all()
    return read_snapshot(game.pk)


def perspectives(snapshot: GameSnapshot, owner: Person) -> list[Perspective]:
    """Return the perspectives of a spectator and, for each seat, of the holder of all."""
    seats = [None, *(spec.key for spec in snapshot.specs)]
    return [Perspective(), *(perspective(snapshot, Viewer(owner.player.pk, key)) for key in seats)]


def test_the_values_and_the_html_of_a_game_page_need_no_query(
    snapshot, owner, django_assert_num_queries
):
    with django_assert_num_queries(0):
        for seen_by in perspectives(snapshot, owner):
            assert render_update(snapshot, seen_by)
            for ply in range(snapshot.game.ply + 1):
                page = build_page(snapshot, seen_by, ply=ply, all_moves=True)
                assert read_all_properties(page)


def read_all_properties(page: object) -> int:
    """Read every property of a page, as templates may, and return their number."""
    names = [name for name in dir(type(page)) if isinstance(getattr(type(page), name), property)]
    return len([getattr(page, name) for name in names])


def test_the_values_of_an_analysis_need_no_query(snapshot, django_assert_num_queries):
    known = read_evaluations(snapshot)
    with django_assert_num_queries(0):
        found = report(snapshot, known)
        assert len(found.lines) == snapshot.game.ply
        may_analyse(snapshot, frozenset(snapshot.game.to_move))
        never_evaluable(snapshot)
        read_all_properties(found)


def test_a_picture_needs_no_query(snapshot, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert render_svg(build_board(snapshot.rules, snapshot.standing, viewpoint=None))


def test_the_entries_of_lists_need_no_query(snapshot, owner, django_assert_num_queries):
    listed = [*running_games(owner.player), *finished_games(owner.player)]
    with django_assert_num_queries(0):
        entries = [build_entry(game, seating, owner.player.pk) for game, seating in listed]
        assert [read_all_properties(entry) for entry in entries] == [1]


@pytest.mark.parametrize("slug", sorted(all_rules()))
def test_the_page_of_any_kind_needs_no_query(slug, owner, django_assert_num_queries):
    snapshot = read_snapshot(make_game(owner, rules=all_rules()[slug]).pk)
    with django_assert_num_queries(0):
        for seen_by in perspectives(snapshot, owner):
            assert render_update(snapshot, seen_by)
