"""The order of jobs: hints, moves of computers and analyses take turns."""

from __future__ import annotations

import pytest

from games.core.rate_limits import COMPUTER_GAMES_PER_PLAYER
from games.management.commands.run_computers import Command
from games.models import Evaluation, Game
from games.worker import jobs, leases
from tests.support.computer_games import make_game_against_computer, make_game_between_computers
from tests.support.game_factory import make_game_with_moves
from tests.support.snapshots import ask_evaluations

pytestmark = pytest.mark.django_db


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the kinds of jobs done. No move is made, so jobs never end."""
    kinds: list[str] = []

    def take_turn(game: Game) -> None:
        kinds.append("move")
        Game.objects.update(leased_until=None)

    def evaluate(evaluation: Evaluation) -> None:
        kinds.append("hint" if evaluation.hint else "ply")
        Evaluation.objects.update(leased_until=None)

    monkeypatch.setattr(jobs, "take_turn", take_turn)
    monkeypatch.setattr(jobs, "evaluate", evaluate)
    return kinds


def run_jobs(count: int) -> None:
    for number in range(count):
        jobs.run_one_job(jobs.SCHEDULES[number % len(jobs.SCHEDULES)])


def test_games_with_people_come_before_games_between_computers(owner, stranger):
    between_computers = [
        make_game_between_computers(stranger) for _ in range(COMPUTER_GAMES_PER_PLAYER)
    ]
    game = make_game_against_computer(owner)
    leased = [leases.next_turn() for _ in range(COMPUTER_GAMES_PER_PLAYER + 1)]
    assert leased == [game, *between_computers]


def test_a_hint_comes_before_computer_moves(owner, done):
    ask_evaluations(make_game_against_computer(owner), [0], hint=True)
    run_jobs(1)
    assert done == ["hint"]


def test_computer_moves_alternate_with_hints(owner, done):
    ask_evaluations(make_game_against_computer(owner), [0], hint=True)
    run_jobs(2)
    assert done == ["hint", "move"]


def test_an_analysis_gets_a_turn_among_computer_moves(owner, done):
    ask_evaluations(make_game_against_computer(owner), [0])
    run_jobs(len(jobs.SCHEDULES))
    assert done.count("ply") == 1


def test_a_computer_move_comes_before_an_analysis(owner, done):
    ask_evaluations(make_game_against_computer(owner), [0])
    run_jobs(1)
    assert done == ["move"]


def test_run_computers_works_through_its_schedules(owner, done, monkeypatch):
    ask_evaluations(make_game_against_computer(owner), [0])
    command = Command()
    monkeypatch.setattr("os.getppid", lambda: 1 if len(done) < len(jobs.SCHEDULES) else 2)
    command.handle(parent=1)
    assert set(done) == {"move", "ply"}


def lease_all_evaluations() -> list[tuple[str, int]]:
    """Lease every waiting evaluation, and return their games and plies in order."""
    leased = iter(lambda: leases.next_evaluation(hint=False), None)
    return [(evaluation.game_id, evaluation.ply) for evaluation in leased]


def test_two_analyses_alternate_position_by_position(owner):
    long, short = make_game_with_moves(owner, 4), make_game_with_moves(owner, 1)
    for game in (long, short):
        ask_evaluations(game, range(game.ply + 1))
    assert lease_all_evaluations() == [
        (long.id, 0),
        (short.id, 0),
        (long.id, 1),
        (short.id, 1),
        *((long.id, ply) for ply in (2, 3, 4)),
    ]


def test_a_hint_requested_during_an_analysis_gets_a_hints_priority(owner):
    game = make_game_with_moves(owner, 2)
    ask_evaluations(game, range(3))
    ask_evaluations(game, [2], hint=True)
    assert list(Evaluation.objects.values_list("ply", "hint")) == [
        (0, False),
        (1, False),
        (2, True),
    ]


def test_an_analysis_does_not_lower_the_priority_of_a_hint(owner):
    game = make_game_with_moves(owner, 1)
    ask_evaluations(game, [1], hint=True)
    ask_evaluations(game, range(2))
    assert Evaluation.objects.get(ply=1).hint
