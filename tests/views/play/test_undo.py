"""Undo: at once for a solo player, by a request to the opponent otherwise."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Game
from games.state.questions import UNDO, stored
from tests.support.game_factory import make_finished_game, make_game
from tests.support.game_requests import get_game_page, post_move, post_undo, post_undo_answer
from tests.support.players import Person
from tests.support.snapshots import position_at

pytestmark = pytest.mark.django_db


def stored_ply(game: Game) -> int:
    """Return the ply of a stored game, after checking that it has as many moves."""
    game.refresh_from_db()
    assert game.moves.count() == game.ply
    return game.ply


def test_a_solo_player_undoes_a_move_at_once(owner):
    game = make_game(owner)
    post_move(owner, game)
    assert post_undo(owner, game).status_code == 302
    assert stored_ply(game) == 0


def test_another_move_can_be_made_after_an_undo(owner):
    game = make_game(owner)
    first = list(position_at(game, 0).legal_moves(game.to_move[0]))
    for move in first[:2]:
        post_move(owner, game, move=move)
        post_undo(owner, game)
    post_move(owner, game, move=first[1])
    played = position_at(Game.objects.get(pk=game.pk), 1)
    fresh = position_at(game, 0).play(game.moves.get().seat, first[1])
    assert played.view(None) == fresh.view(None)


def test_an_undo_against_an_opponent_is_a_request(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    assert stored_ply(game) == 1
    page = get_game_page(opponent, game)
    assert f"{called(owner)} wants to take back 1 move." in page
    assert 'id="b-yes-undo"' in page


def test_the_dutch_undo_button_names_the_move_as_its_object(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    page = owner.client.get(game.get_absolute_url(), headers={"Accept-Language": "nl"}).text
    assert "Terugname vragen" in page.split('id="b-undo"')[1].split("</button>")[0]


def test_the_requester_sees_who_must_answer_and_can_withdraw(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    page = get_game_page(owner, game)
    assert f"Waiting for: {called(opponent)}" in page
    assert 'id="b-yes-undo"' not in page
    post_undo_answer(owner, game, "no")
    assert stored_ply(game) == 1
    assert stored(game, UNDO) is None


def test_an_undo_request_names_the_number_of_moves(owner, opponent):
    game = make_game(owner, opponent)
    for mover in (owner, opponent, owner, opponent):
        post_move(mover, game)
    post_undo(owner, game)
    assert "wants to take back 2 moves." in get_game_page(opponent, game)
    post_undo_answer(opponent, game, "yes")
    assert "took back 2 moves." in get_game_page(opponent, game)


def test_an_answer_to_an_older_undo_request_is_stale(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    page = get_game_page(opponent, game)
    fields = ("asker", "ply")
    old = {name: re.findall(rf'name="{name}" value="([^"]*)"', page)[0] for name in fields}
    post_move(opponent, game)
    post_undo(owner, game)
    assert post_undo_answer(opponent, game, "yes", **old).status_code == 409
    assert stored_ply(game) == 2
    assert stored(game, UNDO) is not None


def test_a_second_undo_request_by_another_player_is_refused(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_move(opponent, game)
    post_undo(owner, game)
    response = post_undo(opponent, game)
    assert response.status_code == 409
    assert "There is already a takeback request" in response.text
    game.refresh_from_db()
    assert stored(game, UNDO)["asker"] == game.moves.get(ply=1).seat


def test_a_repeated_request_is_one_request(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    responses = [post_undo(owner, game).status_code for _ in range(2)]
    assert responses == [302, 302]
    post_undo_answer(opponent, game, "yes")
    assert stored_ply(game) == 0


def test_an_accepted_request_undoes_the_move(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    post_undo_answer(opponent, game, "yes")
    assert stored_ply(game) == 0


def test_a_refused_request_leaves_the_move(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    post_undo_answer(opponent, game, "no")
    assert stored_ply(game) == 1
    assert stored(game, UNDO) is None


def test_a_player_cannot_accept_their_own_request(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    response = post_undo_answer(owner, game, "yes")
    assert response.status_code == 422
    assert stored_ply(game) == 1


def test_a_stranger_can_neither_request_nor_answer_an_undo(owner, opponent, stranger):
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert post_undo(stranger, game).status_code == 403
    post_undo(owner, game)
    response = post_undo_answer(stranger, game, "yes")
    assert response.status_code == 403
    assert stored_ply(game) == 1


def test_an_undo_before_the_first_move_is_refused(owner):
    game = make_game(owner)
    assert post_undo(owner, game).status_code == 422


def test_a_move_clears_the_pending_undo_request(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    post_move(opponent, game)
    game.refresh_from_db()
    assert stored(game, UNDO) is None


def test_a_finished_game_against_an_opponent_cannot_be_undone(owner, opponent):
    game = make_finished_game(owner, opponent)
    assert post_undo(owner, game).status_code == 422
    game.refresh_from_db()
    assert (game.over, stored(game, UNDO)) == (True, None)


def test_a_repeated_undo_form_undoes_once(owner):
    game = make_game(owner)
    for _ in range(3):
        post_move(owner, game)
    game.refresh_from_db()
    sent = {"ply": game.ply, "undone": game.undone}
    responses = [owner.client.post(f"/g/{game.id}/undo/", sent).status_code for _ in range(2)]
    assert responses == [302, 409]
    assert stored_ply(game) == 2


def test_an_undo_from_an_undone_board_is_stale_even_at_the_same_ply(owner):
    game = make_game(owner)
    post_move(owner, game)
    old_board = {"ply": 1, "undone": 0}
    post_undo(owner, game)
    post_move(owner, game)
    assert owner.client.post(f"/g/{game.id}/undo/", old_board).status_code == 409
    assert stored_ply(game) == 1


def test_a_move_from_an_undone_board_is_stale_even_at_the_same_ply(owner):
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


def test_every_form_of_a_board_sends_the_count_of_undos(owner):
    game = make_game(owner)
    post_move(owner, game)
    post_undo(owner, game)
    page = get_game_page(owner, game)
    assert page.count('name="undone" value="1"') == page.count('name="ply"')


@pytest.fixture
def game_with_request(owner, opponent) -> Game:
    """Return a game in which the owner has requested an undo of the first move."""
    game = make_game(owner, opponent)
    post_move(owner, game)
    post_undo(owner, game)
    return game


def announcement(person: Person, game: Game) -> str:
    """Return the text that the polled board announces."""
    board = person.client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"}).text
    return board.split('<div id="status" hx-swap-oob="innerHTML">')[1].split("</div>")[0]


def called(person: Person) -> str:
    """Return a person's name as sentences have it."""
    return f"\u2068{person.player.name}\u2069"


