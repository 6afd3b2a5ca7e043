"""Computers that play: one move a ply, whoever thinks, and a game that goes on whatever fails."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from games import services, worker
from games.contract import CannotPlay, Choice, Position, Rules, text
from games.models import Evaluation, Game
from games.registry import all_rules, computer_module
from games.services.computers import LEASE
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move, post_undo
from tests.support.kinds import two_player_rules
from tests.support.players import Person, new_person
from tests.support.site_process import ROOT, environment, query_database
from tests.support.snapshots import ask_evaluations, current_position

PLAYED_BY_COMPUTERS = [rules.slug for rules in all_rules().values() if rules.levels]
Choose = Callable[[Position, str], Choice]


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch) -> Callable[[Choose], None]:
    """Puts a computer player of ours in the place of the game's own."""

    def put(choose: Choose) -> None:
        def full(position: Position, seat: str, level: int, rng: Random, **_: Any) -> Choice:
            return choose(position, seat)

        module = SimpleNamespace(choose=full)
        monkeypatch.setattr(worker, "computer_module", lambda slug: module)

    return put


def first_legal(position: Position, seat: str) -> Choice:
    return Choice(move=next(iter(position.legal_moves(seat))))


def against_computer(owner: Person, rules: Rules | None = None) -> Game:
    """A game in which a computer of level 1 moves first and the owner has all other seats."""
    rules = rules or two_player_rules()
    options = {**rules.clean({}), **rules.computer_options}
    [first] = rules.start(rules.deal(options, Random(1))).to_move()
    keys = [spec.key for spec in rules.seats(options)]
    seating = {key: "computer-1" if key == first else "me" for key in keys}
    return services.create_game(
        player=owner.player, rules=rules, options={}, seating=seating, rng=Random(1)
    )


def freed_seat(game: Game) -> str:
    """The seat that was the computer's, which is nobody's now."""
    game.refresh_from_db()
    assert not game.computer_to_move
    [seat] = game.seats.filter(players=None)
    assert seat.computer is None
    return services.invitation_token(seat)


# --- a computer's move ---------------------------------------------------------------------


def test_a_computers_move_is_made_once(owner, computer):
    computer(first_legal)
    game = against_computer(owner)
    assert worker.run_one_job()
    assert not worker.run_one_job()
    game.refresh_from_db()
    assert (game.ply, game.moves.get().player) == (1, None)


def test_a_computers_move_after_the_end_changes_nothing(owner, computer):
    def too_late(position: Position, seat: str) -> Choice:
        other = game.seats.get(players=owner.player)
        services.resign(game_id=game.id, seat=other.key, player=owner.player, ply=0)
        return first_legal(position, seat)

    computer(too_late)
    game = against_computer(owner)
    assert worker.run_one_job()
    game.refresh_from_db()
    assert (game.ply, game.over, game.notice) == (1, True, None)


# --- a computer that cannot ------------------------------------------------------------------


def test_a_computer_that_cannot_play_gives_a_reason_and_people_play_on(owner, computer):
    def cannot(position: Position, seat: str) -> Choice:
        raise CannotPlay(text("There is no move to choose."))

    computer(cannot)
    game = against_computer(owner)
    assert worker.run_one_job()
    assert "There is no move to choose." in owner.client.get(game.get_absolute_url()).text
    guest = new_person("Otto")
    services.claim_seat(token=freed_seat(game), player=guest.player)
    assert post_move(guest, game).status_code == 302
    assert post_move(owner, game).status_code == 302
    assert "There is no move to choose." not in owner.client.get(game.get_absolute_url()).text


def test_a_computer_that_cannot_play_releases_its_own_seat_only(owner, computer):
    def cannot(position: Position, seat: str) -> Choice:
        raise CannotPlay(text("There is no move to choose."))

    computer(cannot)
    seating = {
        spec.key: "computer-1" for spec in two_player_rules().seats(two_player_rules().clean({}))
    }
    game = make_game(owner, seating=seating)
    assert worker.run_one_job()
    assert [seat.key for seat in game.seats.filter(computer=None)] == game.to_move
    assert game.seats.exclude(computer=None).count() == 1


@pytest.mark.parametrize("fault", [ZeroDivisionError(), MemoryError(), AssertionError("x")])
def test_a_computer_that_fails_releases_its_seat_with_a_sentence(owner, computer, fault):
    def fails(position: Position, seat: str) -> Choice:
        raise fault

    computer(fails)
    game = against_computer(owner)
    assert worker.run_one_job()
    page = owner.client.get(game.get_absolute_url()).text
    assert "Its seat is open for someone else" in page
    assert freed_seat(game)
    assert not worker.run_one_job()


