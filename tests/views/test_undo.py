"""Taking back: free where nobody minds, by agreement otherwise."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Game
from tests.support.game_factory import make_finished_game, make_game
from tests.support.kinds import two_player_rules
from tests.support.players import Person
from tests.support.posts import post_move, post_undo, post_undo_answer
from tests.support.snapshots import position_at

pytestmark = pytest.mark.django_db


def ply(game: Game) -> int:
    game.refresh_from_db()
    assert game.moves.count() == game.ply
    return game.ply


def test_on_one_device_a_move_is_taken_back_at_once(owner):
    game = make_game(owner)
    post_move(owner, game)
    assert post_undo(owner, game).status_code == 302
    assert ply(game) == 0


def test_another_move_can_be_played_where_one_was_taken_back(owner):
    game = make_game(owner)
    first = list(position_at(game, 0).legal_moves(game.to_move[0]))
    for move in first[:2]:
        post_move(owner, game, move=move)
        post_undo(owner, game)
    post_move(owner, game, move=first[1])
    played = position_at(Game.objects.get(pk=game.pk), 1)
    fresh = position_at(game, 0).play(game.moves.get().seat, first[1])
    assert played.view(None) == fresh.view(None)


def test_between_two_people_the_other_one_is_asked(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    assert ply(game) == 1
    page = opponent.client.get(game.get_absolute_url()).text
    asker = two_player_rules().seats(two_player_rules().clean({}))[0].name
    assert f"{asker} asks to take 1 move back." in page
    assert 'id="b-agree"' in page


def test_in_dutch_the_button_says_what_it_asks_to_take_back(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    page = owner.client.get(game.get_absolute_url(), headers={"Accept-Language": "nl"}).text
    assert "Vraag om zet terug te nemen" in page.split('id="b-undo"')[1].split("</button>")[0]


def test_who_asks_reads_on_whom_it_waits_and_can_withdraw(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    page = owner.client.get(game.get_absolute_url()).text
    other = two_player_rules().seats(two_player_rules().clean({}))[1].name
    assert f"Waiting for: {other}" in page
    assert 'id="b-agree"' not in page
    post_undo_answer(owner, game, "no")
    assert ply(game) == 1
    assert game.undo_asked_by == ""


def test_the_sentence_says_how_many_moves_go(owner, opponent):
    game = make_game(owner, opponent)
    for mover in (owner, opponent, owner, opponent):
        post_move(mover, game)
    post_undo(owner, game)
    assert "asks to take 2 moves back." in opponent.client.get(game.get_absolute_url()).text
    post_undo_answer(opponent, game, "yes")
    assert "has taken 2 moves back." in opponent.client.get(game.get_absolute_url()).text


def test_an_answer_to_an_older_wish_is_stale(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    page = opponent.client.get(game.get_absolute_url()).text
    fields = ("asker", "ply")
    old = {name: re.findall(rf'name="{name}" value="([^"]*)"', page)[0] for name in fields}
    post_move(opponent, game)
    post_undo(owner, game)
    assert post_undo_answer(opponent, game, "yes", **old).status_code == 409
    assert ply(game) == 2
    assert game.undo_asked_by != ""


def test_while_one_player_asks_another_cannot(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_move(opponent, game)
    post_undo(owner, game)
    answer = post_undo(opponent, game)
    assert answer.status_code == 409
    assert "Somebody else asks to take a move back already" in answer.text
    game.refresh_from_db()
    assert game.undo_asked_by == game.moves.get(ply=1).seat


def test_asking_twice_is_asking_once(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    answers = [post_undo(owner, game).status_code for _ in range(2)]
    assert answers == [302, 302]
    post_undo_answer(opponent, game, "yes")
    assert ply(game) == 0


def test_the_other_one_agrees(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    post_undo_answer(opponent, game, "yes")
    assert ply(game) == 0


def test_the_other_one_refuses(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    post_undo_answer(opponent, game, "no")
    assert ply(game) == 1
    assert game.undo_asked_by == ""


def test_nobody_agrees_with_themselves(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    answer = post_undo_answer(owner, game, "yes")
    assert answer.status_code == 422
    assert ply(game) == 1


def test_a_stranger_neither_asks_nor_answers(owner, opponent, stranger):
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert post_undo(stranger, game).status_code == 403
    post_undo(owner, game)
    answer = post_undo_answer(stranger, game, "yes")
    assert answer.status_code == 403
    assert ply(game) == 1


def test_before_the_first_move_there_is_nothing_to_take_back(owner):
    game = make_game(owner)
    assert post_undo(owner, game).status_code == 422


def test_a_move_answers_the_wish_to_take_one_back(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    post_move(opponent, game)
    game.refresh_from_db()
    assert game.undo_asked_by == ""


def test_a_finished_game_between_two_people_stays_a_finished_game(owner, opponent):
    game = make_finished_game(owner, opponent)
    assert post_undo(owner, game).status_code == 422
    game.refresh_from_db()
    assert (game.over, game.undo_asked_by) == (True, "")


def test_taking_back_twice_by_one_form_takes_back_once(owner):
    game = make_game(owner)
    for _ in range(3):
        post_move(owner, game)
    game.refresh_from_db()
    sent = {"ply": game.ply, "undone": game.undone}
    answers = [owner.client.post(f"/g/{game.id}/undo/", sent).status_code for _ in range(2)]
    assert answers == [302, 409]
    assert ply(game) == 2


def test_a_wish_on_a_board_that_was_taken_back_is_stale_though_it_has_as_many_moves(owner):
    game = make_game(owner)
    post_move(owner, game)
    old_board = {"ply": 1, "undone": 0}
    post_undo(owner, game)
    post_move(owner, game)
    assert owner.client.post(f"/g/{game.id}/undo/", old_board).status_code == 409
    assert ply(game) == 1


def test_a_move_on_a_board_that_was_taken_back_is_stale_though_it_has_as_many_moves(owner):
    game = make_game(owner)
    first, other = list(position_at(game, 0).legal_moves(game.to_move[0]))[:2]
    post_move(owner, game, move=first)
    game.refresh_from_db()
    seat = game.to_move[0]
    reply = next(iter(position_at(game, 1).legal_moves(seat)))
    old_board = {"seat": seat, "move": reply, "ply": 1}
    post_undo(owner, game)
    post_move(owner, game, move=other)
    assert owner.client.post(f"/g/{game.id}/move/", old_board).status_code == 409
    assert [move.text for move in game.moves.all()] == [other]


def test_the_forms_of_a_board_say_how_often_moves_were_taken_back(owner):
    game = make_game(owner)
    post_move(owner, game)
    post_undo(owner, game)
    page = owner.client.get(game.get_absolute_url()).text
    assert page.count('name="undone" value="1"') == page.count('name="ply"')


@pytest.fixture
def asked(owner, opponent) -> Game:
    """A game in which the owner asks the opponent to take the first move back."""
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    return game


def status(who: Person, game: Game) -> str:
    """What is announced to somebody who follows the game."""
    board = who.client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"}).text
    return board.split('<div id="status" hx-swap-oob="innerHTML">')[1].split("</div>")[0]


def seat_of(who: Person, game: Game) -> str:
    key = game.seats.get(players=who.player).key
    return str(next(spec.name for spec in game.specs if spec.key == key))


def test_the_wish_is_announced_to_whom_it_asks_and_stands_with_the_turn(asked, owner, opponent):
    told = f"{seat_of(owner, asked)} asks to take 1 move back."
    card = opponent.client.get(asked.get_absolute_url()).text.split('<div class="turn">')[1]
    assert status(opponent, asked).startswith(told)
    assert told in card.split('id="b-agree"')[0].split('<ul class="seats"')[0]


def test_who_asked_is_told_that_the_other_one_refused(asked, owner, opponent):
    post_undo_answer(opponent, asked, "no")
    told = f"{seat_of(opponent, asked)} does not agree to take a move back."
    assert status(owner, asked).startswith(told)
    assert told in owner.client.get(asked.get_absolute_url()).text


def test_everybody_is_told_that_a_move_was_taken_back(asked, owner, opponent, client):
    post_undo_answer(opponent, asked, "yes")
    told = f"{seat_of(owner, asked)} has taken 1 move back."
    assert ply(asked) == 0
    assert status(owner, asked).startswith(told)
    assert told in client.get(asked.get_absolute_url()).text


def test_what_became_of_a_wish_is_said_until_the_next_move(asked, owner, opponent):
    post_undo_answer(opponent, asked, "no")
    post_move(opponent, asked)
    assert "does not agree" not in owner.client.get(asked.get_absolute_url()).text


def test_a_wish_that_is_withdrawn_leaves_nothing_to_say(asked, owner):
    post_undo_answer(owner, asked, "no")
    assert 'class="notice"' not in owner.client.get(asked.get_absolute_url()).text


@pytest.fixture
def alone(owner) -> Game:
    """A game that its owner plays with nobody, after taking the second move back."""
    game = make_game(owner)
    post_move(owner, game)
    post_move(owner, game)
    post_undo(owner, game)
    return game


def test_where_nobody_has_to_agree_everybody_is_told_that_a_move_was_taken_back(alone, owner):
    told = f"{alone.specs[1].name} has taken 1 move back."
    watcher = Person(owner.player, Client())
    for who in (owner, watcher):
        assert status(who, alone).strip() == f"{told} {alone.specs[1].name} to move."
        assert f'<p class="notice">{told}</p>' in who.client.get(alone.get_absolute_url()).text


def test_that_a_move_was_taken_back_is_said_until_the_next_move(alone, owner):
    post_move(owner, alone)
    assert "move back" not in status(owner, alone)
    assert 'class="notice"' not in owner.client.get(alone.get_absolute_url()).text
