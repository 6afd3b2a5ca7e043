"""The moves and evaluations of a worker, and the games that go on when a computer fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError
from django.utils import timezone

from games.contract import CannotPlay, Choice, MoveValue, Position, Rules, text
from games.core.registry import all_rules
from games.models import Evaluation, Game
from games.services import play, seats, setup
from games.state.evaluations import read_block, read_evaluations
from games.state.snapshot import read_snapshot
from games.worker import jobs
from games.worker.reasons import ComputerFailed
from tests.support.computer_games import make_game_between_computers
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move, post_undo
from tests.support.kinds import default_specs, kinds_with_computers, two_player_rules
from tests.support.players import Person, new_person
from tests.support.snapshots import ask_evaluations, current_position

Choose = Callable[[Position, str], Choice]


@pytest.fixture
def use_computer(monkeypatch: pytest.MonkeyPatch) -> Callable[[Choose], None]:
    """Return a function that replaces the computer player by one that moves as it is told."""

    def use(choose: Choose) -> None:
        def choose_move(position: Position, seat: str, level: int, rng: Random, **_: Any) -> Choice:
            return choose(position, seat)

        module = SimpleNamespace(choose=choose_move)
        monkeypatch.setattr(jobs, "computer_module", lambda slug: module)

    return use


def first_legal(position: Position, seat: str) -> Choice:
    return Choice(move=next(iter(position.legal_moves(seat))))


def make_game_with_computer_first(owner: Person, rules: Rules | None = None) -> Game:
    """Return a game in which a computer moves first and the owner holds the other seats."""
    rules = rules or two_player_rules()
    options = {**rules.clean({}), **rules.computer_options}
    [first] = rules.start(rules.deal(options, Random(1))).to_move()
    keys = [spec.key for spec in rules.seats(options)]
    seating = {key: "computer-1" if key == first else "me" for key in keys}
    return setup.create_game(
        player=owner.player,
        new=setup.NewGame(rules=rules, options={}, seating=seating),
        rng=Random(1),
    )


def released_seat_token(game: Game) -> str:
    """Return the invitation token of the seat that the computer released."""
    game.refresh_from_db()
    assert not game.computer_to_move
    [seat] = game.seats.filter(players=None)
    assert seat.computer is None
    return seats.invitation_token(seat)


def test_a_computers_move_is_made_once(owner, use_computer):
    use_computer(first_legal)
    game = make_game_with_computer_first(owner)
    assert jobs.run_one_job()
    assert not jobs.run_one_job()
    game.refresh_from_db()
    assert (game.ply, game.moves.get().player) == (1, None)


def test_a_computers_move_after_the_end_changes_nothing(owner, use_computer):
    def too_late(position: Position, seat: str) -> Choice:
        other = game.seats.get(players=owner.player)
        play.resign(game_id=game.id, seat=other.key, player=owner.player, ply=0)
        return first_legal(position, seat)

    use_computer(too_late)
    game = make_game_with_computer_first(owner)
    assert jobs.run_one_job()
    game.refresh_from_db()
    assert (game.ply, game.over, game.banner) == (1, True, None)


def test_a_computer_that_cannot_play_gives_a_reason_and_people_play_on(owner, use_computer):
    def cannot(position: Position, seat: str) -> Choice:
        raise CannotPlay(text("There is no move to choose."))

    use_computer(cannot)
    game = make_game_with_computer_first(owner)
    assert jobs.run_one_job()
    assert "There is no move to choose." in owner.client.get(game.get_absolute_url()).text
    guest = new_person("Otto")
    seats.claim_seat(token=released_seat_token(game), player=guest.player)
    assert post_move(guest, game).status_code == 302
    assert post_move(owner, game).status_code == 302
    assert "There is no move to choose." not in owner.client.get(game.get_absolute_url()).text


def test_a_computer_that_cannot_play_releases_its_own_seat_only(owner, use_computer):
    def cannot(position: Position, seat: str) -> Choice:
        raise CannotPlay(text("There is no move to choose."))

    use_computer(cannot)
    seating = {spec.key: "computer-1" for spec in default_specs(two_player_rules())}
    game = make_game(owner, seating=seating)
    assert jobs.run_one_job()
    assert [seat.key for seat in game.seats.filter(computer=None)] == game.to_move
    assert game.seats.exclude(computer=None).count() == 1


@pytest.mark.parametrize("fault", [MemoryError(), OSError("no descriptors"), IntegrityError()])
def test_a_process_that_lacks_something_leaves_the_game_to_others(owner, use_computer, fault):
    def starves(position: Position, seat: str) -> Choice:
        raise fault

    use_computer(starves)
    game = make_game_with_computer_first(owner)
    with pytest.raises(type(fault)):
        jobs.run_one_job()
    game.refresh_from_db()
    assert game.computer_to_move
    # The lease of a process that goes on expires, so that its other games come first.
    assert (game.leased_until is None) is not isinstance(fault, IntegrityError)


@pytest.mark.parametrize("fault", [MemoryError(), OSError("no descriptors")])
def test_an_evaluation_waits_for_a_process_with_enough_memory(owner, monkeypatch, fault):
    def starves(position: Position, seconds: float) -> None:
        raise fault

    monkeypatch.setattr(jobs, "computer_module", lambda slug: SimpleNamespace(evaluate=starves))
    ask_evaluations(make_game(owner), [0])
    with pytest.raises(type(fault)):
        jobs.run_one_job()
    evaluation = Evaluation.objects.get()
    assert not evaluation.done and evaluation.leased_until is None


def fail_in_processes(monkeypatch: pytest.MonkeyPatch, *processes: int) -> None:
    """Let workers with these process ids try one job each; a failure ends each but the last."""
    for process in processes[:-1]:
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        with pytest.raises(ComputerFailed):
            jobs.run_one_job()
    monkeypatch.setattr(os, "getpid", lambda: processes[-1])


@pytest.mark.parametrize("fault", [ZeroDivisionError(), AssertionError("x")])
def test_a_computer_that_fails_in_three_processes_releases_its_seat_with_a_sentence(
    owner, use_computer, monkeypatch, caplog, fault
):
    def fails(position: Position, seat: str) -> Choice:
        raise fault

    use_computer(fails)
    game = make_game_with_computer_first(owner)
    fail_in_processes(monkeypatch, 1, 2, 2, 3)
    game.refresh_from_db()
    assert game.computer_to_move and game.banner is None
    assert jobs.run_one_job()
    page = owner.client.get(game.get_absolute_url()).text
    assert "Its seat is open for someone else" in page
    assert "gives up its seat" in caplog.text
    assert released_seat_token(game)
    assert not jobs.run_one_job()


def test_a_computer_that_failed_plays_on_in_the_next_process(owner, use_computer, monkeypatch):
    def fails(position: Position, seat: str) -> Choice:
        raise ZeroDivisionError

    game = make_game_with_computer_first(owner)
    use_computer(fails)
    fail_in_processes(monkeypatch, 1, 2, 3)
    use_computer(first_legal)
    assert jobs.run_one_job()
    post_move(owner, game)
    use_computer(fails)
    fail_in_processes(monkeypatch, 4, 5, 6)
    assert fresh(game).computer_to_move


def test_a_computer_with_an_illegal_move_releases_its_seat(owner, use_computer, monkeypatch):
    use_computer(lambda position, seat: Choice(move="castles"))
    game = make_game_with_computer_first(owner)
    fail_in_processes(monkeypatch, 1, 2, 3)
    assert jobs.run_one_job()
    assert released_seat_token(game)
    assert game.ply == 0


@pytest.mark.parametrize("slug", kinds_with_computers())
def test_an_unknown_level_releases_the_seat(owner, slug):
    game = make_game_with_computer_first(owner, all_rules()[slug])
    game.seats.filter(computer=1).update(computer=len(all_rules()[slug].ladder) + 1)
    assert jobs.run_one_job()
    assert released_seat_token(game)
    assert game.banner


@pytest.mark.parametrize("outcome", ["a legal move", "none", "an error"])
def test_a_computers_answer_to_an_undone_move_is_dropped(owner, use_computer, outcome):
    game = make_game_with_computer_first(owner)
    use_computer(first_legal)
    assert jobs.run_one_job()
    first, other = list(current_position(fresh(game)).legal_moves(game.to_move[0]))[:2]
    post_move(owner, game, move=first)

    def too_late(position: Position, seat: str) -> Choice:
        post_undo(owner, game)
        post_move(owner, game, move=other)
        if outcome == "an error":
            raise ZeroDivisionError
        return first_legal(position, seat) if outcome == "a legal move" else Choice(move="castles")

    use_computer(too_late)
    assert jobs.run_one_job()
    assert [move.text for move in fresh(game).moves.all()][1:] == [other]
    assert game.computer_to_move and game.banner is None
    use_computer(first_legal)
    assert jobs.run_one_job()
    assert fresh(game).ply == 3


def test_a_game_deleted_during_the_search_is_skipped(owner, use_computer):
    def slow(position: Position, seat: str) -> Choice:
        Game.objects.all().delete()
        return first_legal(position, seat)

    use_computer(slow)
    make_game_with_computer_first(owner)
    assert jobs.run_one_job()
    assert not jobs.run_one_job()


def fresh(game: Game) -> Game:
    game.refresh_from_db()
    return game


def test_a_database_error_releases_no_seat(owner, use_computer):
    def away(position: Position, seat: str) -> Choice:
        raise OperationalError("the connection is lost")

    use_computer(away)
    game = make_game_with_computer_first(owner)
    with pytest.raises(OperationalError):
        jobs.run_one_job()
    game.refresh_from_db()
    assert game.computer_to_move and game.banner is None
    use_computer(first_legal)
    Game.objects.update(leased_until=None)
    assert jobs.run_one_job()
    game.refresh_from_db()
    assert game.ply == 1


def test_a_failed_evaluation_is_stored_without_values(owner, use_computer):
    use_computer(first_legal)  # and nothing to evaluate with
    game = make_game_with_computer_first(owner)
    ask_evaluations(game, [0], hint=True)
    assert jobs.run_one_job() and jobs.run_one_job()
    assert not Evaluation.objects.exists()
    known = read_evaluations(read_snapshot(game.pk)).at(0)
    assert known and known.done and known.values is None


def test_a_quick_evaluation_without_values_is_left_for_a_full_one(owner, monkeypatch):
    def evaluate(position: Position, *, seconds: float) -> dict[str, MoveValue]:
        seat = min(position.to_move())
        value = MoveValue(value=1.0, shown=text("good"))
        return {first_legal(position, seat).move: value} if seconds > 0.5 else {}

    module = SimpleNamespace(evaluate=evaluate, MISTAKE=1.0)
    monkeypatch.setattr(jobs, "computer_module", lambda slug: module)
    ask_evaluations(make_game(owner), [0])
    assert jobs.run_one_job()
    evaluation = Evaluation.objects.get()
    assert len(read_block(evaluation.game_id)["0"]["moves"]) == 1
    assert evaluation.glanced


def test_a_played_move_is_looked_at_again_before_it_gets_its_last_values(owner, monkeypatch):
    def evaluate(position: Position, *, seconds: float) -> dict[str, MoveValue]:
        moves = position.legal_moves(min(position.to_move()))
        return {move: MoveValue(value=1.0, shown=text("good")) for move in moves}

    def look_again(
        position: Position, played: str, found: dict[str, MoveValue], *, seconds: float
    ) -> dict[str, MoveValue]:
        return {**found, played: MoveValue(value=-9.0, shown=text("bad"))}

    game = make_game(owner)
    post_move(owner, game)
    module = SimpleNamespace(evaluate=evaluate, look_again=look_again, MISTAKE=1.0)
    monkeypatch.setattr(jobs, "computer_module", lambda slug: module)
    monkeypatch.setattr(jobs, "_line", lambda *_: [])
    ask_evaluations(game, [0])
    shown = []
    while jobs.run_one_job():
        moves = read_block(game.pk)["0"]["moves"]
        played = game.moves.get(ply=1).text
        shown.append({entry["value"] for entry in moves if entry["move"] == played} - {1.0})
    assert shown == [set(), {-9.0}]


def test_a_computer_that_fails_to_load_does_not_stop_the_others(monkeypatch):
    loaded = []

    def load(slug: str) -> None:
        loaded.append(slug)
        raise ImportError(slug)

    monkeypatch.setattr(jobs, "computer_module", load)
    assert list(jobs.load_computers()) == loaded == kinds_with_computers()


def test_a_computer_follows_another_one_after_the_pause_of_the_rules(owner, settings, monkeypatch):
    settings.PACE_COMPUTERS = True
    game = make_game_between_computers(owner)
    assert jobs.run_one_job()
    assert not jobs.run_one_job()
    later = timezone.now() + timedelta(milliseconds=game.rules.ply_pause + 1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert jobs.run_one_job()


def test_a_computer_answers_a_person_without_a_pause(owner, settings):
    settings.PACE_COMPUTERS = True
    game = make_game_with_computer_first(owner)
    assert jobs.run_one_job()
    game.refresh_from_db()
    while not game.computer_to_move:
        assert post_move(owner, game).status_code == 302
        game.refresh_from_db()
    assert jobs.run_one_job()


def test_a_computer_goes_on_after_the_clock_has_jumped_back(owner, settings, monkeypatch):
    settings.PACE_COMPUTERS = True
    make_game_between_computers(owner)
    assert jobs.run_one_job()
    earlier = timezone.now() - timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: earlier)
    assert jobs.run_one_job()
