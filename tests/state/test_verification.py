"""Verification of games while they are played: it calls no sound game damaged."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from games.core.clocks import Clock, TimeControl
from games.live.health import queues, warnings
from games.models import Game, Heartbeat
from games.services import play
from games.services.verification import verify_daily
from games.state.replay import verify
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import next_legal_move
from tests.support.players import Person
from tests.support.servers.site_process import ROOT, environment
from tests.support.servers.worker_process import share_tables

pytestmark = [pytest.mark.django_db, pytest.mark.services]

VERIFY_WHILE_PLAYING = """
import threading, django; django.setup()
from random import Random
from django.core.management import call_command
from django.db import connection
from games.models import Game
from games.services.play import play_move
from games.services.players import new_player
from games.services.setup import NewGame, create_game
from games.services import questions
from games.state.questions import UNDO
from games.state.replay import verify
from games.state.snapshot import read_snapshot, read_uncached
from tests.support.kinds import seat_keys, two_player_rules

ROUNDS, PLIES = 30, 25
call_command("migrate", verbosity=0)
rules, player = two_player_rules(), new_player()
new = NewGame(rules=rules, options={}, seating=dict.fromkeys(seat_keys(rules), "me"))
games = [create_game(player=player, new=new).pk for _ in range(3)]
enough = threading.Event()

def play(game_id):
    rng = Random(game_id)
    while not enough.is_set():
        snapshot = read_snapshot(game_id)
        at = {"player": player, "ply": snapshot.game.ply, "undone": snapshot.game.undone}
        if snapshot.game.over or snapshot.game.ply > PLIES:
            questions.ask(UNDO, game_id=game_id, **at)
            continue
        seat = min(snapshot.position.to_move())
        move = rng.choice(list(snapshot.position.legal_moves(seat)))
        play_move(game_id=game_id, seat=seat, text=move, **at)
    connection.close()

threads = [threading.Thread(target=play, args=(game_id,)) for game_id in games]
for thread in threads:
    thread.start()
damaged = 0
try:
    for _ in range(ROUNDS):
        for game in list(Game.objects.all()):
            damaged += verify(game).fault is not None
            damaged += read_uncached(game.pk).fault is not None
        call_command("verify_games", "--mark", verbosity=0)
finally:
    enough.set()
    for thread in threads:
        thread.join()
damaged += Game.objects.filter(fault__isnull=False).count()
played = sum(Game.objects.values_list("version", flat=True))
print(f"{damaged} damaged, {'many' if played > 2 * ROUNDS else 'few'} moves")
"""


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_no_game_is_called_damaged_while_its_players_move(tmp_path: Path) -> None:
    share_tables(tmp_path)
    command = [sys.executable, "-c", VERIFY_WHILE_PLAYING]
    run = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), stdout=-1, text=True)
    assert run.stdout.splitlines()[-1:] == ["0 damaged, many moves"]


def test_a_row_read_before_a_move_is_compared_as_it_is_now(owner: Person) -> None:
    game = make_game(owner)
    seat, move = next_legal_move(game)
    play.play_move(game_id=game.pk, seat=seat, text=move, ply=0, player=owner.player)
    assert verify(game).fault is None


def test_a_game_that_is_gone_has_no_fault(owner: Person) -> None:
    game = make_game_with_moves(owner, 1)
    before = Game.objects.get(pk=game.pk)
    game.delete()
    assert verify(before).fault is None


def test_the_clock_of_a_game_runs_again_once_its_mark_goes(owner: Person) -> None:
    game = make_game_with_moves(owner, 1)
    clock = Clock.new(TimeControl(minutes=5), game.specs)
    first, second = clock.left
    clock = clock.run({second}, 1_000_000, moved=first)
    fault = {"plies": 0, "reason": {}}
    Game.objects.filter(pk=game.pk).update(clock=clock.to_json(), fault=fault, flag_at=None)
    call_command("verify_games", "--mark", verbosity=0)
    game.refresh_from_db()
    assert game.fault is None and game.flag_at is not None


def test_all_games_are_verified_once_a_day(owner: Person) -> None:
    sound, damaged = make_game(owner), make_game(owner)
    Game.objects.filter(pk=damaged.pk).update(ply=7)
    work = verify_daily()
    assert [next(work) for _ in range(3)] == [True, True, False]
    assert [game.pk for game in Game.objects.filter(fault__isnull=False)] == [damaged.pk]
    assert "1 games are damaged" in warnings()["verification"]
    # Another worker has nothing to do on the same day.
    assert not next(verify_daily())
    Heartbeat.objects.update(at=timezone.now() - timedelta(days=1, minutes=1))
    assert next(verify_daily())
    assert sound.pk != damaged.pk


def test_a_verification_that_is_long_ago_is_a_warning(owner: Person) -> None:
    assert not next(verify_daily())
    assert "verification" not in warnings()
    Heartbeat.objects.update(at=timezone.now() - timedelta(days=4))
    assert "for 4 days" in warnings()["verification"]
    assert queues()["verified_seconds", "Time since all games had been verified"] > 300_000
