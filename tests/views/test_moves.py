"""A move is a POST that answers with the board, or says in a sentence why not."""

from __future__ import annotations

import re

import pytest

from games.models import Game, Holder
from tests.support.game_factory import make_game
from tests.support.players import Person
from tests.support.posts import next_legal_move, post_move

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    return make_game(owner, opponent)


def stored(game: Game) -> list[str]:
    return list(game.moves.values_list("text", flat=True))


def mover(game: Game, owner: Person, opponent: Person) -> tuple[Person, Person]:
    seat, _ = next_legal_move(game)
    holds = game.seats.filter(key=seat, players=owner.player).exists()
    return (owner, opponent) if holds else (opponent, owner)


def test_a_legal_move_is_kept_and_leads_back_to_the_game(game, owner, opponent):
    first, _ = mover(game, owner, opponent)
    answer = post_move(first, game)
    assert (answer.status_code, answer["Location"]) == (302, f"/g/{game.id}/")
    assert len(stored(game)) == 1


def test_htmx_gets_the_new_board_at_once(game, owner, opponent):
    first, _ = mover(game, owner, opponent)
    answer = post_move(first, game, htmx=True)
    assert answer.status_code == 200
    assert 'id="board"' in answer.text
    assert "<html" not in answer.text
    assert 'data-ply="1"' in answer.text