def test_an_undo_request_is_announced_and_shown_above_its_buttons(
    game_with_request, owner, opponent
):
    sentence = f"{called(owner)} wants to take back 1 move."
    card = get_game_page(opponent, game_with_request).split('<div class="turn">')[1]
    assert announcement(opponent, game_with_request).startswith(sentence)
    assert sentence in card.split('id="b-yes-undo"')[0].split('class="answers"')[0]


def test_the_requester_is_told_of_a_refusal(game_with_request, owner, opponent):
    post_undo_answer(opponent, game_with_request, "no")
    sentence = f"{called(opponent)} declined the takeback."
    assert announcement(owner, game_with_request).startswith(sentence)
    assert sentence in get_game_page(owner, game_with_request)


def test_players_and_spectators_are_told_of_an_accepted_undo(
    game_with_request, owner, opponent, client
):
    post_undo_answer(opponent, game_with_request, "yes")
    sentence = f"{called(owner)} took back 1 move."
    assert stored_ply(game_with_request) == 0
    assert announcement(owner, game_with_request).startswith("You took back your move.")
    assert announcement(opponent, game_with_request).startswith(sentence)
    assert sentence in client.get(game_with_request.get_absolute_url()).text


def test_the_outcome_of_a_request_is_shown_until_the_next_move(game_with_request, owner, opponent):
    post_undo_answer(opponent, game_with_request, "no")
    post_move(opponent, game_with_request)
    assert "declined" not in get_game_page(owner, game_with_request)


def test_a_withdrawn_request_leaves_no_notice(game_with_request, owner):
    post_undo_answer(owner, game_with_request, "no")
    assert 'class="game-banner"' not in get_game_page(owner, game_with_request)


@pytest.fixture
def solo_game(owner) -> Game:
    """Return a game of one player with two moves, of which the second was undone."""
    game = make_game(owner)
    post_move(owner, game)
    post_move(owner, game)
    post_undo(owner, game)
    return game


def test_a_solo_players_undo_is_told_to_spectators_too(solo_game, owner):
    sentence = f"{solo_game.specs[1].name} took back 1 move."
    watcher = Person(owner.player, Client())
    for person in (owner, watcher):
        assert (
            announcement(person, solo_game).strip()
            == f"{sentence} {solo_game.specs[1].name} to move."
        )
        assert f'<p class="game-banner">{sentence}</p>' in get_game_page(person, solo_game)


def test_the_notice_of_an_undo_is_shown_until_the_next_move(solo_game, owner):
    post_move(owner, solo_game)
    assert "took back" not in announcement(owner, solo_game)
    assert 'class="game-banner"' not in get_game_page(owner, solo_game)
