"""Queries of an analysis: its pages read summaries, not the long values of every move."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import services
from games.contract import text
from games.models import Evaluation, Game
from games.registry import all_rules
from games.storage.cache import clear_all
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import next_legal_move, post_move, post_resign, post_undo
from tests.support.kinds import kinds_with_analysis
from tests.support.players import Person
from tests.support.snapshots import ask_evaluations, legal_moves, report_of

pytestmark = pytest.mark.django_db

PLIES = 4
HTMX = {"HX-Request": "true"}


@pytest.fixture
def finished_game(owner: Person) -> Game:
    """Return a finished game with a requested analysis."""
    game = make_game_with_moves(owner, PLIES, rules=all_rules()[kinds_with_analysis()[0]])
    post_resign(owner, game)
    ask_evaluations(game, range(game.ply + 1))
    return game


def evaluate(evaluation: Evaluation) -> None:
    """Store the value 1 for the move played, and 9 for another one."""
    seats = [spec.key for spec in evaluation.game.specs]
    next_move = evaluation.game.moves.filter(ply=evaluation.ply + 1).first()
    played = next_move.text if next_move else "nothing"
    entries = [entry("another", 9), entry(played, 1)]
    values = {"seat": seats[0], "mistake": 3, "moves": entries, "regions": []}
    services.store_evaluation(evaluation=evaluation, values=values)


def entry(move: str, value: int) -> dict[str, Any]:
    shown = text(f"{value} ahead").to_json()
    return {"move": move, "value": value, "exact": True, "known": True, "shown": shown, "why": None}


def evaluate_all(game: Game) -> None:
    for evaluation in game.evaluations.filter(done=False):
        evaluate(evaluation)


def queries_of_values(act: Callable[[], Any]) -> list[str]:
    """Return the SQL of the queries that select the column of values."""
    with CaptureQueriesContext(connection) as queries:
        act()
    column = '"games_evaluation"."values"'
    return [each["sql"] for each in queries if column in each["sql"].split(" FROM ")[0]]


def shown_values(game: Game) -> list[str]:
    return [str(line.shown) for line in report_of(game).lines]


def poll(owner: Person, game: Game, waiting: int) -> Any:
    """Ask for news of an analysis that showed so many positions without any value."""
    waiting *= 2
    return owner.client.get(f"/g/{game.id}/analysis/?waiting={waiting}", headers=HTMX)


def test_the_report_of_an_analysis_reads_no_values(finished_game):
    evaluate_all(finished_game)
    assert queries_of_values(lambda: report_of(finished_game)) == []
    assert shown_values(finished_game) == ["1 ahead"] * finished_game.ply


def test_the_page_of_one_move_reads_the_values_of_one_position(finished_game, owner):
    evaluate_all(finished_game)
    for address in (f"/g/{finished_game.id}/2/", f"/g/{finished_game.id}/analysis/?ply=3"):
        [sql] = queries_of_values(lambda address=address: owner.client.get(address))
        assert '"games_evaluation"."ply" = 2' in sql


def test_polling_for_a_hint_reads_one_position(owner):
    rules = all_rules()[kinds_with_analysis()[0]]
    game = make_game_with_moves(owner, 0, rules=rules, hints=True)
    ask_evaluations(game, [0], hint=True)
    evaluate_all(game)
    post_move(owner, game)
    ask_evaluations(game, [1], hint=True)
    queries = queries_of_values(lambda: owner.client.get(f"/g/{game.id}/hint/"))
    assert ['"games_evaluation"."ply" = 1' in sql for sql in queries] == [True]


def test_polling_without_news_gets_204(finished_game, owner):
    assert poll(owner, finished_game, finished_game.ply + 1).status_code == 204


def test_polling_computes_no_report(finished_game, owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.report", None)
    assert poll(owner, finished_game, finished_game.ply + 1).content == b""


def test_polling_with_news_gets_the_new_report(finished_game, owner):
    evaluate(finished_game.evaluations.get(ply=0))
    polled = poll(owner, finished_game, finished_game.ply + 1)
    assert polled.status_code == 200
    assert "1 ahead" in polled.text


def test_polling_sends_the_number_of_known_positions(finished_game, owner):
    evaluate(finished_game.evaluations.get(ply=0))
    page = owner.client.get(f"/g/{finished_game.id}/analysis/?ply=1").text
    jobs = 2 * finished_game.ply
    assert f'hx-get="/g/{finished_game.id}/analysis/?waiting={jobs}&amp;ply=1"' in page


def test_mistakes_are_counted_after_the_last_evaluation(finished_game, owner):
    evaluate(finished_game.evaluations.get(ply=0))
    assert 'class="tallies"' not in owner.client.get(f"/g/{finished_game.id}/analysis/").text
    evaluate_all(finished_game)
    assert 'class="tallies"' in owner.client.get(f"/g/{finished_game.id}/analysis/").text


def test_a_request_that_does_not_poll_gets_the_whole_page(finished_game, owner):
    polled = owner.client.get(f"/g/{finished_game.id}/analysis/?waiting={finished_game.ply + 1}")
    assert polled.status_code == 200


@pytest.fixture
def game_evaluated_before_its_move(owner: Person) -> Game:
    """Return a game with one move, whose first position was evaluated before that move."""
    game = make_game(owner)
    ask_evaluations(game, [0], hint=True)
    [evaluation] = game.evaluations.all()
    _, move = next_legal_move(game)
    entries = [entry("another", 9), entry(move, 1)]
    values = {"seat": game.specs[0].key, "mistake": 3, "moves": entries, "regions": []}
    services.store_evaluation(evaluation=evaluation, values=values)
    post_move(owner, game)
    game.refresh_from_db()
    return game


def test_a_move_made_after_its_evaluation_is_in_the_report(game_evaluated_before_its_move):
    assert shown_values(game_evaluated_before_its_move) == ["1 ahead"]


def test_values_are_read_once_per_report(game_evaluated_before_its_move):
    report_of(game_evaluated_before_its_move)
    assert queries_of_values(lambda: report_of(game_evaluated_before_its_move)) == []


def test_a_move_after_an_undo_has_its_own_value(game_evaluated_before_its_move, owner):
    report_of(game_evaluated_before_its_move)
    post_undo(owner, game_evaluated_before_its_move)
    Evaluation.objects.update(summary=None)
    _, move = next_legal_move(game_evaluated_before_its_move)
    other = next(each for each in legal_moves(game_evaluated_before_its_move) if each != move)
    post_move(owner, game_evaluated_before_its_move, move=other)
    game_evaluated_before_its_move.refresh_from_db()
    assert shown_values(game_evaluated_before_its_move) == ["None"]


def test_older_evaluations_are_summarized_by_the_migration(finished_game):
    evaluate_all(finished_game)
    before = list(Evaluation.objects.values_list("summary", flat=True))
    Evaluation.objects.update(summary=None)
    clear_all()
    migration = import_module("games.migrations.0005_turns")
    migration.summarize(apps, SimpleNamespace(connection=connection))
    assert list(Evaluation.objects.values_list("summary", flat=True)) == before


def glance(evaluation: Evaluation) -> None:
    """Store first values, 2 for the move played, as a worker does before it looks closely."""
    [move] = evaluation.game.moves.filter(ply=evaluation.ply + 1)
    values = {"seat": move.seat, "mistake": 3, "moves": [entry(move.text, 2)], "regions": []}
    services.store_evaluation(evaluation=evaluation, values=values, done=False)


def test_first_values_are_shown_while_the_analysis_goes_on(finished_game, owner):
    glance(finished_game.evaluations.get(ply=0))
    found = report_of(finished_game)
    assert (shown_values(finished_game)[0], found.done) == ("2 ahead", 0)
    assert poll(owner, finished_game, finished_game.ply + 1).status_code == 200


def test_every_position_is_glanced_at_before_one_is_looked_at_closely(finished_game):
    order = []
    while job := services.next_evaluation(hint=False):
        order.append(job.ply)
        second_look = job.summary is not None
        if second_look or job.ply == finished_game.ply:
            services.store_evaluation(evaluation=job, values=None)
        else:
            glance(job)
    plies = [*range(finished_game.ply + 1)]
    assert order == [*plies, *plies[:-1]]
