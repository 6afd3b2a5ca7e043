"""Permissions of staff: secrets, deletion and lookups in hidden columns."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from games.core.registry import all_rules
from games.models import Game, Player, Seat
from tests.support.documents import section, table_rows
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.kinds import kinds_with_secrets
from tests.support.players import Person
from tests.support.staff import GAME_LIST, change_page, log_in_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 5)


def make_games_with_secrets(owner: Person) -> list[Game]:
    """Return a new game of each kind with secrets."""
    return [make_game(owner, rules=all_rules()[slug]) for slug in kinds_with_secrets()]


PERMISSIONS = {
    *("view_game", "end_game", "see_secrets", "delete_game"),
    *("view_player", "suspend_player", "forget_player"),
    *("view_pack", "delete_pack", "view_report", "view_schoolclass"),
}


def test_the_site_has_few_permissions_and_documents_each():
    found = Permission.objects.filter(content_type__app_label="games")
    assert set(found.values_list("codename", flat=True)) == PERMISSIONS
    rows = table_rows(section("docs/hosting.md", "Staff"))
    assert {row[0].strip("`") for row in rows} == PERMISSIONS


def test_staff_keep_their_permissions_under_the_new_names(game, owner):
    permissions = Permission.objects.filter(content_type__app_label="games")
    permissions.filter(codename="end_game").update(codename="change_game")
    kind = ContentType.objects.get_for_model(Game)
    Permission.objects.create(codename="add_game", name="Can add game", content_type=kind)
    client = log_in_staff("view_game", "change_game", "add_game")
    renaming = import_module("games.migrations.0033_squashed_0050_turn_notices")
    renaming.rename_permissions(apps, SimpleNamespace(connection=connection))
    assert not permissions.filter(codename__in=["change_game", "add_game"]).exists()
    client.post(GAME_LIST, {"action": "end", "_selected_action": game.pk, "post": "yes"})
    game.refresh_from_db()
    assert game.over


ACTIONS = {
    ("game", "free"): "end_game",
    ("game", "end"): "end_game",
    ("player", "take_names_away"): "suspend_player",
    ("player", "warn"): "suspend_player",
    ("player", "suspend"): "suspend_player",
    ("player", "unsuspend"): "suspend_player",
    ("player", "forget"): "forget_player",
}


@pytest.mark.parametrize(("table", "action"), ACTIONS)
def test_each_action_is_offered_with_its_permission_alone(game, owner, table, action):
    address = f"/admin/games/{table}/"
    form = {"action": action, "_selected_action": (game if table == "game" else owner.player).pk}
    needed = ACTIONS[table, action]
    # Every other permission of the site together.
    others = log_in_staff(*(PERMISSIONS - {needed}), name="others")
    assert f'value="{action}"' not in others.get(address).text
    assert 'name="reason"' not in others.post(address, form, follow=True).text
    alone = log_in_staff(f"view_{table}", needed)
    assert f'value="{action}"' in alone.get(address).text
    assert 'name="reason"' in alone.post(address, form).text


def test_visitors_are_sent_to_the_login(client, game):
    assert client.get(change_page(game)).status_code == 302


def test_staff_without_permission_do_not_see_games(game):
    assert log_in_staff().get(change_page(game)).status_code == 403


@pytest.mark.parametrize("key", ["abc", "9" * 30, "1"])
def test_content_type_ids_find_no_row(clerk, game, key):
    tables = ContentType.objects.values_list("pk", flat=True)
    assert {clerk.get(f"/admin/r/{table}/{key}/").status_code for table in tables} == {404}


def test_secrets_are_hidden_from_staff(clerk, owner):
    for game in make_games_with_secrets(owner):
        response = clerk.get(change_page(game)).text
        for value in game.setup.values():
            if isinstance(value, str) and len(value) > 10:
                assert value not in response
        assert "Setup" not in response


def test_staff_with_the_permission_see_secrets(owner):
    client = log_in_staff("view_game", "see_secrets")
    for game in make_games_with_secrets(owner):
        hidden = [v for v in game.setup.values() if isinstance(v, str) and len(v) > 10]
        unasked = client.get(change_page(game)).text
        assert "Show what is secret" in unasked
        assert not any(value in unasked for value in hidden)
        assert not LogEntry.objects.filter(object_id=game.pk).exists()
        response = client.get(change_page(game), {"secrets": ""}).text
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
]


@pytest.mark.parametrize(("rows", "lookup"), SECRET_LOOKUPS)
def test_no_query_parameter_searches_hidden_columns(game, rows, lookup):
    clerk = log_in_staff("view_game", "view_player")
    assert clerk.get(f"/admin/{rows}/", {lookup: "R"}).status_code == 400


@pytest.mark.parametrize("path", ["", "{id}/change/"])
def test_no_row_can_be_addressed_by_its_setup(clerk, game, path):
    assert clerk.get(GAME_LIST + path.format(id=game.pk), {"_to_field": "setup"}).status_code == 400


def test_a_player_cannot_be_deleted(owner):
    response = log_in_staff("view_player", "forget_player").post(
        f"/admin/games/player/{owner.player.pk}/delete/", {"post": "yes"}
    )
    assert response.status_code == 403
    assert Player.objects.filter(pk=owner.player.pk).exists()


def test_players_cannot_be_deleted_by_an_action(owner):
    data = {"action": "delete_selected", "_selected_action": [owner.player.pk], "post": "yes"}
    log_in_staff("view_player", "forget_player").post("/admin/games/player/", data)
    assert Player.objects.filter(pk=owner.player.pk).exists()


@pytest.mark.parametrize(
    ("permission", "name"), [("suspend_player", "Guest"), ("view_player", "Olive")]
)
def test_staff_with_the_permission_clear_a_players_name(game, owner, client, permission, name):
    data = {"action": "take_names_away", "_selected_action": [owner.player.pk], "post": "yes"}
    log_in_staff("view_player", permission).post("/admin/games/player/", data)
    page = client.get(game.get_absolute_url()).text
    assert {shown for shown in ("Guest", "Olive") if shown in page} == {name}


def test_staff_with_the_permission_delete_a_game_with_its_rows(game, owner):
    deleter = log_in_staff("view_game", "delete_game")
    deleter.post(f"{GAME_LIST}{game.pk}/delete/", {"post": "yes"})
    assert not Seat.objects.filter(game_id=game.pk).exists()
    assert owner.client.get(game.get_absolute_url()).status_code == 404
    move = {"seat": "", "move": "a1", "ply": 5}
    assert owner.client.post(f"/g/{game.pk}/move/", move).status_code == 404


def test_staff_with_view_permission_cannot_delete_a_game(clerk, game):
    assert clerk.post(f"{GAME_LIST}{game.pk}/delete/", {"post": "yes"}).status_code == 403
