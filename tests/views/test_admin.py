"""Saved games in the admin: found, looked at ply by ply, verified; secrets for those who may."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.utils.html import escape
from django.utils.translation import override

from games.models import Game, Move, Player, Seat
from games.registry import all_rules
from games.translation import translate
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db

LIST = "/admin/games/game/"


def staff(*permissions: str) -> Client:
    user = User.objects.create_user("clerk", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def clerk() -> Client:
    return staff("view_game", "view_move", "view_player")


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 5)


def page(game: Game) -> str:
    return f"{LIST}{game.pk}/change/"


def corrupt(game: Game, ply: int) -> None:
    Move.objects.filter(game=game, ply=ply).update(text="z99")


def test_visitors_are_sent_to_the_login(client, game):
    assert client.get(page(game)).status_code == 302


def test_staff_without_permission_do_not_see_games(game):
    assert staff().get(page(game)).status_code == 403


def test_games_are_listed_with_their_players(clerk, game):
    response = clerk.get(LIST).text
    for shown in (game.id, "Olive", "running"):
        assert shown in response


def test_the_page_of_a_game_links_to_its_public_page(clerk, game):
    link = f'href="{game.get_absolute_url()}" class="viewsitelink"'
    assert link in " ".join(clerk.get(page(game)).text.split())


@pytest.mark.parametrize("key", ["abc", "9" * 30, "1"])
def test_content_type_ids_find_no_row(clerk, game, key):
    tables = ContentType.objects.values_list("pk", flat=True)
    assert {clerk.get(f"/admin/r/{table}/{key}/").status_code for table in tables} == {404}


@pytest.mark.parametrize("by", ["id", "name"])
def test_a_game_is_found_by_its_id_or_a_player(clerk, game, owner, by):
    other = make_game(new_person("Zoe"))
    found = clerk.get(LIST, {"q": game.id if by == "id" else "Olive"}).text
    assert game.id in found
    assert other.id not in found


@pytest.mark.parametrize("address", ["https://boards.example/g/{}/", "boards.example/g/{}/3/?x=1"])
def test_a_game_is_found_by_the_address_that_a_player_sends(clerk, game, address):
    other = make_game(new_person("Zoe"))
    found = clerk.get(LIST, {"q": address.format(game.id)}).text
    assert page(game) in found
    assert page(other) not in found


def test_the_page_of_a_game_shows_its_seats_and_turn(clerk, owner):
    game = make_game(owner, new_person("Zoe <i>"))
    response = clerk.get(page(game)).text
    for seat in game.seats.all():
        (player,) = seat.players.all()
        name = translate(next(spec.name for spec in game.specs if spec.key == seat.key))
        link = f'<a href="/admin/games/player/{player.pk}/change/">{escape(player.name)}</a>'
        turn = " – to move" if seat.key in game.to_move else ""
        assert f"<div>{escape(name)}: {link}{turn}</div>" in response


def test_games_are_filtered_by_kind(clerk, game):
    other = next(slug for slug in all_rules() if slug != game.kind)
    assert game.id in clerk.get(LIST, {"kind": game.kind}).text
    assert game.id not in clerk.get(LIST, {"kind": other}).text


@pytest.mark.parametrize("ply", [0, 3, 5])
def test_the_board_is_shown_at_any_ply(clerk, game, ply):
    response = clerk.get(page(game), {"ply": ply})
    assert f"Position after move {ply} of 5" in response.text
    assert '<table class="grid' in response.text


@pytest.mark.parametrize("ply", ["-1", "٣", "999999999", "9" * 5_000, "x", ""])
def test_an_unknown_ply_shows_the_last_position(clerk, game, ply):
    response = clerk.get(page(game), {"ply": ply})
    assert "Position after move 5 of 5" in response.text


@pytest.mark.parametrize("stored", [{"winners": []}, {"winners": 1, "reason": []}, "all", [7]])
def test_an_unreadable_result_is_shown_as_stored(clerk, game, stored):
    Game.objects.filter(pk=game.pk).update(result_json=stored)
    # As the database gives it back, which may have put it in order.
    game.refresh_from_db()
    response = clerk.get(page(game))
    assert response.status_code == 200
    assert escape(str(game.result_json)) in response.text


def test_moves_are_listed_and_cannot_be_changed(clerk, game):
    response = clerk.get(page(game)).text
    for move in game.moves.all():
        assert move.text in response
    assert 'name="moves-0-text"' not in response


def test_a_sound_game_verifies(clerk, game):
    response = clerk.post(f"{LIST}{game.pk}/verify/", follow=True)
    assert "5 plies replay" in response.text


def test_the_messages_of_verification_set_no_cookie(clerk, game):
    response = clerk.post(f"{LIST}{game.pk}/verify/")
    assert response.status_code == 302
    assert set(response.cookies) <= {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME}


def test_verification_names_the_first_move_that_does_not_replay(clerk, game):
    corrupt(game, 3)
    corrupt(game, 4)
    response = clerk.post(f"{LIST}{game.pk}/verify/", follow=True)
    assert "Move 3 does not replay" in response.text
    assert "z99" in response.text


def test_verification_finds_a_missing_move(clerk, game):
    Move.objects.filter(game=game, ply=2).delete()
    response = clerk.post(f"{LIST}{game.pk}/verify/", follow=True)
    assert "ply 2 is missing" in response.text


def test_verification_finds_a_result_that_differs_from_the_replay(clerk, game):
    Game.objects.filter(pk=game.pk).update(status="over")
    response = clerk.post(f"{LIST}{game.pk}/verify/", follow=True)
    assert "the replay does not" in response.text


def test_several_games_are_verified_by_one_action(clerk, game, owner):
    good = make_game(owner)
    corrupt(game, 1)
    data = {"action": "verify_selected", "_selected_action": [game.pk, good.pk]}
    response = clerk.post(LIST, data, follow=True)
    assert f"Game {game.pk}: Move 1 does not replay" in response.text
    assert "1 game replays." in response.text


def test_games_beyond_the_limit_of_one_verification_are_counted(clerk, game, owner, monkeypatch):
    selected = [game.pk, *(make_game(owner).pk for _ in range(3))]
    for most, told in ((2, "2 more games were selected and not replayed."), (3, "1 more game was")):
        monkeypatch.setattr("games.admin.VERIFIED_AT_ONCE", most)
        data = {"action": "verify_selected", "_selected_action": selected}
        response = clerk.post(LIST, data, follow=True).text
        assert f"{most} games replay." in response
        assert told in response


def test_games_within_the_limit_are_all_verified(clerk, game, owner, monkeypatch):
    monkeypatch.setattr("games.admin.VERIFIED_AT_ONCE", 2)
    data = {"action": "verify_selected", "_selected_action": [game.pk, make_game(owner).pk]}
    assert "not replayed" not in clerk.post(LIST, data, follow=True).text


def test_a_game_of_a_removed_kind_is_listed_and_shown(clerk, game):
    Game.objects.filter(pk=game.pk).update(kind="ludo")
    assert game.id in clerk.get(LIST).text
    assert clerk.get(page(game)).status_code == 200


def test_a_get_of_the_verify_address_changes_nothing(clerk, game):
    assert clerk.get(f"{LIST}{game.pk}/verify/").status_code == 403


def with_secrets(owner: Person) -> list[Game]:
    return [
        make_game(owner, rules=rules)
        for rules in all_rules().values()
        if any(spec.secret for spec in rules.seats(rules.clean({})))
    ]


def test_secrets_are_hidden_from_staff(clerk, owner):
    for game in with_secrets(owner):
        response = clerk.get(page(game)).text
        for value in game.setup.values():
            if isinstance(value, str) and len(value) > 10:
                assert value not in response
        assert "Setup" not in response


def test_staff_with_the_permission_see_secrets(owner):
    client = staff("view_game", "view_move", "see_secrets")
    for game in with_secrets(owner):
        hidden = [v for v in game.setup.values() if isinstance(v, str) and len(v) > 10]
        response = client.get(page(game)).text
        assert hidden
        assert all(value in response for value in hidden)


SECRET_LOOKUPS = [
    ("games/game", "setup__key__startswith"),
    ("games/game", "setup"),
    ("games/game", "setup__isnull"),
    ("games/game", "rematch_of__setup__key__startswith"),
    ("games/game", "rematch__setup__key__startswith"),
    ("games/game", "created_by__created_games__setup__key__startswith"),
    ("games/game", "seats__token_salt__startswith"),
    ("games/game", "moves__note__startswith"),
    ("games/game", "evaluations__values__startswith"),
    ("games/game", "_connector"),
    ("games/player", "created_games__setup__key__startswith"),
    ("games/player", "seats__game__setup__key__startswith"),
    ("games/player", "holders__seat__game__setup__key__startswith"),
    ("games/player", "move__game__setup__key__startswith"),
    ("auth/user", "player__created_games__setup__key__startswith"),
]


@pytest.mark.parametrize(("rows", "lookup"), SECRET_LOOKUPS)
def test_no_query_parameter_searches_hidden_columns(game, rows, lookup):
    clerk = staff("view_game", "view_player", "view_user")
    assert clerk.get(f"/admin/{rows}/", {lookup: "R"}).status_code == 400


@pytest.mark.parametrize("where", ["", "{id}/change/"])
def test_no_row_can_be_addressed_by_its_setup(clerk, game, where):
    assert clerk.get(LIST + where.format(id=game.pk), {"_to_field": "setup"}).status_code == 400


@pytest.mark.parametrize(
    "asked",
    ["kind__exact={kind}", "status__exact=running", "created_by={owner}", "created__year={year}"],
)
def test_games_are_found_by_the_columns_of_the_list(clerk, game, owner, asked):
    values = {"kind": game.kind, "owner": owner.player.pk, "year": game.created.year}
    response = clerk.get(f"{LIST}?{asked.format(**values)}")
    assert response.status_code == 200
    assert game.id in response.text


def test_a_player_cannot_be_deleted(owner):
    response = staff("view_player", "delete_player").post(
        f"/admin/games/player/{owner.player.pk}/delete/", {"post": "yes"}
    )
    assert response.status_code == 403
    assert Player.objects.filter(pk=owner.player.pk).exists()


def test_players_cannot_be_deleted_by_an_action(owner):
    data = {"action": "delete_selected", "_selected_action": [owner.player.pk], "post": "yes"}
    staff("view_player", "delete_player").post("/admin/games/player/", data)
    assert Player.objects.filter(pk=owner.player.pk).exists()


@pytest.mark.parametrize(
    ("permission", "called"), [("change_player", "Guest"), ("view_player", "Olive")]
)
def test_staff_with_the_permission_clear_a_players_name(game, owner, client, permission, called):
    data = {"action": "take_names_away", "_selected_action": [owner.player.pk]}
    staff("view_player", permission).post("/admin/games/player/", data)
    table = client.get(game.get_absolute_url()).text
    assert {name for name in ("Guest", "Olive") if name in table} == {called}


def test_deleting_an_account_leaves_its_player(owner):
    account = User.objects.create_user("olive")
    Player.objects.filter(pk=owner.player.pk).update(user=account)
    staff("view_user", "delete_user").post(f"/admin/auth/user/{account.pk}/delete/", {"post": "y"})
    assert not User.objects.filter(pk=account.pk).exists()
    assert Player.objects.filter(pk=owner.player.pk).exists()


def test_staff_with_the_permission_delete_a_game_with_its_rows(game, owner):
    deleter = staff("view_game", "delete_game")
    deleter.post(f"{LIST}{game.pk}/delete/", {"post": "yes"})
    assert not Seat.objects.filter(game_id=game.pk).exists()
    assert owner.client.get(game.get_absolute_url()).status_code == 404
    move = {"seat": "", "move": "a1", "ply": 5}
    assert owner.client.post(f"/g/{game.pk}/move/", move).status_code == 404


def test_staff_with_view_permission_cannot_delete_a_game(clerk, game):
    assert clerk.post(f"{LIST}{game.pk}/delete/", {"post": "yes"}).status_code == 403


def test_the_dutch_page_of_a_game_names_its_creator_and_movers(game):
    clerk = staff("view_game", "view_move", "view_player")
    shown = clerk.get(page(game), headers={"Accept-Language": "nl"}).text
    with override("nl"):
        seats = {spec.key: translate(spec.name) for spec in game.specs}
    assert "Begonnen door:" in shown
    assert "Created by" not in shown
    for key, name in seats.items():
        assert f"<p>{name}</p>" in shown
        assert f"<p>{key}</p>" not in shown


def test_the_dutch_list_and_page_use_the_same_word_for_a_game(clerk, game):
    for address in (LIST, page(game)):
        shown = clerk.get(address, headers={"Accept-Language": "nl"}).text
        assert re.search(r"<h1>[^<]*[Pp]artij", shown)
