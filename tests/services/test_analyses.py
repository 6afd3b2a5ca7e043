"""The evaluations of a finished game become one row, from which all pages read them."""

from __future__ import annotations

import pytest

from games.contract import text
from games.core.registry import all_rules
from games.models import Analysis, Evaluation, Game, Move
from games.services import computers
from games.state.evaluations import evaluation_at, values_of
from games.state.packed_values import BEST, BEST_OF_HINT
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.analyses import analyse, run_all_jobs, value_of
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_resign
from tests.support.kinds import kinds_with_analysis
from tests.support.players import Person
from tests.support.snapshots import ask_evaluations, report_of

pytestmark = pytest.mark.django_db

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


def test_the_evaluations_of_a_finished_game_become_one_row(game):
    evaluate_all(game)
    assert (Analysis.objects.count(), Evaluation.objects.count()) == (1, 0)
    assert shown_values(game) == ["1 ahead"] * game.ply
    assert (report_of(game).complete, report_of(game).waiting) == (True, 0)


def test_evaluations_stay_rows_while_one_of_them_waits(game):
    for evaluation in game.evaluations.filter(done=False)[1:]:
        evaluate(evaluation)
    assert (Analysis.objects.count(), Evaluation.objects.count()) == (0, game.ply + 1)


def test_the_evaluations_of_a_running_game_stay_rows(owner):
    running = make_game(owner)
    ask_evaluations(running, [0])
    evaluate_all(running)
    assert (Analysis.objects.count(), Evaluation.objects.count()) == (0, 1)


def test_a_part_of_an_analysis_stays_rows(game):
    game.evaluations.filter(ply=1).delete()
    evaluate_all(game)
    assert (Analysis.objects.count(), Evaluation.objects.count()) == (0, game.ply)


def test_a_hint_is_shortened_when_it_becomes_part_of_an_analysis(owner):
    game = make_game(owner)
    ask_evaluations(game, [0], hint=True)
    evaluate(game.evaluations.get(), better=BEST_OF_HINT)
    post_resign(owner, game)
    ask_evaluations(game, range(2))
    evaluate_all(game)
    game.refresh_from_db()
    values = values_of(evaluation_at(read_snapshot(game.pk), 0))
    assert len(values["moves"]) == BEST
    assert values["count"] == BEST_OF_HINT + 1
    assert not Evaluation.objects.exists()


def test_an_analysis_that_is_stored_is_not_computed_again(game, owner):
    evaluate_all(game)
    owner.client.post(f"/g/{game.id}/analysis/")
    owner.client.post(f"/g/{game.id}/analysis/position/", {"ply": 1})
    assert not Evaluation.objects.exists()


def test_all_moves_of_a_tried_position_are_kept_beside_the_analysis(owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[kinds_with_analysis()[0]])
    analyse(owner, game)
    stored = bytes(Analysis.objects.get().packed)
    position = read_snapshot(game.pk).at(1)
    known = values_of(evaluation_at(read_snapshot(game.pk), 1))["moves"]
    moves = set(position.legal_moves(min(position.to_move()))) - {value["move"] for value in known}
    owner.client.post(f"/g/{game.id}/analysis/position/", {"ply": 1, "line": min(moves)})
    run_all_jobs()
    tried = values_of(Evaluation.objects.get(line=""))
    assert moves < {value["move"] for value in tried["moves"]}
    assert bytes(Analysis.objects.get().packed) == stored


def test_a_game_whose_kind_is_gone_keeps_its_evaluations(game):
    Game.objects.filter(pk=game.pk).update(kind="gone")
    clear_all()
    evaluate_all(game)
    assert (Analysis.objects.count(), Evaluation.objects.count()) == (0, game.ply + 1)


def test_the_analysis_of_a_deleted_game_goes_with_it(game):
    evaluate_all(game)
    Game.objects.get(pk=game.pk).delete()
    assert not Analysis.objects.exists()
