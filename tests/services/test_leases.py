"""Whose turn it is to be thought for: nobody waits for a queue of others, nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services, worker
from games.contract import text
from games.models import Evaluation, Game
from games.rate_limits import COMPUTER_GAMES_PER_PLAYER, RateLimit, RateLimited
from games.services import computers
from games.services.computers import LEASE
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.kinds import two_player_rules
from tests.support.players import Person
from tests.support.snapshots import ask_evaluations

pytestmark = pytest.mark.django_db
JUMPS = (timedelta(seconds=-3), timedelta(0), timedelta(seconds=3))


def a_show(owner: Person) -> Game:
    """A game that only computers play."""
    keys = [spec.key for spec in two_player_rules().seats(two_player_rules().clean({}))]
    return make_game(owner, seating=dict.fromkeys(keys, "computer-1"))


def against_computer(owner: Person) -> Game:
    """A game in which a computer is to move, and the owner plays."""
    keys = [spec.key for spec in two_player_rules().seats(two_player_rules().clean({}))]
    games = [
        make_game(owner, seating={key: "computer-1" if key == computer else "me" for key in keys})
        for computer in keys
    ]
    [game] = [game for game in games if game.computer_to_move]
    return game


def form(seat: str) -> dict[str, str]:
    rules = two_player_rules()
    seats = {f"seat-{spec.key}": seat for spec in rules.seats(rules.clean({}))}
    return {**{option.name: str(option.default) for option in rules.options}, **seats, "name": ""}


# --- games that nobody plays -----------------------------------------------------------------


def test_games_with_people_come_before_games_between_computers(owner, stranger):
    shows = [a_show(stranger) for _ in range(COMPUTER_GAMES_PER_PLAYER)]
    game = against_computer(owner)
    leased = [services.next_turn() for _ in range(COMPUTER_GAMES_PER_PLAYER + 1)]
    assert leased == [game, *shows]


def test_a_game_with_a_released_seat_is_no_game_between_computers(owner):
    game = a_show(owner)
    services.release_seats(game=game, reason=text("It cannot go on."))
    game.refresh_from_db()
    assert not game.only_computers


def test_the_migration_marks_games_between_computers(owner):
    show, game = a_show(owner), against_computer(owner)
    Game.objects.update(only_computers=False)
    fill = import_module("games.migrations.0005_turns").tell_where_only_computers_sit
    fill(apps, SimpleNamespace(connection=connection))
    assert list(Game.objects.filter(only_computers=True)) == [show]
    assert game.computer_to_move


def test_running_games_between_computers_per_player_are_limited(owner):
    responses = [
        owner.client.post(f"/new/{two_player_rules().slug}/", form("computer-1"))
        for _ in range(COMPUTER_GAMES_PER_PLAYER + 1)
    ]
    assert [response.status_code for response in responses] == [302] * COMPUTER_GAMES_PER_PLAYER + [429]
    assert (
        f"You already have {COMPUTER_GAMES_PER_PLAYER} games between computers running"
        in responses[-1].text
    )
    assert Game.objects.count() == COMPUTER_GAMES_PER_PLAYER


def test_a_finished_game_between_computers_frees_its_place(owner):
    for _ in range(COMPUTER_GAMES_PER_PLAYER):
        a_show(owner)
    with pytest.raises(RateLimited):
        a_show(owner)
    Game.objects.filter(pk=Game.objects.first().pk).update(status=Game.Status.OVER)
    assert a_show(owner).only_computers


def test_games_with_people_are_allowed_beyond_the_limit(owner):
    for _ in range(COMPUTER_GAMES_PER_PLAYER):
        a_show(owner)
    assert owner.client.post(f"/new/{two_player_rules().slug}/", form("me")).status_code == 302


def test_games_of_others_and_with_people_do_not_count(owner, stranger):
    for _ in range(COMPUTER_GAMES_PER_PLAYER):
        a_show(stranger)
        make_game(owner)
    assert a_show(owner).only_computers


def test_games_between_computers_without_a_cookie_count_by_address(client, monkeypatch):
    monkeypatch.setattr("games.views.new.COMPUTER_GAMES_PER_ADDRESS", RateLimit(1, 60))
    responses = []
    for _ in range(2):
        client.cookies.clear()
        responses.append(
            client.post(f"/new/{two_player_rules().slug}/", form("computer-1")).status_code
        )
    assert responses == [302, 429]
    assert Game.objects.count() == 1


# --- hints, games, analyses ------------------------------------------------------------------


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was worked on, by kind: moves are thought of and never played, as if ever more came."""
    kinds: list[str] = []

    def turn(game: Game) -> None:
        kinds.append("move")
        Game.objects.update(leased_until=None)

    def evaluation(found: Evaluation) -> None:
        kinds.append("hint" if found.hint else "ply")
        Evaluation.objects.update(leased_until=None)

    monkeypatch.setattr(worker, "take_turn", turn)
    monkeypatch.setattr(worker, "evaluate", evaluation)
    return kinds


