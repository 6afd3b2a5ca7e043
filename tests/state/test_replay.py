"""Replays are equal to cached positions, and faults of stored games are found."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.core.registry import all_rules
from games.models import Game, Move
from games.presentation.game_page import build_page
from games.presentation.move_list import LISTED_PLIES
from games.presentation.visibility import Perspective
from games.services import play
from games.state import replay, snapshot
from games.storage.cache import clear_all
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import next_legal_move, post_move, post_undo
from tests.support.players import Person
from tests.support.snapshots import position_at

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def play_some(owner: Person, game: Game, plies: int) -> None:
    rng = Random(5)
    for _ in range(plies):
        game.refresh_from_db()
        if game.over:
            return
        position = position_at(game, game.ply)
        seat = rng.choice(sorted(position.to_move()))
        move = rng.choice(list(position.legal_moves(seat)))
        play.play_move(game_id=game.id, seat=seat, text=move, ply=game.ply, player=owner.player)


@pytest.mark.parametrize("slug", all_rules())
def test_an_evicted_position_is_replayed_to_the_same(owner, slug):
    game = make_game(owner, rules=all_rules()[slug])
    play_some(owner, game, 12)
    game.refresh_from_db()
    views = [position_at(game, ply).view(None) for ply in range(game.ply + 1)]
    clear_all()
    again = [position_at(game, ply).view(None) for ply in range(game.ply + 1)]
    assert views == again


def test_a_returned_position_may_be_changed(owner):
    game = make_game(owner)
    seat, move = next_legal_move(game)
    position_at(game, 0).play(seat, move)
    assert position_at(game, 0).view(None) == game.rules.start(game.setup).view(None)


def test_the_cached_position_of_an_undone_move_is_not_used(owner):
    game = make_game(owner)
    first, second = list(position_at(game, 0).legal_moves(game.to_move[0]))[:2]
    post_move(owner, game, move=first)
    played = game.moves.get()
    # Another process undoes the move and plays on; the caches of this one do not know.
    played.delete()
    Move.objects.create(game=game, ply=1, seat=played.seat, text=second)
    expected = game.rules.start(game.setup).play(played.seat, second)
    assert position_at(game, 1).view(None) == expected.view(None)


@pytest.mark.parametrize("ply", [1, 10**15])
def test_a_ply_after_the_last_move_is_refused_at_once(owner, ply):
    game = make_game(owner)
    with pytest.raises(replay.Unreadable):
        position_at(game, ply)


def test_a_move_played_during_reading_is_in_the_snapshot_once(owner, monkeypatch):
    game = make_game(owner)
    read, to_come = snapshot._read_game, [game]

    def read_and_move(game_id: str) -> Game:
        found = read(game_id)
        if to_come:
            post_move(owner, to_come.pop())
        return found

    monkeypatch.setattr(snapshot, "_read_game", read_and_move)
    found = snapshot.read_snapshot(game.pk)
    assert [move.ply for move in found.moves] == [1]
    assert found.game.ply == 1


def test_the_page_of_a_long_game_lists_the_last_moves_only(owner):
    game = make_game_with_moves(owner, 3)
    found = snapshot.read_snapshot(game.pk)
    assert [move.ply for move in build_page(found, Perspective()).listed.moves] == [1, 2, 3]
    many = replace(found, moves=found.moves * (LISTED_PLIES // 3 + 1))
    many.game.ply = 3
    assert len(build_page(many, Perspective()).listed.moves) == LISTED_PLIES


def test_a_long_game_needs_no_more_queries_than_a_short_one(owner):
    rules = max(all_rules().values(), key=lambda rules: sum(o.high for o in rules.options))
    game = make_game(owner, rules=rules)
    play_some(owner, game, 3)
    short = _count_queries(owner, game)
    play_some(owner, game, 20)
    # A game that has ended meanwhile needs fewer.
    assert _count_queries(owner, game) <= short


def _count_queries(owner: Person, game: Game) -> int:
    owner.client.get(game.get_absolute_url())
    with CaptureQueriesContext(connection) as queries:
        owner.client.get(game.get_absolute_url())
    return len(queries)


def test_ids_of_undone_moves_are_not_used_again(owner):
    game = make_game(owner)
    post_move(owner, game)
    first = game.moves.get().pk
    post_undo(owner, game)
    post_move(owner, game)
    assert Move.objects.get(game=game).pk > first


def test_games_without_a_first_position_have_a_fault(owner):
    unreadable, gone = make_game(owner), make_game(owner)
    unreadable.setup, gone.kind = {}, "ludo"
    assert str(replay.verify(unreadable).fault) == "The setup of this game is unreadable."
    assert str(replay.verify(gone).fault) == "This site has no game “ludo”."


def test_the_stored_seats_to_move_are_compared(owner):
    game = make_game(owner)
    game.to_move = [next(spec.key for spec in game.specs if spec.key not in game.to_move)]
    fault = "the stored seats to move differ from the replay"
    assert str(replay.verify(game).fault) == fault


@pytest.mark.parametrize("stored", [{"winners": []}, {"winners": 1, "reason": []}, "all", [], 0])
def test_an_unreadable_result_differs_from_the_replay(owner, stored):
    game = make_game(owner)
    game.result_json = stored
    fault = "the stored result differs from the replay"
    assert str(replay.verify(game).fault) == fault


@pytest.mark.parametrize("damage", [{"setup": {}}, {"kind": "ludo"}])
def test_all_games_are_verified_after_an_unreadable_one(owner, damage, capsys):
    damaged, *later = (make_game(owner) for _ in range(3))
    Game.objects.filter(pk=damaged.pk).update(**damage)
    Game.objects.filter(pk=later[1].pk).update(ply=7)
    with pytest.raises(CommandError):
        call_command("verify_games")
    output = capsys.readouterr()
    assert "3 games, " in output.out and " 2 faults" in output.out
    assert f"game {damaged.pk}: " in output.err and f"game {later[1].pk}: " in output.err
