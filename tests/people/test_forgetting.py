"""Deleted players: their data is removed, their games stay."""

from __future__ import annotations

import pytest

from games.core.registry import all_rules
from games.models import Game, Holder, Move, Player, WebHook
from games.notices import channels
from games.people import devices, forgetting
from games.services import players
from games.state.replay import verify
from tests.support.emails import PASSWORD, confirm_address
from tests.support.game_factory import (
    make_finished_game,
    make_game,
    make_game_with_moves,
    make_lobby,
)
from tests.support.game_requests import post_move
from tests.support.packs import make_pack
from tests.support.players import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def forget(person: Person) -> None:
    forgetting.forget_player(player=Player.objects.get(pk=person.player.pk))


def test_the_row_and_the_name_of_a_deleted_player_are_gone(owner, opponent, client):
    game = make_finished_game(owner, opponent)
    forget(owner)
    assert not Player.objects.filter(name="Olive").exists()
    page = client.get(game.get_absolute_url()).text
    assert "Olive" not in page
    assert "Guest" in page and "Otto" in page


def test_a_game_of_a_deleted_player_keeps_all_its_moves(owner):
    game = make_game_with_moves(owner, 4)
    forget(owner)
    game.refresh_from_db()
    assert game.moves.count() == 4
    assert verify(game).fault is None
    assert game.created_by is None
    assert None not in Move.objects.values_list("player", flat=True)


def test_no_browser_holds_the_seats_of_a_deleted_player(owner):
    game = make_game(owner)
    forget(owner)
    assert post_move(owner, game).status_code == 403
    assert owner.client.get("/").status_code == 200


def test_a_game_in_which_others_wait_is_resigned(owner, opponent):
    game = make_game(owner, opponent)
    forget(owner)
    game.refresh_from_db()
    assert game.over
    winners = game.result.winners
    assert winners == set(game.seats.filter(players=opponent.player).values_list("key", flat=True))


def test_a_seat_in_a_lobby_is_free_again(owner, opponent):
    game = make_lobby(owner)
    forget(owner)
    assert not Holder.objects.filter(seat__game=game).exists()
    assert Game.objects.filter(pk=game.pk).exists()


def test_the_names_of_people_on_the_same_device_are_removed_too(owner):
    game = make_game(owner)
    keys = [seat.key for seat in game.seats.all()]
    players.name_seats(game_id=game.pk, player=owner.player, names={keys[0]: "Zoe"})
    forget(owner)
    assert set(Holder.objects.values_list("name", flat=True)) == {""}


def test_a_suspended_player_can_be_deleted(owner, opponent):
    game = make_game(owner, opponent)
    players.suspend(player=owner.player, suspended=True)
    forget(owner)
    game.refresh_from_db()
    assert game.over


def test_the_web_hook_is_in_the_personal_data_and_is_deleted_with_the_player(owner):
    url = "https://hooks.example/path"
    channels.set_hook(player=owner.player, url=url, site="https://boards.example")
    assert owner.download()["web_hook"] == url
    forget(owner)
    assert not WebHook.objects.exists()


def test_no_row_refers_to_a_player_who_has_deleted_everything(owner, opponent):
    confirm_address(owner)
    make_pack(owner, next(rules for rules in all_rules().values() if rules.pack))
    devices.offer_device(player=owner.player)
    make_finished_game(owner, opponent)
    mine = owner.player.pk
    owner.client.post("/me/account/delete/", {"password": PASSWORD})
    for relation in Player._meta.related_objects:
        rows = relation.related_model._default_manager
        assert not rows.filter(**{relation.field.name: mine}).exists()


def test_a_player_without_games_leaves_nothing(stranger):
    forget(stranger)
    assert not Player.objects.exists()


def test_many_games_are_handed_over_in_several_transactions(owner, monkeypatch):
    games = [make_game(owner) for _ in range(5)]
    monkeypatch.setattr("games.people.forgetting.GAMES_AT_ONCE", 2)
    forget(owner)
    assert Holder.objects.filter(seat__game__in=games).count() == 10
    assert Player.objects.count() == 1