def work(pieces: int) -> None:
    for number in range(pieces):
        worker.run_one_job(worker.SCHEDULES[number % len(worker.SCHEDULES)])


def test_a_hint_comes_before_computer_moves(owner, done):
    ask_evaluations(against_computer(owner), [0], hint=True)
    work(1)
    assert done == ["hint"]


def test_computer_moves_alternate_with_hints(owner, done):
    ask_evaluations(against_computer(owner), [0], hint=True)
    work(2)
    assert done == ["hint", "move"]


def test_an_analysis_gets_a_turn_among_computer_moves(owner, done):
    ask_evaluations(against_computer(owner), [0])
    work(len(worker.SCHEDULES))
    assert done.count("ply") == 1


def test_a_computer_move_comes_before_an_analysis(owner, done):
    ask_evaluations(against_computer(owner), [0])
    work(1)
    assert done == ["move"]


def test_run_computers_works_through_its_schedules(owner, done, monkeypatch):
    from games.management.commands.run_computers import Command

    ask_evaluations(against_computer(owner), [0])
    command = Command()
    monkeypatch.setattr("os.getppid", lambda: 1 if len(done) < len(worker.SCHEDULES) else 2)
    command.handle(parent=1)
    assert set(done) == {"move", "ply"}


# --- analyses of several visitors ------------------------------------------------------------


def after_moves(owner: Person, plies: int) -> Game:
    game = make_game(owner)
    for _ in range(plies):
        post_move(owner, game)
    game.refresh_from_db()
    return game


def waiting_plies() -> list[tuple[str, int]]:
    """What is evaluated one after another, until nothing waits."""
    found = iter(lambda: services.next_evaluation(hint=False), None)
    return [(each.game_id, each.ply) for each in found]


def test_two_analyses_alternate_position_by_position(owner):
    long, short = after_moves(owner, 4), after_moves(owner, 1)
    for game in (long, short):
        ask_evaluations(game, range(game.ply + 1))
    assert waiting_plies() == [
        (long.id, 0),
        (short.id, 0),
        (long.id, 1),
        (short.id, 1),
        *((long.id, ply) for ply in (2, 3, 4)),
    ]


def test_a_hint_requested_during_an_analysis_gets_a_hints_priority(owner):
    game = after_moves(owner, 2)
    ask_evaluations(game, range(3))
    ask_evaluations(game, [2], hint=True)
    assert list(Evaluation.objects.values_list("ply", "hint")) == [
        (0, False),
        (1, False),
        (2, True),
    ]


def test_an_analysis_does_not_lower_the_priority_of_a_hint(owner):
    game = after_moves(owner, 1)
    ask_evaluations(game, [1], hint=True)
    ask_evaluations(game, range(2))
    assert Evaluation.objects.get(ply=1).hint


