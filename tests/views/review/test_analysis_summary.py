"""Evaluations as an analysis reads them: each position once, in a few hundred bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.contract import text
from games.core.registry import all_rules
from games.models import Evaluation, Game
from games.services import computers
from games.state import evaluations
from games.state.evaluations import BEST_OF_HINT, read_block
from games.worker import leases
from tests.support.analyses import value_of
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
    computers.store_evaluation(evaluation=evaluation, values=values)


def entry(move: str, value: int) -> dict[str, Any]:
    return value_of(move, value, text(f"{value} ahead"))


def evaluate_all(game: Game) -> None:
    for evaluation in game.evaluations.filter(done=False):
        evaluate(evaluation)


def blocks_read(act: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the number of times that the values of a game are decompressed."""
    seen = []
    monkeypatch.setattr(
        evaluations, "read_block", lambda game_id: seen.append(1) or read_block(game_id)
    )
    act()
    return len(seen)


def shown_values(game: Game) -> list[str]:
    return [str(line.shown) for line in report_of(game).lines]


def poll(owner: Person, game: Game, waiting: int) -> Any:
    """Ask for news of an analysis that showed so many positions without any value."""
    waiting *= 2
    return owner.client.get(f"/g/{game.id}/analysis/?waiting={waiting}", headers=HTMX)


def test_a_report_shows_the_value_of_every_move(finished_game):
    evaluate_all(finished_game)
    assert shown_values(finished_game) == ["1 ahead"] * finished_game.ply


def test_the_page_of_one_move_reads_one_position(finished_game, owner, monkeypatch):
    evaluate_all(finished_game)
    address = f"/g/{finished_game.id}/2/"
    assert blocks_read(lambda: owner.client.get(address), monkeypatch) == 1


def test_the_page_of_an_analysis_reads_the_values_once(finished_game, owner, monkeypatch):
    evaluate_all(finished_game)
    address = f"/g/{finished_game.id}/analysis/"
    assert blocks_read(lambda: owner.client.get(address, {"ply": 3}), monkeypatch) == 1


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
    assert f'hx-get="/g/{finished_game.id}/analysis/?ply=1&amp;waiting={jobs}"' in page


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
    computers.store_evaluation(evaluation=evaluation, values=values)
    post_move(owner, game)
    game.refresh_from_db()
    return game


def test_a_move_made_after_its_evaluation_is_in_the_report(game_evaluated_before_its_move):
    assert shown_values(game_evaluated_before_its_move) == ["1 ahead"]


def test_a_move_after_an_undo_has_its_own_value(game_evaluated_before_its_move, owner):
    post_undo(owner, game_evaluated_before_its_move)
    _, move = next_legal_move(game_evaluated_before_its_move)
    other = next(legal for legal in legal_moves(game_evaluated_before_its_move) if legal != move)
    post_move(owner, game_evaluated_before_its_move, move=other)
    game_evaluated_before_its_move.refresh_from_db()
    assert shown_values(game_evaluated_before_its_move) == ["None"]


def evaluate_many(game: Game) -> None:
    """Store the value 9 for more moves of the first position than are stored."""
    entries = [entry(f"better {number}", 9) for number in range(BEST_OF_HINT)]
    _, move = next_legal_move(game)
    values = {"seat": game.specs[0].key, "mistake": 3, "regions": []}
    values["moves"] = [*entries, entry(move, 1)]
    computers.store_evaluation(evaluation=game.evaluations.get(ply=0), values=values)


def test_a_position_whose_move_was_not_stored_is_evaluated_again(owner):
    game = make_game(owner)
    ask_evaluations(game, [0], hint=True)
    evaluate_many(game)
    post_move(owner, game)
    game.refresh_from_db()
    assert report_of(game).asked == 0
    ask_evaluations(game, [0])
    job = leases.next_evaluation(hint=False)
    assert job.ply == 0
    evaluate(job)
    assert shown_values(game) == ["1 ahead"]


def test_a_position_in_which_a_player_resigned_is_evaluated_once(owner):
    game = make_game(owner)
    ask_evaluations(game, [0], hint=True)
    evaluate_many(game)
    post_resign(owner, game)
    game.refresh_from_db()
    ask_evaluations(game, [0])
    assert leases.next_evaluation(hint=True) is None
    assert report_of(game).asked == 1


def glance(evaluation: Evaluation) -> None:
    """Store first values, 2 for the move played, as a worker does before it looks closely."""
    [move] = evaluation.game.moves.filter(ply=evaluation.ply + 1)
    values = {"seat": move.seat, "mistake": 3, "moves": [entry(move.text, 2)], "regions": []}
    computers.store_evaluation(evaluation=evaluation, values=values, done=False)


def test_first_values_are_shown_while_the_analysis_goes_on(finished_game, owner):
    glance(finished_game.evaluations.get(ply=0))
    found = report_of(finished_game)
    assert (shown_values(finished_game)[0], found.done) == ("2 ahead", 0)
    assert poll(owner, finished_game, finished_game.ply + 1).status_code == 200


def test_every_position_gets_first_values_before_any_gets_better_ones(finished_game):
    order = []
    while job := leases.next_evaluation(hint=False):
        order.append(job.ply)
        second_look = job.glanced
        if second_look or job.ply == finished_game.ply:
            computers.store_evaluation(evaluation=job, values=None)
        else:
            glance(job)
    plies = [*range(finished_game.ply + 1)]
    assert order == [*plies, *plies[:-1]]
