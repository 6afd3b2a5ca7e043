"""The report of an analysis: mistakes, better moves, tallies and the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from games.contract import text
from games.models import Game, Move
from games.presentation.analysis import BLUNDER, HEIGHT, INACCURACY, MARGIN, MISTAKE, Line, Report
from tests.support.analyses import store_row, store_values, value_of
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move, post_move, post_resign
from tests.support.kinds import three_player_options
from tests.support.players import Person
from tests.support.snapshots import report_of

pytestmark = pytest.mark.django_db

HIGH = HEIGHT / 2 * (1 - 1 / MARGIN)
"""Where the graph is for the largest advantage of a game; LOW for that of the second seat."""
LOW = HEIGHT - HIGH


def line(ply: int, seat: str = "", *, mistake: bool = False) -> Line:
    return Line(Move(ply=ply, seat=seat), text("Black"), verdict=MISTAKE if mistake else None)


def report_with(*lines: Line) -> Report:
    graph = {0: (0.0, 80.0), 1: (60.0, 40.0)}
    return Report(lines, [], graph, text("Black"), text("White"), 0, True)


def test_an_analysis_opens_at_the_first_mistake():
    assert report_with(line(1), line(2, mistake=True), line(3, mistake=True)).worth_a_look() == 2


def test_an_analysis_opens_for_a_player_at_the_costliest_move():
    lines = [
        replace(line(ply, seat, mistake=True), loss=loss)
        for ply, seat, loss in (
            (1, "other", 9.0),
            (2, "own", 3.0),
            (3, "other", 4.0),
            (4, "own", 5.0),
        )
    ]
    assert report_with(*lines).worth_a_look({"own"}) == 4


def test_an_analysis_without_mistakes_opens_at_the_last_move():
    assert report_with(line(1), line(2)).worth_a_look() == 2


def test_a_mistake_is_marked_at_the_position_after_it():
    assert report_with(line(1, mistake=True), line(2)).dots[0][1:] == (10.0, 25.0)


def test_a_mistake_that_ended_the_game_is_marked_at_the_position_before_it():
    assert report_with(line(1), line(2, mistake=True)).dots[0][1:] == (10.0, 25.0)


def test_the_graph_has_a_gap_where_no_value_is_known():
    graph = {0: (0.0, 80.0), 1: (60.0, 40.0), 3: (180.0, 20.0)}
    report = Report([], [], graph, None, None, 0, True)
    assert report.polylines == ["0.0,80.0 60.0,40.0", "180.0,20.0 180.0,20.0"]


def report_of_one_move(
    owner: Person, *values: tuple[int, str], unknown: Sequence[int] = ()
) -> Report:
    """Return the report of one move, which is the second best of ``values``.

    Each value is a number and its text; the numbers of the indexes in ``unknown`` are not exact.
    A loss of 3 is a mistake.
    """
    game = make_game(owner)
    _, played = next_legal_move(game)
    entries = [
        value_of(name, value, text(words))
        for name, (value, words) in zip(("another", played), values, strict=True)
    ]
    for index in unknown:
        entries[index]["known"] = False
    seat = next_legal_move(game)[0]
    post_move(owner, game)
    values_row = {"seat": seat, "mistake": 3, "moves": entries, "regions": []}
    store_row(game, values_row)
    game.refresh_from_db()
    return report_of(game)


def test_a_move_of_the_same_shown_value_has_no_better_one(owner):
    assert report_of_one_move(owner, (2, "+2"), (1, "+2")).lines[0].better == ""


def test_a_better_move_is_named(owner):
    assert report_of_one_move(owner, (2, "+2"), (1, "+1")).lines[0].better == "another"


@pytest.mark.parametrize("unknown", [(0,), (1,), (0, 1)])
def test_a_move_is_no_mistake_without_known_values(unknown, owner):
    found = report_of_one_move(owner, (9, "+9"), (0, "not solved"), unknown=unknown).lines[0]
    assert (found.verdict, found.better) == (None, "")


def tallies_of(found: Report) -> list[tuple[str, list[str]]]:
    return [
        (str(tally.seat), [str(verdict) for verdict in tally.verdicts]) for tally in found.tallies
    ]


def blunders(number: int) -> list[str]:
    """Return the tally of a seat whose faults are all blunders."""
    return ["0 inaccuracies", "0 mistakes", f"{number} blunder{'' if number == 1 else 's'}"]


@pytest.mark.parametrize(
    ("loss", "verdict"), [(1, None), (2, INACCURACY), (3, MISTAKE), (5, MISTAKE), (6, BLUNDER)]
)
def test_a_move_is_judged_by_what_it_cost(loss, verdict, owner):
    assert report_of_one_move(owner, (loss, "best"), (0, "played")).lines[0].verdict == verdict


def test_a_worse_defeat_in_a_lost_position_is_no_mistake(owner):
    assert report_of_one_move(owner, (-59, "-59"), (-64, "-64")).lines[0].verdict is None


def graph_heights(found: Report) -> list[float]:
    return [y for _, y in found.graph.values()]


def test_faults_are_counted_by_seat(owner):
    game = make_game(owner)
    for ply, best in enumerate((0, 12, 0, 12)):
        post_move(owner, game)
        store_values(game, ply, best=best)
    assert tallies_of(report_of(game)) == [
        (str(game.specs[0].name), blunders(0)),
        (str(game.specs[1].name), blunders(2)),
    ]


def test_the_graph_is_high_for_the_first_seat_and_low_for_the_second(owner):
    game = make_game(owner)
    for ply in (0, 1):
        post_move(owner, game)
        store_values(game, ply, best=12)
    assert graph_heights(report_of(game)) == [HIGH, LOW]


def test_the_graph_is_in_the_middle_where_neither_is_ahead(owner):
    game = make_game(owner)
    post_move(owner, game)
    store_values(game, 0, best=0)
    assert graph_heights(report_of(game)) == [80.0]


def test_the_largest_advantage_is_below_the_edge_of_the_graph(owner):
    game = make_game(owner)
    for ply, best in enumerate((99, -99, 24)):
        post_move(owner, game)
        store_values(game, ply, best=best)
    heights = graph_heights(report_of(game))
    assert len(set(heights)) > 1
    assert all(5 < height < HEIGHT - 5 for height in heights)


def test_the_graph_ends_with_what_the_last_move_of_a_finished_game_was_worth(owner):
    game = make_game(owner)
    post_move(owner, game)
    store_values(game, 0, best=12)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER)
    game.refresh_from_db()
    assert graph_heights(report_of(game)) == [HIGH, HEIGHT / 2]


def test_a_small_advantage_looks_small_in_the_graph(owner):
    game = make_game(owner)
    post_move(owner, game)
    store_values(game, 0, best=0.5)
    assert abs(graph_heights(report_of(game))[0] - HEIGHT / 2) < 5


@pytest.fixture
def without_the_first(owner):
    """Return a game of three whose first player resigned before the others moved.

    Each of the two moves loses half of the value at the edge of the graph.
    """
    rules, options = three_player_options()
    game = make_game(owner, rules=rules, **options)
    post_resign(owner, game)
    for ply in (1, 2):
        post_move(owner, game)
        store_values(game, ply, best=12)
    return game


def test_the_graph_of_a_game_without_its_first_seat_compares_the_two_others(without_the_first):
    found = report_of(without_the_first)
    _, second, third = without_the_first.specs
    assert (str(found.first), str(found.second)) == (str(second.name), str(third.name))
    assert graph_heights(found) == [HIGH, LOW]


def test_a_seat_without_a_valued_move_is_in_no_tally(without_the_first):
    _, second, third = without_the_first.specs
    assert tallies_of(report_of(without_the_first)) == [
        (str(second.name), blunders(1)),
        (str(third.name), blunders(1)),
    ]


def test_the_graph_names_no_side_without_values_in_a_game_of_three(owner):
    rules, options = three_player_options()
    game = make_game(owner, rules=rules, **options)
    post_resign(owner, game)
    found = report_of(game)
    assert (found.first, found.second) == (None, None)
