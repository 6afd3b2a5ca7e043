"""Clocks: the sides that lose time, when a flag falls, and the outcome of a flag against a move."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from games.contract import TIMEOUT, Rules
from games.core.clocks import LAG, Clock, TimeControl
from games.core.refusals import StalePly, TimeUp
from games.core.registry import all_rules
from games.models import Game, Heartbeat, Seat
from games.services import clocks, rematch, seats, setup
from games.services.play import fall_flag, play_move, resign
from games.state.snapshot import read_snapshot
from games.worker import jobs
from tests.support.game_requests import next_legal_move, post_move, post_undo, post_undo_answer
from tests.support.kinds import (
    kinds_with_shared_seats,
    seat_keys,
    three_player_options,
    two_player_rules,
)
from tests.support.moments import Now
from tests.support.players import Person, new_person
from tests.support.repeats import SOAK
from tests.support.threads import in_thread

BLITZ, THREE_DAYS, MINUTE = TimeControl(minutes=3, increment=2), TimeControl(days=3), 60_000


def make_timed_game(
    *people: Person,
    time: TimeControl = BLITZ,
    rules: Rules | None = None,
    seating: Mapping[str, str] | None = None,
    **options: Any,
) -> Game:
    """Return a game with a clock, with the people on its seats from the first on."""
    owner, *others = people
    rules = rules or two_player_rules()
    keys = [spec.key for spec in rules.seats(rules.clean(options))]
    seating = seating or {
        key: "invite" if 0 < place < len(people) or (others and place >= len(people)) else "me"
        for place, key in enumerate(keys)
    }
    game = setup.create_game(
        player=owner.player,
        new=setup.NewGame(
            rules=rules,
            options=options,
            seating=seating,
            time=time,
        ),
        rng=Random(1),
    )
    for key, person in zip(keys[1:], others, strict=False):
        seat = Seat.objects.get(game=game, key=key)
        seats.claim_seat(token=seats.invitation_token(seat), player=person.player)
    return fresh(game)


def fresh(game: Game) -> Game:
    game.refresh_from_db()
    return game


def clock_of(game: Game) -> Clock:
    return Clock.from_json(fresh(game).clock)


def play(game: Game, person: Person) -> None:
    assert post_move(person, game, htmx=True).status_code == 200


@pytest.mark.parametrize("written", ["5+3", "180+0", "3d", "14d"])
def test_a_time_control_reads_as_it_is_written(written):
    assert str(TimeControl.parse(written)) == written


@pytest.mark.parametrize("written", ["", "0+5", "5", "5+", "181+0", "5+999", "0d", "31d", "d", "x"])
def test_other_texts_are_no_time_control(written):
    assert TimeControl.parse(written) is None


def test_a_live_clock_starts_with_the_first_move(owner, opponent, now):
    game = make_timed_game(owner, opponent)
    now.pass_time(10 * MINUTE)
    assert (clock_of(game).running, game.flag_at) == ([], None)
    play(game, owner)
    first, second = seat_keys(two_player_rules())
    assert clock_of(game).running == [second]
    assert clock_of(game).left == {first: 3 * MINUTE, second: 3 * MINUTE}


def test_a_move_costs_its_time_and_earns_the_increment(owner, opponent, now):
    game = make_timed_game(owner, opponent)
    play(game, owner)
    now.pass_time(MINUTE)
    play(game, opponent)
    first, second = seat_keys(two_player_rules())
    assert clock_of(game).left == {first: 3 * MINUTE, second: 2 * MINUTE + 2_000}
    assert clock_of(game).running == [first]


def test_each_move_of_a_game_for_days_has_all_its_days(owner, opponent, now):
    game = make_timed_game(owner, opponent, time=THREE_DAYS)
    assert clock_of(game).running
    day = 24 * 60 * MINUTE
    now.pass_time(2 * day)
    play(game, owner)
    now.pass_time(2 * day)
    play(game, opponent)
    now.pass_time(2 * day)
    play(game, owner)
    assert set(clock_of(game).left.values()) == {day, 3 * day}


def test_a_move_after_the_flag_is_refused_and_the_game_is_lost(owner, opponent, now):
    game = make_timed_game(owner, opponent)
    play(game, owner)
    now.pass_time(3 * MINUTE + LAG)
    seat, move = next_legal_move(game)
    with pytest.raises(TimeUp):
        play_move(game_id=game.id, seat=seat, text=move, ply=1, player=opponent.player)
    first, _ = seat_keys(two_player_rules())
    assert fresh(game).over and game.result is not None
    assert game.result.winners == {first}
    assert "on time" in str(game.result.reason)
    assert (game.ply, game.moves.last().text, game.flag_at) == (2, TIMEOUT, None)


def test_a_move_that_arrives_within_the_lag_counts(owner, opponent, now):
    game = make_timed_game(owner, opponent)
    play(game, owner)
    now.pass_time(3 * MINUTE + LAG - 1)
    play(game, opponent)
    assert not fresh(game).over
    assert clock_of(game).left[seat_keys(two_player_rules())[1]] == 2_000


def test_the_late_player_reads_why_the_move_was_refused(owner, opponent, now):
    game = make_timed_game(owner, opponent)
    play(game, owner)
    now.pass_time(4 * MINUTE)
    response = post_move(opponent, game, htmx=True)
    assert response.status_code == 409
    assert "The time ran out before that arrived." in response.text
    assert "on time" in response.text


@pytest.mark.services
def test_the_worker_lets_a_flag_fall_without_a_browser(owner, opponent, now):
    game = make_timed_game(owner, opponent)
    play(game, owner)
    assert not jobs.run_one_job()
    Game.objects.filter(pk=game.pk).update(flag_at=timezone.now() - timedelta(seconds=1))
    now.pass_time(4 * MINUTE)
    assert jobs.run_one_job()
    assert fresh(game).over
    assert not jobs.run_one_job()


def test_a_game_lost_on_time_replays(owner, opponent, now):
    game = make_timed_game(owner, opponent)
    play(game, owner)
    now.pass_time(4 * MINUTE)
    fall_flag(game_id=game.id)
    assert read_snapshot(game.id).fault is None


def test_a_player_cannot_play_the_move_of_the_clock(owner, opponent):
    game = make_timed_game(owner, opponent)
    response = post_move(owner, game, move=TIMEOUT, htmx=True)
    assert response.status_code == 422
    assert "That’s not a move that you can type." in response.text


def test_checking_a_flag_before_it_is_due_changes_nothing(owner, opponent):
    game = make_timed_game(owner, opponent)
    play(game, owner)
    version = fresh(game).version
    assert owner.client.post(f"/g/{game.id}/flag/").status_code == 302
    assert (fresh(game).version, game.over) == (version, False)


def test_strangers_cannot_check_the_flag(owner, opponent, stranger, client, now):
    game = make_timed_game(owner, opponent)
    play(game, owner)
    now.pass_time(4 * MINUTE)
    assert client.post(f"/g/{game.id}/flag/").status_code == 403
    assert owner.client.post(f"/g/{game.id}/flag/").status_code == 302
    assert fresh(game).over


def test_a_clock_of_a_computer_does_not_run(owner, now):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    game = make_timed_game(owner, seating={first: "me", second: "computer-1"})
    play(game, owner)
    assert fresh(game).computer_to_move
    assert (clock_of(game).running, game.flag_at) == ([], None)
    now.pass_time(60 * MINUTE)
    assert jobs.run_one_job()
    assert clock_of(game).running == [first]
    assert clock_of(game).left[first] == 3 * MINUTE


def test_the_clock_of_an_empty_seat_runs_once_it_is_taken(owner, opponent, now):
    first, second = seat_keys(two_player_rules())
    game = make_timed_game(owner, seating={first: "me", second: "invite"})
    play(game, owner)
    now.pass_time(60 * MINUTE)
    assert clock_of(game).running == []
    seat = game.seats.get(key=second)
    seats.claim_seat(token=seats.invitation_token(seat), player=opponent.player)
    assert clock_of(game).running == [second]
    assert clock_of(game).left[second] == 3 * MINUTE


def test_an_undo_gives_no_time_back(owner, opponent, now):
    game = make_timed_game(owner, opponent)
    first, second = seat_keys(two_player_rules())
    play(game, owner)
    now.pass_time(MINUTE)
    play(game, opponent)
    now.pass_time(MINUTE)
    post_undo(opponent, game)
    post_undo_answer(owner, game, "yes")
    assert fresh(game).ply == 1
    assert clock_of(game).left == {first: 2 * MINUTE, second: 2 * MINUTE + 2_000}
    assert clock_of(game).running == [second]


def test_a_loss_on_time_cannot_be_taken_back(owner, now):
    game = make_timed_game(owner)
    play(game, owner)
    now.pass_time(4 * MINUTE)
    fall_flag(game_id=game.id)
    assert "b-undo" not in owner.client.get(game.get_absolute_url()).text
    post_undo(owner, game)
    assert fresh(game).over


def test_a_player_of_three_who_loses_on_time_leaves_as_one_who_resigns(owner, now):
    rules, options = three_player_options()
    game = make_timed_game(owner, rules=rules, **options)
    resigned = make_timed_game(owner, rules=rules, **options)
    for ended in (game, resigned):
        play(ended, owner)
    seat = fresh(resigned).to_move[0]
    resign(game_id=resigned.id, seat=seat, player=owner.player, ply=1)
    now.pass_time(4 * MINUTE)
    fall_flag(game_id=game.id)
    assert (fresh(game).to_move, game.status) == (fresh(resigned).to_move, resigned.status)


@pytest.mark.parametrize("slug", kinds_with_shared_seats())
def test_a_team_has_one_clock(owner, slug):
    rules = all_rules()[slug]
    game = make_timed_game(owner, rules=rules)
    assert set(clock_of(game).left) == {spec.side for spec in game.specs}
    play(game, owner)
    [side] = clock_of(game).running
    assert side in {spec.side for spec in game.specs if spec.key in fresh(game).to_move}


def test_a_rematch_keeps_the_clock(owner, opponent):
    game = make_timed_game(owner, opponent)
    seat = game.to_move[0]
    resign(game_id=game.id, seat=seat, player=owner.player, ply=0)
    assert rematch.rematch(game_id=game.id, player=owner.player).time == BLITZ


@pytest.mark.services
def test_downtime_is_given_back(owner, opponent):
    game = make_timed_game(owner, opponent, time=THREE_DAYS)
    clocks.beat()
    flag_at = fresh(game).flag_at
    down = timedelta(hours=5)
    move_back(game, down)
    Heartbeat.objects.update(at=timezone.now() - down)
    version = fresh(game).version
    clocks.return_downtime()
    assert abs(fresh(game).flag_at - flag_at) < timedelta(seconds=1)
    assert game.version == version + 1
    clocks.return_downtime()
    assert game.version == fresh(game).version


def move_back(game: Game, span: timedelta) -> None:
    """Make a clock run as long as if its game had begun earlier."""
    clock = fresh(game).clock
    ms = int(span.total_seconds() * 1_000)
    clock = {**clock, "since": clock["since"] - ms}
    Game.objects.filter(pk=game.pk).update(
        clock=clock, flag_at=game.flag_at - span, version=game.version + 1
    )


@pytest.mark.services
def test_the_first_clock_of_a_site_outlives_a_stop_before_its_first_heartbeat(owner, opponent):
    clocks.return_downtime()
    Heartbeat.objects.update(at=timezone.now() - timedelta(days=30))
    game = make_timed_game(owner, opponent, time=THREE_DAYS)
    flag_at = fresh(game).flag_at
    move_back(game, timedelta(days=4))
    assert clocks.due_flags() == []
    clocks.return_downtime()
    assert abs(fresh(game).flag_at - flag_at) < timedelta(seconds=1)


@pytest.mark.services
def test_only_the_time_since_the_last_heartbeat_is_given_back(owner, opponent):
    game = make_timed_game(owner, opponent, time=THREE_DAYS)
    clocks.beat()
    move_back(game, timedelta(hours=5))
    flag_at = fresh(game).flag_at
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=1))
    clocks.return_downtime()
    given = fresh(game).flag_at - flag_at
    assert abs(given - timedelta(hours=1)) < timedelta(seconds=1)


def test_a_clock_that_has_started_since_the_last_heartbeat_gets_nothing_back(owner, opponent):
    game = make_timed_game(owner, opponent, time=THREE_DAYS)
    clocks.beat()
    flag_at = fresh(game).flag_at
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=1))
    clocks.return_downtime()
    assert fresh(game).flag_at - flag_at < timedelta(seconds=1)


@pytest.mark.services
def test_nothing_is_given_back_while_another_process_serves(owner, opponent):
    game = make_timed_game(owner, opponent, time=THREE_DAYS)
    clocks.beat()
    flag_at = fresh(game).flag_at
    clocks.return_downtime()
    assert fresh(game).flag_at == flag_at


def test_no_flag_falls_while_the_site_is_down(owner, opponent):
    game = make_timed_game(owner, opponent, time=THREE_DAYS)
    clocks.beat()
    move_back(game, timedelta(days=3, minutes=1))
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=1))
    assert clocks.due_flags() == []
    Heartbeat.objects.update(at=timezone.now())
    assert clocks.due_flags() == [game.id]


def test_a_game_without_a_clock_needs_no_heartbeat(owner):
    new = setup.NewGame(rules=two_player_rules(), options={}, seating={}, time=None)
    setup.create_game(player=owner.player, new=new)
    clocks.beat()
    assert not Heartbeat.objects.exists()


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_flag_against_a_move_has_one_outcome_each_time(monkeypatch):
    owner, opponent = new_person("Olive"), new_person("Otto")
    moment = Now()
    outcomes = set()
    for turn in range(200 if SOAK else 40):
        game = make_timed_game(owner, opponent)
        play(game, owner)
        flag_at = clock_of(game).flag_at
        assert flag_at is not None
        # Each of the two sees the time just before the flag, or just after it.
        rng = Random(turn)
        monkeypatch.setattr(clocks, "now_ms", lambda rng=rng, at=flag_at: at - rng.randint(0, 1))
        seat, move = next_legal_move(game)
        with ThreadPoolExecutor(2) as pool:
            fallen = pool.submit(in_thread, fall_flag, game_id=game.id)
            played = pool.submit(
                in_thread,
                play_move,
                game_id=game.id,
                seat=seat,
                text=move,
                ply=1,
                player=opponent.player,
            )
        assert fallen.exception() is None
        monkeypatch.setattr(clocks, "now_ms", lambda: moment.ms)
        stored = game.moves.filter(ply__gt=1).values_list("text", flat=True)
        moved = played.exception() is None
        assert list(stored) == ([move] if moved else [TIMEOUT])
        assert fresh(game).over is not moved
        assert moved or isinstance(played.exception(), TimeUp | StalePly)
        outcomes.add(moved)
    assert outcomes == {True, False}
