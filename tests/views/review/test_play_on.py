"""New games that begin at a position of another one."""

from __future__ import annotations

import pytest

from games.contract import RESIGN
from games.core.registry import all_rules
from games.models import Game
from games.services import lobby, players
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_move, post_resign
from tests.support.kinds import kinds_with_secrets, two_player_rules
from tests.support.players import Person
from tests.support.snapshots import current_position, legal_moves, position_at

pytestmark = pytest.mark.django_db

PUBLIC = [slug for slug in all_rules() if slug not in kinds_with_secrets()]
each_kind = pytest.mark.parametrize("slug", PUBLIC)


def make_over(owner: Person, slug: str, plies: int = 3) -> Game:
    game = make_game_with_moves(owner, plies, rules=all_rules()[slug])
    post_resign(owner, game)
    return game


def play_on(person: Person, game: Game, **form: object) -> Game:
    """Play on from a position of a game, and return the new one."""
    response = person.client.post(f"/g/{game.id}/continue/", form)
    assert response.status_code == 302, response.text
    return Game.objects.get(pk=response["Location"].split("/")[2])


def stored_moves(game: Game) -> list[tuple[int, str, str]]:
    return list(game.moves.values_list("ply", "seat", "text"))


@each_kind
def test_a_new_game_has_the_moves_before_its_position(slug, owner, stranger):
    game = make_over(owner, slug)
    new = play_on(stranger, game, ply=2, **{"with": "device"})
    assert stored_moves(new) == stored_moves(game)[:2]
    assert new.setup == game.setup
    assert current_position(new).view(None) == position_at(game, 2).view(None)
    assert not new.over


@each_kind
def test_a_new_game_has_the_tried_moves_too(slug, owner):
    game = make_over(owner, slug)
    position = position_at(game, 1)
    move = position.legal_moves(min(position.to_move()))[-1]
    new = play_on(owner, game, ply=1, line=move, **{"with": "device"})
    assert [text for _, _, text in stored_moves(new)] == [game.moves.get(ply=1).text, move]


@each_kind
def test_the_player_has_the_seat_to_move_against_a_computer(slug, owner, stranger):
    game = make_over(owner, slug)
    new = play_on(stranger, game, ply=1, **{"with": "computer"})
    (mine,) = new.seats.filter(holders__player=stranger.player)
    assert [mine.key] == new.to_move
    assert all(seat.computer for seat in new.seats.exclude(pk=mine.pk))
    post_move(stranger, new)
    assert new.moves.count() == 2


def test_a_friend_is_invited_to_the_lobby(owner):
    game = make_over(owner, two_player_rules().slug)
    new = play_on(owner, game, ply=2, **{"with": "friend"})
    assert not new.begun
    assert "/invite/" in owner.client.get(f"/g/{new.id}/", follow=True).text


def test_the_computer_of_the_game_keeps_its_level(owner):
    game = make_over(owner, two_player_rules().slug)
    seat = game.seats.get(key=game.moves.get(ply=2).seat)
    seat.holders.all().delete()
    game.seats.filter(pk=seat.pk).update(computer=3)
    Game.objects.filter(pk=game.pk).update(version=game.version + 5)
    new = play_on(owner, game, ply=2, **{"with": "computer"})
    assert 3 in new.seats.values_list("computer", flat=True)


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_games_with_secrets_do_not_begin_at_a_position(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    post_move(owner, game)
    post_resign(owner, game)
    assert "Play on from here" not in owner.client.get(f"/g/{game.id}/1/").text
    form = {"ply": 1, "with": "device"}
    assert owner.client.post(f"/g/{game.id}/continue/", form).status_code == 404


@each_kind
def test_a_game_that_is_over_ends_there(slug, owner):
    game = make_over(owner, slug)
    assert game.moves.last().text == RESIGN
    assert "Play on from here" not in owner.client.get(f"/g/{game.id}/{game.ply}/").text
    form = {"ply": game.ply, "with": "device"}
    assert owner.client.post(f"/g/{game.id}/continue/", form).status_code == 404


def test_nobody_plays_on_from_a_running_game_of_others(owner, opponent, stranger):
    game = make_game(owner, opponent)
    post_move(owner, game)
    for person in (owner, opponent, stranger):
        assert "Play on from here" not in person.client.get(f"/g/{game.id}/1/").text
        form = {"ply": 1, "with": "device"}
        assert person.client.post(f"/g/{game.id}/continue/", form).status_code == 404


@pytest.mark.parametrize("form", [{}, {"ply": "x"}, {"ply": 99}, {"ply": 1, "with": "nobody"}])
def test_a_form_that_names_no_position_or_opponent_is_refused(owner, form):
    game = make_over(owner, two_player_rules().slug)
    values = {"with": "device", **form} if form else form
    assert owner.client.post(f"/g/{game.id}/continue/", values).status_code == 400
    assert legal_moves(make_game(owner))


@pytest.mark.parametrize("scripts", [False, True])
def test_one_of_two_goes_on_without_the_lost_browser_of_the_other(owner, opponent, scripts):
    """The running game stays, and a game of two is left by no consent of the one present."""
    game = make_game(owner, opponent)
    post_move(owner, game)
    game.refresh_from_db()
    assert 'id="b-restart"' in owner.client.get(game.get_absolute_url()).text
    headers = {"HX-Request": "true"} if scripts else {}
    form = {"ply": "1", "with": "friend"}
    answer = owner.client.post(f"/g/{game.id}/continue/", form, headers=headers)
    address = answer.headers.get("HX-Redirect") or answer["Location"]
    new = Game.objects.exclude(pk=game.pk).get()
    assert address == new.get_absolute_url() and answer.status_code == (200 if scripts else 302)
    mine = game.seats.get(players=owner.player).key
    assert new.seats.get(players=owner.player).key == mine
    assert not new.begun and stored_moves(new) == stored_moves(game)
    lobby.sit_down(game_id=new.pk, seat_key=free_key(new), player=players.new_player(name="Lost"))
    assert Game.objects.get(pk=new.pk).begun and not Game.objects.get(pk=game.pk).over


def free_key(game: Game) -> str:
    return str(game.seats.get(holders=None).key)


@pytest.mark.parametrize(
    "form", [{"ply": "0"}, {"with": "computer"}, {"with": "device"}, {"line": "f5"}]
)
def test_a_running_game_of_two_is_gone_on_from_its_board_with_a_link_alone(owner, opponent, form):
    game = make_game(owner, opponent)
    post_move(owner, game)
    move = min(legal_moves(game))
    form = {"ply": "1", "with": "friend", **form} | ({"line": move} if "line" in form else {})
    assert owner.client.post(f"/g/{game.id}/continue/", form).status_code == 404


def test_watchers_and_players_of_several_seats_do_not_go_on(owner, opponent, stranger):
    form = {"ply": "0", "with": "friend"}
    two, alone = make_game(owner, opponent), make_game(opponent)
    assert stranger.client.post(f"/g/{two.id}/continue/", form).status_code == 404
    assert "b-restart" not in stranger.client.get(two.get_absolute_url()).text
    assert "b-restart" not in opponent.client.get(alone.get_absolute_url()).text
