"""Stored games in the admin: lists, search, filters and the page of a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.html import escape

from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.players import Person, new_person
from tests.support.staff import GAME_LIST, change_page
from tests.support.style_sheets import read_sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 5)


def test_games_are_listed_with_their_players(clerk, game):
    response = clerk.get(GAME_LIST).text
    for text in (game.id, "Olive", "running"):
        assert text in response


def test_the_page_of_a_game_links_to_its_public_page(clerk, game):
    link = f'href="{game.get_absolute_url()}" class="viewsitelink"'
    assert link in " ".join(clerk.get(change_page(game)).text.split())


@pytest.mark.parametrize("by", ["id", "name"])
def test_a_game_is_found_by_its_id_or_a_player(clerk, game, owner, by):
    other = make_game(new_person("Zoe"))
    page = clerk.get(GAME_LIST, {"q": game.id if by == "id" else "Olive"}).text
    assert game.id in page
    assert other.id not in page


@pytest.mark.parametrize("address", ["https://boards.example/g/{}/", "boards.example/g/{}/3/?x=1"])
def test_a_game_is_found_by_the_address_that_a_player_sends(clerk, game, address):
    other = make_game(new_person("Zoe"))
    page = clerk.get(GAME_LIST, {"q": address.format(game.id)}).text
    assert change_page(game) in page
    assert change_page(other) not in page


def test_the_page_of_a_game_shows_its_seats_and_turn(clerk, owner):
    game = make_game(owner, new_person("Zoe <i>"))
    response = clerk.get(change_page(game)).text
    for seat in game.seats.all():
        (player,) = seat.players.all()
        name = translate(next(spec.name for spec in game.specs if spec.key == seat.key))
        link = f'<a href="/admin/games/player/{player.pk}/change/">{escape(player.name)}</a>'
        turn = " – to move" if seat.key in game.to_move else ""
        assert f"<div>{escape(name)}: {link}{turn}</div>" in response


def test_games_are_filtered_by_kind(clerk, game):
    other = next(slug for slug in all_rules() if slug != game.kind)
    assert game.id in clerk.get(GAME_LIST, {"kind": game.kind}).text
    assert game.id not in clerk.get(GAME_LIST, {"kind": other}).text


@pytest.mark.parametrize("ply", [0, 3, 5])
def test_the_board_is_shown_at_any_ply(clerk, game, ply):
    response = clerk.get(change_page(game), {"ply": ply})
    assert f"Position after move {ply} of 5" in response.text
    assert '<table class="grid' in response.text


@pytest.mark.parametrize("ply", ["-1", "٣", "999999999", "9" * 5_000, "x", ""])
def test_an_unknown_ply_shows_the_last_position(clerk, game, ply):
    response = clerk.get(change_page(game), {"ply": ply})
    assert "Position after move 5 of 5" in response.text


@pytest.mark.parametrize("stored", [{"winners": []}, {"winners": 1, "reason": []}, "all", [7]])
def test_an_unreadable_result_is_shown_as_stored(clerk, game, stored):
    Game.objects.filter(pk=game.pk).update(result_json=stored)
    # PostgreSQL's jsonb reorders keys, so the page shows the value as it is read back.
    game.refresh_from_db()
    response = clerk.get(change_page(game))
    assert response.status_code == 200
    assert escape(str(game.result_json)) in response.text


def test_moves_are_listed_and_cannot_be_changed(clerk, game):
    response = clerk.get(change_page(game)).text
    for move in game.moves.all():
        assert move.text in response
    assert 'name="moves-0-text"' not in response


def test_a_game_of_a_removed_kind_is_listed_and_shown(clerk, game):
    Game.objects.filter(pk=game.pk).update(kind="ludo")
    assert game.id in clerk.get(GAME_LIST).text
    assert clerk.get(change_page(game)).status_code == 200


@pytest.mark.parametrize(
    "query",
    ["kind__exact={kind}", "status__exact=running", "created_by={owner}", "created__year={year}"],
)
def test_games_are_found_by_the_columns_of_the_list(clerk, game, owner, query):
    values = {"kind": game.kind, "owner": owner.player.pk, "year": game.created.year}
    response = clerk.get(f"{GAME_LIST}?{query.format(**values)}")
    assert response.status_code == 200
    assert game.id in response.text


def test_the_page_of_a_game_takes_as_many_queries_for_more_moves(
    admin_client, game, django_assert_max_num_queries
):
    # The first page of a process reads the content types, which are kept.
    admin_client.get(change_page(game))
    with django_assert_max_num_queries(14):
        assert admin_client.get(change_page(game)).status_code == 200


def test_the_page_of_a_player_takes_as_many_queries_for_more_games(
    admin_client, owner, django_assert_max_num_queries
):
    for _ in range(10):
        make_game(owner)
    admin_client.get(f"/admin/games/player/{owner.player.pk}/change/")
    with django_assert_max_num_queries(13):
        page = admin_client.get(f"/admin/games/player/{owner.player.pk}/change/")
    assert page.status_code == 200


@pytest.mark.parametrize("kind", sorted(all_rules()))
def test_the_admin_gives_a_board_every_variable_of_its_template(kind):
    # A missing variable makes a length invalid, and the board too small to read.
    folder = Path(settings.BASE_DIR)
    sheets = (folder / "games" / kind / "static").rglob("*.css")
    board = "".join(sheet.read_text() for sheet in sheets)
    around = read_sheet(folder / "static" / "site" / "admin.css")
    used = set(re.findall(r"var\((--[\w-]+)\)", board))
    assert used <= set(re.findall(r"(--[\w-]+):", board + around))