# --- leases ------------------------------------------------------------------------------------


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Sets the clock to so much from now."""
    right_now = timezone.now
    return lambda by: monkeypatch.setattr(timezone, "now", lambda: right_now() + by)


@pytest.mark.parametrize("hint", [True, False])
def test_a_leased_evaluation_is_not_leased_again(owner, hint):
    ask_evaluations(make_game(owner), [0], hint=hint)
    assert services.next_evaluation(hint=hint) == Evaluation.objects.get()
    assert services.next_evaluation(hint=hint) is None


def test_an_evaluation_is_leased_again_after_its_lease_expires(owner, jump):
    ask_evaluations(make_game(owner), [0])
    found = services.next_evaluation(hint=False)
    jump(LEASE + timedelta(seconds=1))
    assert services.next_evaluation(hint=False) == found


def test_a_turn_leased_during_the_wait_for_the_lock_is_skipped(owner, monkeypatch):
    game, right, others = against_computer(owner), computers.write_transaction, []

    @contextmanager
    def after_another() -> Iterator[Any]:
        monkeypatch.setattr(computers, "write_transaction", right)
        others.append(services.next_turn())
        with right():
            yield

    monkeypatch.setattr(computers, "write_transaction", after_another)
    assert services.next_turn() is None
    assert others == [game]


@pytest.mark.parametrize("ahead", JUMPS)
def test_leases_tolerate_clocks_some_seconds_apart(owner, jump, ahead):
    against_computer(owner)
    assert services.next_turn() is not None
    jump(ahead)
    assert services.next_turn() is None


# --- what a look costs -------------------------------------------------------------------------


@pytest.mark.skipif(connection.vendor != "sqlite", reason="others plan by what is in the tables")
@pytest.mark.parametrize(
    ("look", "index"),
    [
        (services.next_turn, "games_computer_to_move"),
        (partial(services.next_evaluation, hint=True), "games_hint_waiting"),
        (partial(services.next_evaluation, hint=False), "games_ply_waiting"),
    ],
)
def test_the_queries_for_work_use_their_indexes(owner, look, index):
    against_computer(owner)
    game = after_moves(owner, 1)
    ask_evaluations(game, [0], hint=True)
    ask_evaluations(game, [1])
    with CaptureQueriesContext(connection) as asked:
        assert look() is not None
    selects = [each["sql"] for each in asked if each["sql"].startswith("SELECT")]
    assert len(selects) == 2
    for select in selects:
        [step, *_] = plan(select)
        assert f"USING INDEX {index}" in step
    assert not any("TEMP B-TREE" in step for step in plan(selects[-1]))


def plan(select: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {select}")
        return [row[-1] for row in cursor.fetchall()]


# --- a process that is stopped in mid-thought --------------------------------------------------


def stopped(how: type[BaseException], *_: Any, **__: Any) -> None:
    raise how


@pytest.mark.parametrize("how", [SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("work", ["choose", "evaluate"])
def test_an_interrupted_job_releases_its_lease(
    owner, monkeypatch, how, work
):
    game = against_computer(owner)
    if work == "evaluate":
        ask_evaluations(game, [0], hint=True)
    module = SimpleNamespace(**{work: partial(stopped, how)})
    monkeypatch.setattr(worker, "computer_module", lambda slug: module)
    order = worker.SCHEDULES[0 if work == "evaluate" else 1]
    with pytest.raises(how):
        worker.run_one_job(order)
    assert services.next_turn() == game
    assert services.next_evaluation(hint=True) == Evaluation.objects.first()


def test_a_newer_lease_is_not_released(owner):
    first = against_computer(owner)
    mine = services.next_turn()
    assert mine == first
    theirs = timezone.now() + LEASE
    Game.objects.update(leased_until=theirs)
    services.release_lease(mine)
    mine.refresh_from_db()
    assert mine.leased_until == theirs