def test_a_computer_with_an_illegal_move_releases_its_seat(owner, computer):
    computer(lambda position, seat: Choice(move="castles"))
    game = against_computer(owner)
    assert worker.run_one_job()
    assert freed_seat(game)
    assert game.ply == 0


@pytest.mark.parametrize("slug", PLAYED_BY_COMPUTERS)
def test_an_unknown_level_releases_the_seat(owner, slug):
    game = against_computer(owner, all_rules()[slug])
    game.seats.filter(computer=1).update(computer=all_rules()[slug].levels + 1)
    assert worker.run_one_job()
    assert freed_seat(game)
    assert game.notice


# --- a game that moves on meanwhile ------------------------------------------------------------


@pytest.mark.parametrize("answer", ["a legal move", "none", "an error"])
def test_a_computers_answer_to_an_undone_move_is_dropped(owner, computer, response):
    game = against_computer(owner)
    computer(first_legal)
    assert worker.run_one_job()
    first, other = list(current_position(fresh(game)).legal_moves(game.to_move[0]))[:2]
    post_move(owner, game, move=first)

    def too_late(position: Position, seat: str) -> Choice:
        post_undo(owner, game)
        post_move(owner, game, move=other)
        if response == "an error":
            raise ZeroDivisionError
        return first_legal(position, seat) if response == "a legal move" else Choice(move="castles")

    computer(too_late)
    assert worker.run_one_job()
    assert [move.text for move in fresh(game).moves.all()][1:] == [other]
    assert game.computer_to_move and game.notice is None
    computer(first_legal)
    assert worker.run_one_job()
    assert fresh(game).ply == 3


def test_a_game_deleted_during_the_search_is_skipped(owner, computer):
    def slow(position: Position, seat: str) -> Choice:
        Game.objects.all().delete()
        return first_legal(position, seat)

    computer(slow)
    against_computer(owner)
    assert worker.run_one_job()
    assert not worker.run_one_job()


def fresh(game: Game) -> Game:
    game.refresh_from_db()
    return game


def test_a_database_error_releases_no_seat(owner, computer):
    def away(position: Position, seat: str) -> Choice:
        raise OperationalError("the connection is lost")

    computer(away)
    game = against_computer(owner)
    with pytest.raises(OperationalError):
        worker.run_one_job()
    game.refresh_from_db()
    assert game.computer_to_move and game.notice is None
    computer(first_legal)
    Game.objects.update(leased_until=None)
    assert worker.run_one_job()
    game.refresh_from_db()
    assert game.ply == 1


def test_a_failed_evaluation_is_stored_without_values(owner, computer):
    computer(first_legal)  # and nothing to evaluate with
    game = against_computer(owner)
    ask_evaluations(game, [0], hint=True)
    assert worker.run_one_job() and worker.run_one_job()
    evaluation = Evaluation.objects.get()
    assert evaluation.done and evaluation.values is None


# --- leases and clocks -----------------------------------------------------------------------


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Sets the machine's clock forward, or back."""
    right_now, right_time = timezone.now, time.time

    def by(how_far: timedelta) -> None:
        def now() -> datetime:
            return right_now() + how_far

        monkeypatch.setattr(timezone, "now", now)
        monkeypatch.setattr(time, "time", lambda: right_time() + how_far.total_seconds())

    return by


def test_a_leased_turn_is_not_leased_again_before_it_expires(owner, jump):
    game = against_computer(owner)
    assert services.next_turn() == game
    assert services.next_turn() is None
    jump(LEASE - timedelta(seconds=2))
    assert services.next_turn() is None
    jump(LEASE + timedelta(seconds=2))
    assert services.next_turn() == game


@pytest.mark.parametrize("days", [1, -1, 400, -400])
def test_a_lease_ends_when_the_clock_jumps(owner, jump, days):
    game = against_computer(owner)
    assert services.next_turn() == game
    jump(timedelta(days=days))
    assert services.next_turn() == game
    assert services.next_turn() is None


@pytest.mark.parametrize("days", [1, -1])
def test_seats_and_sessions_outlive_a_jump_of_the_clock(
    owner, jump, days, admin_client
):
    game = make_game(owner)
    token = services.invitation_token(
        make_game(owner, seating={s.key: "invite" for s in game.specs}).seats.first()
    )
    jump(timedelta(days=days))
    assert post_move(owner, game).status_code == 302
    assert owner.client.get(f"/join/{token}/").status_code == 200
    assert admin_client.get("/admin/").status_code == 200


# --- two processes, one of which is killed ----------------------------------------------------