def test_the_same_post_twice_lands_once_and_answers_the_same(game, owner, opponent):
    first, _ = mover(game, owner, opponent)
    seat, move = next_legal_move(game)
    answers = [
        first.client.post(
            f"/g/{game.id}/move/",
            {"seat": seat, "move": move, "ply": 0},
            headers={"HX-Request": "true"},
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert stored(game) == [move]


def test_the_same_move_of_somebody_else_on_the_same_seat_is_stale(game, owner, opponent):
    seat, move = next_legal_move(game)
    Holder.objects.create(seat=game.seats.get(key=seat), player=opponent.player)
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    sent = {"seat": seat, "move": move, "ply": 0}
    answers = [who.client.post(f"/g/{game.id}/move/", sent) for who in (owner, opponent, owner)]
    assert [answer.status_code for answer in answers] == [302, 409, 302]
    assert stored(game) == [move]


@pytest.mark.parametrize(
    "move",
    ["", "z9", "nonsense", "٣", "-1", "0", "<b>x</b>", "a1 " * 40, "x" * 10**5, "a" * 30_000],
)
def test_what_is_no_move_is_refused_with_a_sentence(game, owner, opponent, move):
    first, _ = mover(game, owner, opponent)
    answer = post_move(first, game, move=move, htmx=True)
    if len(move) > 60_000:
        assert answer.status_code == 413
    else:
        assert answer.status_code == 422
        assert '<p class="refused">' in answer.text
    assert stored(game) == []


def test_a_refusal_comes_with_the_fresh_board(game, owner, opponent):
    first, _ = mover(game, owner, opponent)
    answer = post_move(first, game, move="nonsense", htmx=True)
    assert 'id="board"' in answer.text
    assert f'data-version="{game.version}"' in answer.text


def test_a_move_on_an_old_board_is_refused_as_stale(game, owner, opponent):
    first, second = mover(game, owner, opponent)
    post_move(first, game)
    answer = post_move(second, game, ply=0)
    assert answer.status_code == 409
    assert "The board has changed" in answer.text
    assert len(stored(game)) == 1


@pytest.mark.parametrize("ply", ["", "-1", "1000000", "٣", "x", "1" * 100, "0.0"])
def test_a_ply_that_makes_no_sense_is_refused_as_stale(game, owner, opponent, ply):
    first, _ = mover(game, owner, opponent)
    assert post_move(first, game, ply=ply).status_code == 409
    assert stored(game) == []


def test_the_opponent_cannot_move_for_the_owner(game, owner, opponent):
    _, second = mover(game, owner, opponent)
    answer = post_move(second, game)
    assert answer.status_code == 403
    assert "That seat is not yours." in answer.text
    assert stored(game) == []


def test_a_stranger_cannot_move(game, stranger):
    assert post_move(stranger, game).status_code == 403
    assert stored(game) == []


def test_a_browser_without_a_player_cannot_move(game, client):
    seat, move = next_legal_move(game)
    answer = client.post(f"/g/{game.id}/move/", {"seat": seat, "move": move, "ply": 0})
    assert answer.status_code == 403


def test_a_forged_player_cookie_counts_for_nothing(game, owner, client):
    client.cookies["player"] = f"{owner.player.pk}:forged"
    assert post_move(Person(owner.player, client), game).status_code == 403


def test_moving_out_of_turn_is_refused(game, owner, opponent):
    _first, second = mover(game, owner, opponent)
    seat, _move = next_legal_move(game)
    other = game.seats.exclude(key=seat).get().key
    answer = post_move(second, game, seat=other)
    assert answer.status_code == 422
    assert "It is not your turn." in answer.text


def test_who_types_a_move_out_of_turn_is_told_that_it_is_not_their_turn(game, owner, opponent):
    _first, second = mover(game, owner, opponent)
    page = second.client.get(f"/g/{game.id}/").text
    typed = dict(re.findall(r'name="(\w+)" value="([^"]*)" form="typed"', page))
    _seat, move = next_legal_move(game)
    answer = second.client.post(f"/g/{game.id}/move/", {**typed, "typed": "1", "move": move})
    assert answer.status_code == 422
    assert "It is not your turn." in answer.text


def test_a_seat_that_does_not_exist_is_not_yours(game, owner):
    assert post_move(owner, game, seat="throne").status_code == 403


def test_an_unknown_game_is_a_page_that_says_so(owner):
    answer = owner.client.post("/g/nothing/move/", {"seat": "x", "move": "a1", "ply": 0})
    assert answer.status_code == 404
    assert "Nothing here" in answer.text


def test_reading_a_move_address_is_not_allowed(game, owner):
    assert owner.client.get(f"/g/{game.id}/move/").status_code == 405


def test_who_reads_a_move_address_is_shown_the_way_to_the_game(game, owner):
    answer = owner.client.get(f"/g/{game.id}/move/")
    assert "no page of its own" in answer.text
    assert f'href="/g/{game.id}/"' in answer.text


def test_a_method_that_an_address_does_not_have_is_told_those_it_has(game, owner):
    assert owner.client.get(f"/g/{game.id}/move/")["Allow"] == "POST"


def test_sending_something_to_the_home_page_leads_back_to_the_games(owner):
    answer = owner.client.post("/")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert 'href="/"' in answer.text


def test_without_a_csrf_token_nothing_moves(game, owner):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.client.cookies
    answer = post_move(Person(owner.player, strict), game)
    assert answer.status_code == 403
    assert "expired" in answer.text
    assert stored(game) == []


def test_a_typed_move_may_be_in_other_letters(game, owner, opponent):
    first, _ = mover(game, owner, opponent)
    _, move = next_legal_move(game)
    answer = post_move(first, game, move=f"  {move.swapcase()} ", typed="1")
    assert answer.status_code == 302
    assert stored(game) == [move]


def test_steps_sent_as_several_values_are_one_move(owner):
    from games.registry import all_rules

    for rules in all_rules().values():
        game = make_game(owner, rules=rules)
        seat, move = next_legal_move(game)
        if " " in move:
            data = {"seat": seat, "move": move.split(), "ply": 0}
            assert owner.client.post(f"/g/{game.id}/move/", data).status_code == 302
            assert stored(game) == [move]


def test_resigning_ends_a_game_of_two(game, owner):
    seat = game.seats.get(players=owner.player).key
    answer = owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    game.refresh_from_db()
    assert answer.status_code == 302
    assert game.over
    assert seat not in game.result.winners


@pytest.mark.parametrize("typed", ["resign", "Resign", " RESIGN "])
def test_who_types_that_one_resigns_does_so_in_any_letters(game, owner, typed):
    seat = game.seats.get(players=owner.player).key
    sent = {"seat": seat, "move": typed, "ply": 0, "typed": "1"}
    assert owner.client.post(f"/g/{game.id}/move/", sent).status_code == 302
    game.refresh_from_db()
    assert game.over
    assert stored(game) == ["resign"]


def test_nobody_resigns_for_somebody_else(game, owner, stranger):
    seat = game.seats.get(players=owner.player).key
    answer = stranger.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    game.refresh_from_db()
    assert answer.status_code == 403
    assert not game.over


def test_after_the_end_nothing_can_be_played(game, owner, opponent):
    seat = game.seats.get(players=owner.player).key
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    answer = owner.client.post(f"/g/{game.id}/move/", {"seat": seat, "move": "a1", "ply": 1})
    assert answer.status_code == 422
    assert "The game is over." in answer.text


def test_a_move_typed_in_capitals_and_sent_twice_lands_once(owner):
    game = make_game(owner)
    seat, move = next_legal_move(game)
    sent = {"seat": seat, "move": move.upper(), "ply": 0, "typed": "1"}
    answers = [owner.client.post(f"/g/{game.id}/move/", sent).status_code for _ in range(2)]
    assert answers == [302, 302]
    assert stored(game) == [move]
