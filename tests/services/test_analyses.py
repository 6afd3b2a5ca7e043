"""The values of a game are one row, from which all pages read them."""

from __future__ import annotations

import pytest

from games.contract import text
from games.core.registry import all_rules
from games.models import Evaluation, Game, Move, PositionValues
from games.services import computers
from games.state.evaluations import Evaluated, read_block, read_evaluations
from games.state.snapshot import read_snapshot
from tests.support.analyses import analyse, run_all_jobs, value_of
from tests.support.game_factory import make_game_with_moves
from tests.support.game_requests import post_resign, post_undo
from tests.support.kinds import kinds_with_analysis
from tests.support.players import Person
from tests.support.snapshots import ask_evaluations, report_of

pytestmark = [pytest.mark.django_db, pytest.mark.services]

PLIES = 4


@pytest.fixture
def game(owner: Person) -> Game:
    """Return a finished game whose analysis was asked for."""
    found = make_game_with_moves(owner, PLIES, rules=all_rules()[kinds_with_analysis()[0]])
    post_resign(owner, found)
    ask_evaluations(found, range(found.ply + 1))
    return found


def evaluate(evaluation: Evaluation, better: int = 1) -> None:
    """Store the value 1 for the move played, and 9 for so many better ones."""
    followed = Move.objects.filter(game=evaluation.game_id, ply=evaluation.ply + 1).first()
    names = [*(f"better {number}" for number in range(better)), followed.text if followed else "x"]
    entries = [value_of(name, 9, text("9 ahead")) for name in names[:-1]]
    entries.append(value_of(names[-1], 1, text("1 ahead")))
    seat = evaluation.game.specs[0].key
    values = {"seat": seat, "mistake": 3, "moves": entries, "regions": []}
    computers.store_evaluation(evaluation=evaluation, values=values)


def evaluate_all(game: Game, better: int = 1) -> None:
    for evaluation in game.evaluations.filter(done=False):
        evaluate(evaluation, better)


def shown_values(game: Game) -> list[str]:
    return [str(line.shown) for line in report_of(game).lines]


def at(game: Game, ply: int, line: str | None = None) -> Evaluated | None:
    return read_evaluations(read_snapshot(game.pk)).at(ply, line)


def test_the_values_of_a_game_are_one_row_and_nothing_waits(game):
    evaluate_all(game)
    assert (PositionValues.objects.count(), Evaluation.objects.count()) == (1, 0)
    assert shown_values(game) == ["1 ahead"] * game.ply
    assert (report_of(game).complete, report_of(game).waiting) == (True, 0)


def test_a_position_waits_as_a_row_until_it_has_values(game):
    for evaluation in game.evaluations.all()[1:]:
        evaluate(evaluation)
    assert Evaluation.objects.count() == 1
    assert (report_of(game).waiting, report_of(game).done) == (1, game.ply)


def test_an_analysis_that_is_stored_is_not_computed_again(game, owner):
    evaluate_all(game)
    owner.client.post(f"/g/{game.id}/analysis/")
    owner.client.post(f"/g/{game.id}/analysis/position/", {"ply": 1})
    assert not Evaluation.objects.exists()


def test_a_position_that_version_1_0_has_evaluated_since_is_evaluated_again(game):
    game.evaluations.update(done=True)
    ask_evaluations(game, range(game.ply + 1))
    evaluate_all(game)
    assert report_of(game).complete


def test_the_values_of_a_move_go_with_it_when_it_is_taken_back(owner):
    game = make_game_with_moves(owner, 2)
    ask_evaluations(game, range(3))
    late = game.evaluations.get(ply=2)
    for evaluation in game.evaluations.filter(ply__lt=2):
        evaluate(evaluation)
    post_undo(owner, game)
    assert len(read_block(game.pk)) == 2
    # A worker that was at it meanwhile stores nothing.
    evaluate(late)
    assert len(read_block(game.pk)) == 2


def test_all_moves_of_a_tried_position_are_kept_beside_the_analysis(owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[kinds_with_analysis()[0]])
    analyse(owner, game)
    position = read_snapshot(game.pk).at(1)
    known = at(game, 1).values["moves"]
    moves = set(position.legal_moves(min(position.to_move()))) - {value["move"] for value in known}
    owner.client.post(f"/g/{game.id}/analysis/position/", {"ply": 1, "line": min(moves)})
    run_all_jobs()
    assert moves < {value["move"] for value in at(game, 1, "").values["moves"]}
    assert at(game, 1).values["moves"] == known


def test_the_values_of_a_deleted_game_go_with_it(game):
    evaluate_all(game)
    Game.objects.get(pk=game.pk).delete()
    assert not PositionValues.objects.exists()


def test_nothing_is_stored_for_a_game_that_is_gone(game):
    evaluation = game.evaluations.first()
    Game.objects.get(pk=game.pk).delete()
    evaluate(evaluation)
    assert not PositionValues.objects.exists()