BEGIN = """
import sys, django; django.setup()
from django.core.management import call_command
from games.registry import all_rules
from games.services import create_game, new_player
call_command("migrate", verbosity=0)
rules = all_rules()[sys.argv[1]]
seating = {spec.key: "computer-1" for spec in rules.seats(rules.clean({}))}
for _ in range(int(sys.argv[2])):
    create_game(player=new_player(), rules=rules, options={}, seating=seating)
"""
GAMES = 4
SOON = 5
"""Seconds after which what the killed one had leased is free: `LEASE` would be half a minute."""
THINK = f"""
import sys, django; django.setup()
from datetime import timedelta
from django.core.management import call_command
from games.services import computers
computers.LEASE = timedelta(seconds={SOON})
call_command("run_computers", parent=int(sys.argv[1]))
"""


def quickest() -> str:
    """The kind of game in which a computer's first move takes the least time."""

    def seconds(rules: Rules) -> float:
        computer: Any = computer_module(rules.slug)
        options = {**rules.clean({}), **rules.computer_options}
        position = rules.start(rules.deal(options, Random(1)))
        began = time.monotonic()
        computer.choose(position, min(position.to_move()), 1, Random(1))
        return time.monotonic() - began

    return min((all_rules()[slug] for slug in PLAYED_BY_COMPUTERS), key=seconds).slug


def program(data: Path, source: str, *arguments: str) -> str:
    command = [sys.executable, "-c", source, *arguments]
    run = subprocess.run(command, cwd=ROOT, env=environment(data), check=True, stdout=-1, text=True)
    return run.stdout.strip()


@pytest.fixture
def thinkers(tmp_path: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Two processes that think, on games of computers alone."""
    program(tmp_path, BEGIN, quickest(), str(GAMES))
    command = [sys.executable, "-c", THINK, str(os.getpid())]
    both = [subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path)) for _ in range(2)]
    yield both
    for each in both:
        each.kill()
        each.wait()


def until(data: Path, question: str, least: int) -> None:
    """Wait until a number in the database has grown so far."""
    deadline = time.monotonic() + 150
    while query_database(data, question)[0][0] < least:
        assert time.monotonic() < deadline, "nobody thinks any more"
        time.sleep(0.02)


def test_two_workers_make_one_move_per_ply_and_one_survives_the_other(thinkers, tmp_path):
    until(tmp_path, "SELECT count(*) FROM games_move", 5)
    thinkers[0].kill()
    thinkers[0].wait()
    until(tmp_path, "SELECT count(*) FROM games_game WHERE status = 'over'", GAMES)
    assert thinkers[1].poll() is None
    twice = "SELECT game_id, ply FROM games_move GROUP BY game_id, ply HAVING count(*) > 1"
    assert query_database(tmp_path, twice) == []
    verify = "from django.core.management import call_command as c; c('verify_games')"
    said = program(tmp_path, f"import django; django.setup(); {verify}")
    assert f"{GAMES} games" in said and " 0 faults" in said


def test_a_worker_waits_for_the_tables_of_its_database(tmp_path):
    said = tmp_path / "said"
    command = [sys.executable, "manage.py", "run_computers", "--parent", str(os.getpid())]
    with (
        said.open("w") as errors,
        subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path), stderr=errors) as thinker,
    ):
        try:
            deadline = time.monotonic() + 60
            while "The database is older than the site" not in said.read_text():
                assert time.monotonic() < deadline, "nothing was said"
                time.sleep(0.1)
            program(tmp_path, BEGIN, quickest(), "1")
            until(tmp_path, "SELECT count(*) FROM games_move", 1)
        finally:
            thinker.kill()
    assert "does not answer" not in said.read_text()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks at Linux's own records")
def test_an_idle_worker_loads_the_computer_players(tmp_path):
    migrate = "from django.core.management import call_command as c; c('migrate', verbosity=0)"
    program(tmp_path, f"import django; django.setup(); {migrate}")
    command = [sys.executable, "manage.py", "run_computers", "--parent", str(os.getpid())]
    with subprocess.Popen(command, cwd=ROOT, env=environment(tmp_path)) as thinker:
        try:
            deadline = time.monotonic() + 60
            while "llvmlite" not in Path(f"/proc/{thinker.pid}/maps").read_text():
                assert time.monotonic() < deadline, "nothing was loaded"
                time.sleep(0.1)
        finally:
            thinker.kill()


def test_a_computer_that_fails_to_load_does_not_stop_the_others(monkeypatch):
    loaded = []

    def load(slug: str) -> None:
        loaded.append(slug)
        raise ImportError(slug)

    monkeypatch.setattr(worker, "computer_module", load)
    assert list(worker.load_computers()) == loaded == PLAYED_BY_COMPUTERS
