"""What a look back reads: the values of all moves of a game are long, and seldom wanted."""

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
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move, post_move, post_undo
from tests.support.players import Person
from tests.support.snapshots import ask_evaluations, report_of

pytestmark = pytest.mark.django_db

PLIES = 4
HTMX = {"HX-Request": "true"}


@pytest.fixture
def over(owner: Person) -> Game:
    """A game of a kind that can be analysed, given up after some moves; its analysis waits."""
    game = make_game(owner, rules=next(rules for rules in all_rules().values() if rules.analysis))
    for _ in range(PLIES):
        post_move(owner, game)
    services.resign(
        game_id=game.id, seat=next_legal_move(game)[0], player=owner.player, ply=game.ply
    )
    game.refresh_from_db()
    ask_evaluations(game, range(game.ply + 1))
    return game


def response(evaluation: Evaluation) -> None:
    """Value the move that followed at 1, and another one at 9."""
    seats = [spec.key for spec in evaluation.game.specs]
    followed = evaluation.game.moves.filter(ply=evaluation.ply + 1).first()
    played = followed.text if followed else "nothing"
    entries = [entry("another", 9), entry(played, 1)]
    values = {"seat": seats[0], "mistake": 3, "moves": entries, "regions": []}
    services.store_evaluation(evaluation=evaluation, values=values)


def entry(move: str, value: int) -> dict[str, Any]:
    shown = text(f"{value} ahead").to_json()
    return {"move": move, "value": value, "exact": True, "known": True, "shown": shown, "why": None}


def answer_all(game: Game) -> None:
    for evaluation in game.evaluations.filter(done=False):
        response(evaluation)


def reading_values(act: Callable[[], Any]) -> list[str]:
    """The questions to the database that are answered with values."""
    with CaptureQueriesContext(connection) as asked:
        act()
    column = '"games_evaluation"."values"'
    return [each["sql"] for each in asked if column in each["sql"].split(" FROM ")[0]]


def worths(game: Game) -> list[str]:
    return [str(line.shown) for line in report_of(game).lines]


def poll(owner: Person, game: Game, waiting: int) -> Any:
    return owner.client.get(f"/g/{game.id}/analysis/?waiting={waiting}", headers=HTMX)


def test_the_report_of_an_analysis_reads_no_values(over):
    answer_all(over)
    assert reading_values(lambda: report_of(over)) == []
    assert worths(over) == ["1 ahead"] * over.ply


def test_the_page_of_one_move_reads_the_values_of_one_position(over, owner):
    answer_all(over)
    for address in (f"/g/{over.id}/2/", f"/g/{over.id}/analysis/?ply=3"):
        [asked] = reading_values(lambda address=address: owner.client.get(address))
        assert '"games_evaluation"."ply" = 2' in asked


def test_polling_for_a_hint_reads_one_position(owner):
    game = make_game(owner, rules=next(rules for rules in all_rules().values() if rules.analysis))
    Game.objects.filter(pk=game.pk).update(hints=True)
    ask_evaluations(game, [0], hint=True)
    answer_all(game)
    post_move(owner, game)
    ask_evaluations(game, [1], hint=True)
    asked = reading_values(lambda: owner.client.get(f"/g/{game.id}/hint/"))
    assert ['"games_evaluation"."ply" = 1' in each for each in asked] == [True]


def test_polling_without_news_gets_204(over, owner):
    assert poll(owner, over, over.ply + 1).status_code == 204


def test_polling_computes_no_report(over, owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.report", None)
    assert poll(owner, over, over.ply + 1).content == b""


def test_polling_with_news_gets_the_new_report(over, owner):
    response(over.evaluations.get(ply=0))
    answered = poll(owner, over, over.ply + 1)
    assert answered.status_code == 200
    assert "1 ahead" in answered.text


def test_polling_sends_the_number_of_known_positions(over, owner):
    response(over.evaluations.get(ply=0))
    page = owner.client.get(f"/g/{over.id}/analysis/?ply=1").text
    assert f'hx-get="/g/{over.id}/analysis/?waiting={over.ply}&amp;ply=1"' in page


def test_mistakes_are_counted_after_the_last_evaluation(over, owner):
    response(over.evaluations.get(ply=0))
    assert 'class="tallies"' not in owner.client.get(f"/g/{over.id}/analysis/").text
    answer_all(over)
    assert 'class="tallies"' in owner.client.get(f"/g/{over.id}/analysis/").text


def test_a_request_that_does_not_poll_gets_the_whole_page(over, owner):
    answered = owner.client.get(f"/g/{over.id}/analysis/?waiting={over.ply + 1}")
    assert answered.status_code == 200


@pytest.fixture
def moved_on(owner: Person) -> Game:
    """A game whose position was valued before anybody moved in it."""
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


def test_a_move_made_after_its_evaluation_is_in_the_report(moved_on):
    assert worths(moved_on) == ["1 ahead"]


def test_values_are_read_once_per_report(moved_on):
    report_of(moved_on)
    assert reading_values(lambda: report_of(moved_on)) == []


def test_a_move_after_an_undo_has_its_own_value(moved_on, owner):
    report_of(moved_on)
    post_undo(owner, moved_on)
    Evaluation.objects.update(summary=None)
    seat, move = next_legal_move(moved_on)
    other = next(m for m in legal(moved_on, seat) if m != move)
    post_move(owner, moved_on, move=other)
    moved_on.refresh_from_db()
    assert worths(moved_on) == ["None"]


def legal(game: Game, seat: str) -> list[str]:
    from tests.support.snapshots import position_at

    return list(position_at(game, game.ply).legal_moves(seat))


def test_older_evaluations_are_summarized_by_the_migration(over):
    answer_all(over)
    before = list(Evaluation.objects.values_list("summary", flat=True))
    Evaluation.objects.update(summary=None)
    clear_all()
    migration = import_module("games.migrations.0005_turns")
    migration.summarize(apps, SimpleNamespace(connection=connection))
    assert list(Evaluation.objects.values_list("summary", flat=True)) == before
