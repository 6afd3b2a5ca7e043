"""The POST of a move: its board, and the refusals with their sentences."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.models import Game, Holder
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move, post_move, post_resign
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    return make_game(owner, opponent)


def stored_moves(game: Game) -> list[str]:
    return list(game.moves.values_list("text", flat=True))


def mover_first(game: Game, owner: Person, opponent: Person) -> tuple[Person, Person]:
    """Return the two players, the one to move first."""
    seat, _ = next_legal_move(game)
    is_owner = game.seats.filter(key=seat, players=owner.player).exists()
    return (owner, opponent) if is_owner else (opponent, owner)


@pytest.mark.services
def test_a_legal_move_is_stored_and_redirects_to_the_game(game, owner, opponent):
    first, _ = mover_first(game, owner, opponent)
    response = post_move(first, game)
    assert (response.status_code, response["Location"]) == (302, f"/g/{game.id}/")
    assert len(stored_moves(game)) == 1


def test_htmx_gets_the_new_board_at_once(game, owner, opponent):
    first, _ = mover_first(game, owner, opponent)
    response = post_move(first, game, htmx=True)
    assert response.status_code == 200
    assert 'id="board"' in response.text
    assert "<html" not in response.text
    assert 'data-ply="1"' in response.text


@pytest.mark.services
def test_a_repeated_post_makes_one_move_and_gets_the_same_response(game, owner, opponent):
    first, _ = mover_first(game, owner, opponent)
    seat, move = next_legal_move(game)
    responses = [
        first.client.post(
            f"/g/{game.id}/move/",
            {"seat": seat, "move": move, "ply": 0},
            headers={"HX-Request": "true"},
        )
        for _ in range(2)
    ]
    assert [response.status_code for response in responses] == [200, 200]
    assert responses[0].content == responses[1].content
    assert stored_moves(game) == [move]


def test_the_same_move_by_another_holder_of_the_seat_is_stale(game, owner, opponent):
    seat, move = next_legal_move(game)
    Holder.objects.create(seat=game.seats.get(key=seat), player=opponent.player)
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    sent = {"seat": seat, "move": move, "ply": 0}
    responses = [
        person.client.post(f"/g/{game.id}/move/", sent) for person in (owner, opponent, owner)
    ]
    assert [response.status_code for response in responses] == [302, 409, 302]
    assert stored_moves(game) == [move]


@pytest.mark.parametrize(
    "move",
    ["", "z9", "nonsense", "٣", "-1", "0", "<b>x</b>", "a1 " * 40, "x" * 140_000, "a" * 30_000],
)
def test_text_that_is_no_move_is_refused_with_a_sentence(game, owner, opponent, move):
    first, _ = mover_first(game, owner, opponent)
    response = post_move(first, game, move=move, htmx=True)
    if len(move) > 60_000:
        assert response.status_code == 413
    else:
        assert response.status_code == 422
        assert '<p class="refused">' in response.text
    assert stored_moves(game) == []


def test_a_refusal_comes_with_the_fresh_board(game, owner, opponent):
    first, _ = mover_first(game, owner, opponent)
    response = post_move(first, game, move="nonsense", htmx=True)
    assert 'id="board"' in response.text
    assert f'data-version="{game.version}"' in response.text


@pytest.mark.services
def test_a_move_on_an_old_board_is_refused_as_stale(game, owner, opponent):
    first, second = mover_first(game, owner, opponent)
    post_move(first, game)
    response = post_move(second, game, ply=0)
    assert response.status_code == 409
    assert "The board has changed" in response.text
    assert len(stored_moves(game)) == 1


@pytest.mark.parametrize("ply", ["", "-1", "1000000", "٣", "x", "1" * 100, "0.0"])
def test_a_malformed_ply_is_refused_as_stale(game, owner, opponent, ply):
    first, _ = mover_first(game, owner, opponent)
    assert post_move(first, game, ply=ply).status_code == 409
    assert stored_moves(game) == []


def test_the_opponent_cannot_move_for_the_owner(game, owner, opponent):
    _, second = mover_first(game, owner, opponent)
    response = post_move(second, game)
    assert response.status_code == 403
    assert "That’s not your seat." in response.text
    assert stored_moves(game) == []


def test_a_stranger_cannot_move(game, stranger):
    assert post_move(stranger, game).status_code == 403
    assert stored_moves(game) == []


def test_a_browser_without_a_player_cannot_move(game, client):
    seat, move = next_legal_move(game)
    response = client.post(f"/g/{game.id}/move/", {"seat": seat, "move": move, "ply": 0})
    assert response.status_code == 403


def test_a_forged_player_cookie_is_ignored(game, owner, client):
    client.cookies["player"] = f"{owner.player.pk}:forged"
    assert post_move(Person(owner.player, client), game).status_code == 403


def test_moving_out_of_turn_is_refused(game, owner, opponent):
    _first, second = mover_first(game, owner, opponent)
    seat, _move = next_legal_move(game)
    other = game.seats.exclude(key=seat).get().key
    response = post_move(second, game, seat=other)
    assert response.status_code == 422
    assert "It is not your turn." in response.text


def test_a_typed_move_out_of_turn_is_refused_as_not_your_turn(game, owner, opponent):
    _first, second = mover_first(game, owner, opponent)
    page = second.client.get(f"/g/{game.id}/").text
    typed = dict(re.findall(r'name="(\w+)" value="([^"]*)" form="typed"', page))
    _seat, move = next_legal_move(game)
    response = second.client.post(f"/g/{game.id}/move/", {**typed, "typed": "1", "move": move})
    assert response.status_code == 422
    assert "It is not your turn." in response.text


def test_a_seat_that_does_not_exist_is_not_yours(game, owner):
    assert post_move(owner, game, seat="throne").status_code == 403


def test_an_unknown_game_is_not_found(owner):
    response = owner.client.post("/g/nothing/move/", {"seat": "x", "move": "a1", "ply": 0})
    assert response.status_code == 404
    assert "Page not found" in response.text


def test_reading_a_move_address_is_not_allowed(game, owner):
    assert owner.client.get(f"/g/{game.id}/move/").status_code == 405


def test_the_error_page_of_a_move_address_links_to_the_game(game, owner):
    response = owner.client.get(f"/g/{game.id}/move/")
    assert "can’t be opened as a page" in response.text
    assert f'href="/g/{game.id}/"' in response.text


def test_a_refused_method_gets_an_allow_header(game, owner):
    assert owner.client.get(f"/g/{game.id}/move/")["Allow"] == "POST"


def test_a_post_to_the_front_page_is_refused_with_a_link_to_it(owner):
    response = owner.client.post("/")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")
    assert 'href="/"' in response.text


def test_a_move_without_a_csrf_token_is_refused(game, owner):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.client.cookies
    response = post_move(Person(owner.player, strict), game)
    assert response.status_code == 403
    assert "expired" in response.text
    assert stored_moves(game) == []


def test_a_typed_move_may_have_another_case_and_spaces(game, owner, opponent):
    first, _ = mover_first(game, owner, opponent)
    _, move = next_legal_move(game)
    response = post_move(first, game, move=f"  {move.swapcase()} ", typed="1")
    assert response.status_code == 302
    assert stored_moves(game) == [move]


def test_steps_sent_as_several_values_make_one_move(owner):
    for rules in all_rules().values():
        game = make_game(owner, rules=rules)
        seat, move = next_legal_move(game)
        if " " in move:
            data = {"seat": seat, "move": move.split(), "ply": 0}
            assert owner.client.post(f"/g/{game.id}/move/", data).status_code == 302
            assert stored_moves(game) == [move]


@pytest.mark.services
def test_resigning_ends_a_game_of_two(game, owner):
    seat = game.seats.get(players=owner.player).key
    response = owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    game.refresh_from_db()
    assert response.status_code == 302
    assert game.over
    assert seat not in game.result.winners


def test_a_player_resigns_though_the_opponent_has_moved_meanwhile(game, owner, opponent):
    first, second = mover_first(game, owner, opponent)
    post_move(first, game)
    seat = game.seats.get(players=second.player).key
    sent = {"seat": seat, "ply": 0}
    answers = [second.client.post(f"/g/{game.id}/resign/", sent).status_code for _ in range(2)]
    assert answers == [302, 302]
    assert stored_moves(game)[1:] == ["resign"]


@pytest.mark.parametrize("ply", ["", "-1", "1"])
def test_nobody_resigns_on_a_board_that_never_was(game, owner, ply):
    seat = game.seats.get(players=owner.player).key
    sent = {"seat": seat, "ply": ply}
    assert owner.client.post(f"/g/{game.id}/resign/", sent).status_code == 409
    assert stored_moves(game) == []


@pytest.mark.parametrize("typed", ["resign", "Resign", " RESIGN "])
def test_typing_resign_resigns_in_any_case(game, owner, typed):
    seat = game.seats.get(players=owner.player).key
    sent = {"seat": seat, "move": typed, "ply": 0, "typed": "1"}
    assert owner.client.post(f"/g/{game.id}/move/", sent).status_code == 302
    game.refresh_from_db()
    assert game.over
    assert stored_moves(game) == ["resign"]


def test_a_player_cannot_resign_for_another(game, owner, stranger):
    seat = game.seats.get(players=owner.player).key
    response = stranger.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    game.refresh_from_db()
    assert response.status_code == 403
    assert not game.over


def test_a_move_after_the_end_is_refused(game, owner, opponent):
    seat = game.seats.get(players=owner.player).key
    post_resign(owner, game)
    response = owner.client.post(f"/g/{game.id}/move/", {"seat": seat, "move": "a1", "ply": 1})
    assert response.status_code == 422
    assert "The game is over." in response.text


@pytest.mark.services
def test_a_move_typed_in_capitals_and_sent_twice_is_stored_once(owner):
    game = make_game(owner)
    seat, move = next_legal_move(game)
    sent = {"seat": seat, "move": move.upper(), "ply": 0, "typed": "1"}
    responses = [owner.client.post(f"/g/{game.id}/move/", sent).status_code for _ in range(2)]
    assert responses == [302, 302]
    assert stored_moves(game) == [move]
