"""The pages of Santorini with three players, some of whom are eliminated."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from games.contract import RESIGN, TIMEOUT
from games.models import Game
from games.presentation.move_list import display_move
from games.santorini.rules import RULES
from games.services.play import play_for_site
from games.state.questions import UNDO, stored
from games.state.snapshot import lock_snapshot
from games.storage.write_lock import write_transaction
from tests.games.santorini.test_elimination import SHUT_IN
from tests.support.game_factory import make_game
from tests.support.game_requests import post_undo, post_undo_answer
from tests.support.players import Person

pytestmark = pytest.mark.django_db


def sent_seat(page: str) -> str:
    """Return the seat that the buttons beside the board send."""
    found = re.search(r'name="seat" value="([^"]*)"', page[page.index('id="board"') :])
    assert found is not None
    return found[1]


def play(game: Game, moves: list[tuple[str, str]], **people: Person) -> None:
    for seat, move in moves:
        game.refresh_from_db()
        sent = {"seat": seat, "move": move, "ply": game.ply, "undone": game.undone}
        people[seat].client.post(f"/g/{game.id}/move/", sent)
    game.refresh_from_db()


def test_on_one_device_the_others_can_resign_when_the_seat_looked_through_is_out(owner):
    game = make_game(owner, rules=RULES, players="3")
    play(game, SHUT_IN, p1=owner, p2=owner, p3=owner)
    page = owner.client.get(f"/g/{game.id}/?seat=p1").text
    assert 'id="b-resign"' in page
    owner.client.post(f"/g/{game.id}/resign/", {"seat": sent_seat(page), "ply": game.ply})
    game.refresh_from_db()
    assert game.result.winners == {"p3"}


def test_an_eliminated_player_cannot_resign(owner, opponent, stranger):
    game = make_game(owner, opponent, stranger, rules=RULES, players="3")
    play(game, SHUT_IN, p1=owner, p2=opponent, p3=stranger)
    assert 'id="b-resign"' not in owner.client.get(f"/g/{game.id}/").text
    assert 'id="b-resign"' in stranger.client.get(f"/g/{game.id}/").text


def test_a_game_that_went_on_after_a_resignation_has_no_transcript(owner, opponent, stranger):
    game = make_game(owner, opponent, stranger, rules=RULES, players="3")
    moves = [("p1", "a1 a3"), ("p2", "c1 c3"), ("p3", RESIGN), ("p1", "A E W")]
    play(game, moves, p1=owner, p2=opponent, p3=stranger)
    assert game.ply == 4
    written = ['id="written"' in owner.client.get(f"/g/{game.id}/{ply}/").text for ply in (2, 3, 4)]
    assert written == [True, False, False]


def test_a_game_ended_by_a_resignation_has_a_transcript(owner, opponent):
    game = make_game(owner, opponent, rules=RULES)
    play(game, [("p1", "a1 a3"), ("p2", "c1 c3"), ("p2", RESIGN)], p1=owner, p2=opponent)
    assert game.over
    assert 'readonly value="a1 a3, c1 c3"' in owner.client.get(f"/g/{game.id}/3/").text


# --- taking back -------------------------------------------------------------------------------

PLACED = [("p1", "a1 a3"), ("p2", "c1 c3"), ("p3", "e1 e3")]


@pytest.fixture
def three(owner, opponent, stranger) -> Game:
    """Return three people, of whom the first has moved."""
    game = make_game(owner, opponent, stranger, rules=RULES, players="3")
    play(game, PLACED[:1], p1=owner)
    return game


def ply(game: Game) -> int:
    game.refresh_from_db()
    return game.ply


def test_a_move_is_undone_when_all_others_have_accepted(three, owner, opponent, stranger):
    post_undo(owner, three)
    post_undo_answer(opponent, three, "yes")
    assert ply(three) == 1
    assert "Waiting for: \u2068Stan\u2069" in opponent.client.get(f"/g/{three.id}/").text
    post_undo_answer(stranger, three, "yes")
    assert ply(three) == 0


def test_one_refusal_ends_an_undo_request(three, owner, opponent, stranger):
    post_undo(owner, three)
    post_undo_answer(opponent, three, "yes")
    post_undo_answer(stranger, three, "no")
    assert (ply(three), stored(three, UNDO)) == (1, None)


def test_a_player_who_has_accepted_is_not_asked_again(three, owner, opponent):
    post_undo(owner, three)
    post_undo_answer(opponent, three, "yes")
    answer = post_undo_answer(opponent, three, "yes")
    assert answer.status_code == 422
    assert "This request is no longer open." in answer.text
    assert ply(three) == 1


def test_an_answer_to_the_request_of_another_seat_is_stale(three, owner, opponent, stranger):
    play(three, PLACED[1:2], p2=opponent)
    post_undo(owner, three)
    post_undo_answer(owner, three, "no")
    post_undo(opponent, three)
    assert post_undo_answer(stranger, three, "yes", asker="p1").status_code == 409
    assert stored(three, UNDO)["asker"] == "p2"


def test_a_player_who_resigned_before_the_move_is_not_asked_about_its_undo(
    three, owner, opponent, stranger
):
    play(three, [("p3", RESIGN), ("p2", "c1 c3")], p2=opponent, p3=stranger)
    post_undo(opponent, three)
    assert 'id="b-yes-undo"' not in stranger.client.get(f"/g/{three.id}/").text
    assert post_undo_answer(stranger, three, "yes").status_code == 422
    assert ply(three) == 3
    post_undo_answer(owner, three, "yes")
    assert ply(three) == 2


def test_a_player_who_has_resigned_since_the_move_is_asked_about_its_undo(
    three, owner, opponent, stranger
):
    play(three, [("p3", RESIGN)], p3=stranger)
    post_undo(owner, three)
    post_undo_answer(opponent, three, "yes")
    assert ply(three) == 2
    post_undo_answer(stranger, three, "yes")
    assert ply(three) == 0


def test_a_resignation_is_not_undone_without_the_others(three, owner, opponent, stranger):
    play(three, [("p3", RESIGN)], p3=stranger)
    post_undo(stranger, three)
    post_undo_answer(owner, three, "yes")
    assert ply(three) == 2
    post_undo_answer(opponent, three, "yes")
    assert ply(three) == 1


def test_a_loss_on_time_is_not_undone_with_the_move_before_it(three, owner, stranger):
    with write_transaction():
        play_for_site(lock_snapshot(three.id), "p2", TIMEOUT)
    play(three, [("p3", "e1 e3")], p3=stranger)
    assert 'id="b-undo"' not in owner.client.get(f"/g/{three.id}/").text
    assert post_undo(owner, three).status_code == 422
    assert (ply(three), stored(three, UNDO)) == (3, None)


def test_a_move_is_undone_at_once_when_only_computers_are_left(owner, opponent):
    seating = {"p1": "me", "p2": "invite", "p3": "computer-1"}
    game = make_game(owner, opponent, rules=RULES, seating=seating, players="3")
    play(game, [("p2", RESIGN), ("p1", "a1 a3")], p1=owner, p2=opponent)
    post_undo(owner, game)
    assert ply(game) == 1


@pytest.mark.parametrize(
    ("move", "listed"), [("c3 e4", "c3 e4"), ("E SE W", "E ZO W"), ("A N", "A N")]
)
def test_directions_are_listed_by_their_dutch_names(move: str, listed: str) -> None:
    with translation.override("nl"):
        assert display_move(move, RULES) == listed
    with translation.override("en"):
        assert display_move(move, RULES) == move
