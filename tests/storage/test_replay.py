"""Positions are replayed, and the cache is only ever a shortcut."""

from __future__ import annotations

from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import move_list, replay, services
from games.models import Game, Move
from games.registry import all_rules
from games.storage.cache import clear_all
from tests.support.game_factory import make_game
from tests.support.players import Person, new_person
from tests.support.posts import next_legal_move, post_move, post_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Person:
    clear_all()
    return new_person("Olive")


def play_some(owner: Person, game: Game, plies: int) -> None:
    rng = Random(5)
    for _ in range(plies):
        game.refresh_from_db()
        if game.over:
            return
        position = replay.position_at(game, game.ply)
        seat = rng.choice(sorted(position.to_move()))
        move = rng.choice(list(position.legal_moves(seat)))
        services.play_move(game_id=game.id, seat=seat, text=move, ply=game.ply, player=owner.player)


@pytest.mark.parametrize("slug", all_rules())
def test_a_forgotten_position_comes_back_the_same(owner, slug):
    game = make_game(owner, rules=all_rules()[slug])
    play_some(owner, game, 12)
    game.refresh_from_db()
    views = [replay.position_at(game, ply).view(None) for ply in range(game.ply + 1)]
    clear_all()
    again = [replay.position_at(game, ply).view(None) for ply in range(game.ply + 1)]
    assert views == again


def test_a_position_that_was_asked_for_is_ones_own(owner):
    game = make_game(owner)
    seat, move = next_legal_move(game)
    replay.position_at(game, 0).play(seat, move)
    assert replay.position_at(game, 0).view(None) == game.rules.start(game.setup).view(None)


def test_a_kept_position_of_a_move_that_was_taken_back_is_not_used(owner):
    game = make_game(owner)
    first, second = list(replay.position_at(game, 0).legal_moves(game.to_move[0]))[:2]
    post_move(owner, game, move=first)
    played = game.moves.get()
    # As another process takes it back and plays on: nothing is kept here of what it does.
    played.delete()
    Move.objects.create(game=game, ply=1, seat=played.seat, text=second)
    expected = game.rules.start(game.setup).play(played.seat, second)
    assert replay.position_at(game, 1).view(None) == expected.view(None)


@pytest.mark.parametrize("ply", [1, 10**15])
def test_there_is_no_position_past_the_last_move_and_nobody_looks_long_for_it(owner, ply):
    game = make_game(owner)
    with pytest.raises(Move.DoesNotExist):
        replay.position_at(game, ply)


def test_a_move_that_is_played_while_the_moves_are_read_is_listed_once(owner):
    game = make_game(owner)
    post_move(owner, game)
    read_before = Game.objects.get()
    clear_all()
    # Another process plays on.
    second = next_legal_move(Game.objects.get())
    move = Move.objects.create(game=game, ply=2, seat=second[0], text=second[1])
    assert [listed.ply for listed in move_list.last_moves(read_before)] == [1]
    before, read_before.version = read_before.version, read_before.version + 1
    move_list.keep(read_before, before, move)
    assert [listed.ply for listed in move_list.last_moves(read_before)] == [1, 2]


def test_of_a_long_game_only_the_last_moves_are_kept_for_its_list(owner):
    game, most = make_game(owner), move_list.LISTED_PLIES
    Move.objects.bulk_create(
        Move(game=game, ply=ply, seat="x", text=str(ply)) for ply in range(1, most + 1)
    )
    game.ply = most
    assert [listed.ply for listed in move_list.last_moves(game)] == list(range(1, most + 1))
    before, game.version = game.version, game.version + 1
    move_list.keep(game, before, Move(game=game, ply=most + 1, seat="x", text="last"))
    assert [listed.ply for listed in move_list.last_moves(game)] == list(range(2, most + 2))


def test_opening_a_long_game_reads_and_replays_as_little_as_a_short_one(owner):
    rules = max(all_rules().values(), key=lambda rules: sum(o.high for o in rules.options))
    game = make_game(owner, rules=rules)
    play_some(owner, game, 3)
    short = _work(owner, game)
    play_some(owner, game, 20)
    # A game that has ended meanwhile asks a little less.
    assert _work(owner, game) <= short


def _work(owner: Person, game: Game) -> int:
    owner.client.get(game.get_absolute_url())
    with CaptureQueriesContext(connection) as queries:
        owner.client.get(game.get_absolute_url())
    return len(queries)


def test_no_stored_move_is_ever_read_twice_as_another(owner):
    game = make_game(owner)
    post_move(owner, game)
    first = game.moves.get().pk
    post_undo(owner, game)
    post_move(owner, game)
    assert Move.objects.get(game=game).pk > first


def test_whatever_no_first_position_can_be_made_of_has_a_verdict_too(owner):
    unreadable, gone = make_game(owner), make_game(owner)
    unreadable.setup, gone.kind = {}, "ludo"
    assert str(replay.verify(unreadable).fault) == "The setup of this game cannot be read."
    assert str(replay.verify(gone).fault) == "There is no game of the kind “ludo” here."


def test_whose_turn_the_row_says_it_is_is_compared_too(owner):
    game = make_game(owner)
    game.to_move = [next(spec.key for spec in game.specs if spec.key not in game.to_move)]
    said = "the stored seats to move are not those of the replay"
    assert str(replay.verify(game).fault) == said


@pytest.mark.parametrize("stored", [{"winners": []}, {"winners": 1, "reason": []}, "all", [], 0])
def test_a_result_that_cannot_be_read_is_not_that_of_the_replay(owner, stored):
    game = make_game(owner)
    game.result_json = stored
    said = "the stored result is not the result of the replay"
    assert str(replay.verify(game).fault) == said


@pytest.mark.parametrize("damage", [{"setup": {}}, {"kind": "ludo"}])
def test_a_game_that_cannot_be_read_keeps_no_other_game_from_being_verified(owner, damage, capsys):
    damaged, *later = (make_game(owner) for _ in range(3))
    Game.objects.filter(pk=damaged.pk).update(**damage)
    Game.objects.filter(pk=later[1].pk).update(ply=7)
    with pytest.raises(CommandError):
        call_command("verify_games")
    said = capsys.readouterr()
    assert "3 games, " in said.out and " 2 faults" in said.out
    assert f"game {damaged.pk}: The" in said.err and f"game {later[1].pk}: " in said.err
