"""Lists of the admin: pages, search and filters, each by an index."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape

from games.admin.confirmed import ReadOnly
from games.core.registry import all_rules
from games.models import Game, Player
from games.services import players
from games.storage import keyset
from tests.support.game_factory import make_finished_game, make_game
from tests.support.players import Person, new_person
from tests.support.staff import GAME_LIST, change_page, log_in_staff

pytestmark = [pytest.mark.django_db, pytest.mark.services]

PLAYER_LIST, SEAT_LIST = "/admin/games/player/", "/admin/games/holder/"
FULL_SCAN = re.compile(r"SCAN games_\w+$")


@pytest.fixture
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadOnly, "list_per_page", 2)


@pytest.fixture
def games(owner: Person) -> list[Game]:
    """Return five games, the newest first."""
    return [make_game(owner) for _ in range(5)][::-1]


def listed(page: str, games: list[Game]) -> list[Game]:
    """Return those of ``games`` that a page lists, in its order."""
    found = [(page.find(f'value="{game.pk}"'), game) for game in games]
    return [game for place, game in sorted(found, key=lambda pair: pair[0]) if place >= 0]


def follow(clerk: Client, address: str, rel: str) -> tuple[str, str]:
    """Follow the link to the next or previous page; return its address and HTML."""
    path = address.partition("?")[0]
    query = re.search(rf'href="(\?[^"]*)" rel="{rel}"', clerk.get(address).text)
    assert query
    target = path + query[1].replace("&amp;", "&")
    return target, clerk.get(target).text


@pytest.mark.usefixtures("short_pages")
@pytest.mark.parametrize("order", ["", "?o=6", "?kind={kind}"])
def test_the_pages_of_a_list_show_each_game_once(clerk, games, order):
    address = GAME_LIST + order.format(kind=games[0].kind)
    expected = games[::-1] if order == "?o=6" else games
    seen = listed(clerk.get(address).text, games)
    for _ in range(2):
        address, page = follow(clerk, address, "next")
        seen += listed(page, games)
    assert seen == expected
    assert 'rel="next"' not in page


@pytest.mark.usefixtures("short_pages")
def test_the_previous_page_is_the_one_before(clerk, games):
    second, _ = follow(clerk, GAME_LIST, "next")
    third, _ = follow(clerk, second, "next")
    back, page = follow(clerk, third, "prev")
    assert listed(page, games) == games[2:4]
    _, page = follow(clerk, back, "prev")
    assert listed(page, games) == games[:2]
    assert 'rel="prev"' not in page


@pytest.mark.usefixtures("short_pages")
def test_the_next_page_keeps_the_filters(clerk, games):
    query = f"?kind={games[0].kind}&status=running"
    address, _ = follow(clerk, GAME_LIST + query, "next")
    assert "status=running" in address and f"kind={games[0].kind}" in address


@pytest.mark.usefixtures("short_pages")
def test_a_page_stays_the_same_when_newer_games_are_made(clerk, games, owner):
    second, before = follow(clerk, GAME_LIST, "next")
    make_game(owner)
    assert listed(clerk.get(second).text, games) == listed(before, games)


@pytest.mark.parametrize("token", ["x", "~", "2026-13-45~a", "9999", "2026-01-01T00:00:00"])
def test_an_invalid_cursor_leads_back_to_the_list(clerk, games, token):
    response = clerk.get(GAME_LIST, {"after": token}, follow=True)
    assert response.status_code == 200


@pytest.mark.usefixtures("short_pages")
def test_a_filter_without_an_index_looks_through_one_window_a_page(clerk, owner, monkeypatch):
    monkeypatch.setattr(keyset, "WINDOW", 3)
    finished = make_finished_game(owner)
    running = [make_game(owner) for _ in range(5)]
    address = f"{GAME_LIST}?status=over"
    page = clerk.get(address).text
    assert listed(page, running) == []
    assert "None of the rows that were looked through." in page
    _, page = follow(clerk, address, "next")
    assert listed(page, [finished, *running]) == [finished]


def test_a_window_ends_the_search_in_the_index(admin_client, games, monkeypatch):
    if connection.vendor != "sqlite":
        pytest.skip("The plan of a small table tells nothing on PostgreSQL")
    monkeypatch.setattr(keyset, "WINDOW", 3)
    with CaptureQueriesContext(connection) as queries:
        admin_client.get(f"{GAME_LIST}?status=over")
    narrowed = next(query["sql"] for query in queries if '"status" =' in query["sql"])
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + narrowed)
        assert "games_created (created>" in cursor.fetchall()[0][-1]


def test_games_are_filtered_by_status(clerk, owner):
    finished, running = make_finished_game(owner), make_game(owner)
    both = [finished, running]
    assert listed(clerk.get(GAME_LIST, {"status": "over"}).text, both) == [finished]
    assert listed(clerk.get(GAME_LIST, {"status": "running"}).text, both) == [running]


def test_games_are_filtered_by_the_days_on_which_they_were_made(clerk, games):
    old = games[-1]
    made = timezone.now() - timedelta(days=40)
    Game.objects.filter(pk=old.pk).update(created=made)
    day = made.date().isoformat()
    assert listed(clerk.get(GAME_LIST, {"from": day, "to": day}).text, games) == [old]
    assert old not in listed(clerk.get(GAME_LIST, {"from": timezone.now().date()}).text, games)
    assert listed(clerk.get(GAME_LIST, {"from": "yesterday"}).text, games) == games


def test_games_that_need_staff_are_listed(clerk, games):
    faulty, stuck = games[1], games[2]
    Game.objects.filter(pk=faulty.pk).update(fault={"plies": 0, "reason": ["x", {}]})
    long_ago = timezone.now() - timedelta(hours=1)
    Game.objects.filter(pk=stuck.pk).update(computer_to_move=True, updated=long_ago)
    assert listed(clerk.get(GAME_LIST, {"trouble": "fault"}).text, games) == [faulty]
    assert listed(clerk.get(GAME_LIST, {"trouble": "stuck"}).text, games) == [stuck]


@pytest.mark.parametrize(
    ("name", "term"),
    [("Zoë van Dam", "zoë"), ("ÉLAN", "éla"), ("Ann_%", "ann_%"), ("Ann", " ANN ")],
)
def test_a_player_is_found_by_the_beginning_of_the_name(clerk, owner, name, term):
    player = new_person(name).player
    page = clerk.get(PLAYER_LIST, {"q": term}).text
    assert str(player.pk) in page
    assert str(owner.player.pk) not in page


def test_a_player_is_not_found_by_the_middle_of_the_name(clerk, owner):
    assert str(owner.player.pk) not in clerk.get(PLAYER_LIST, {"q": "live"}).text


def test_a_player_is_found_by_id(clerk, owner, opponent):
    page = clerk.get(PLAYER_LIST, {"q": str(owner.player.pk)}).text
    assert str(owner.player.pk) in page
    assert str(opponent.player.pk) not in page


def test_a_renamed_player_is_found_by_the_new_name(clerk, owner):
    players.rename(player=owner.player, name="Zoe")
    assert str(owner.player.pk) in clerk.get(PLAYER_LIST, {"q": "zo"}).text
    assert str(owner.player.pk) not in clerk.get(PLAYER_LIST, {"q": "oliv"}).text


def test_games_are_found_by_the_id_of_a_player(clerk, owner, opponent):
    mine, other = make_game(owner), make_game(opponent)
    page = clerk.get(GAME_LIST, {"q": str(owner.player.pk)}).text
    assert listed(page, [mine, other]) == [mine]


def test_the_page_of_a_player_leads_to_the_games(clerk, owner, opponent):
    game, other = make_game(owner, opponent), make_game(opponent)
    player = clerk.get(f"{PLAYER_LIST}{owner.player.pk}/change/").text
    seats = f"{SEAT_LIST}?player={owner.player.pk}"
    assert f'href="{escape(seats)}"' in player
    page = clerk.get(seats).text
    assert change_page(game) in page
    assert change_page(other) not in page


def test_the_seats_of_a_player_are_filtered_by_the_state_of_their_games(clerk, owner):
    finished, running = make_finished_game(owner), make_game(owner)
    query = f"{SEAT_LIST}?player={owner.player.pk}&status="
    assert change_page(finished) in clerk.get(f"{query}over").text
    assert change_page(running) not in clerk.get(f"{query}over").text
    assert change_page(running) in clerk.get(f"{query}running").text


def test_staff_with_a_view_of_players_alone_see_no_seats(owner):
    make_game(owner)
    client = log_in_staff("view_player")
    assert client.get(SEAT_LIST, {"player": owner.player.pk}).status_code == 403


def test_the_list_of_games_links_to_their_players(clerk, owner):
    make_game(owner)
    assert f'href="{PLAYER_LIST}{owner.player.pk}/change/"' in clerk.get(GAME_LIST).text


def test_the_admin_has_the_name_of_the_site(clerk):
    page = clerk.get("/admin/").text
    assert f"| {settings.SITE_NAME}</title>" in page
    assert "Django" not in page


HOT = [
    GAME_LIST,
    f"{GAME_LIST}?after=2026-01-01T00:00:00%2B00:00~x",
    f"{GAME_LIST}?o=6",
    f"{GAME_LIST}?kind={next(iter(all_rules()))}",
    f"{GAME_LIST}?status=running",
    f"{GAME_LIST}?kind={next(iter(all_rules()))}&status=over",
    f"{GAME_LIST}?from=2026-01-01&to=2026-02-01",
    f"{GAME_LIST}?trouble=fault",
    f"{GAME_LIST}?trouble=stuck",
    f"{GAME_LIST}?created_by={{owner}}",
    f"{GAME_LIST}?q=oli",
    f"{GAME_LIST}?q={{game}}",
    f"{GAME_LIST}statistics/",
    f"{GAME_LIST}{{game}}/change/",
    PLAYER_LIST,
    f"{PLAYER_LIST}?q=oli",
    f"{PLAYER_LIST}{{owner}}/change/",
    f"{SEAT_LIST}?player={{owner}}",
    f"{SEAT_LIST}?player={{owner}}&status=running",
]


@pytest.mark.parametrize("address", HOT)
def test_no_page_of_staff_scans_or_sorts_a_table_that_grows(admin_client, owner, address):
    if connection.vendor != "sqlite":
        pytest.skip("The plan of a small table tells nothing on PostgreSQL")
    game = make_game(owner)
    with CaptureQueriesContext(connection) as queries:
        response = admin_client.get(address.format(game=game.pk, owner=owner.player.pk))
    assert response.status_code == 200
    hot = [query["sql"] for query in queries if "games_" in query["sql"]]
    for sql in hot:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + sql.replace("%", "%%"))
            steps = [row[-1] for row in cursor.fetchall()]
        assert not any(FULL_SCAN.match(step) for step in steps), (sql, steps)
        if "LIMIT" in sql and "IN (" not in sql:
            assert not any("TEMP B-TREE FOR ORDER BY" in step for step in steps), (sql, steps)
    assert hot


def test_statistics_are_read_by_the_index_on_the_day(admin_client, owner):
    if connection.vendor != "sqlite":
        pytest.skip("The plan of a small table tells nothing on PostgreSQL")
    make_game(owner)
    with CaptureQueriesContext(connection) as queries:
        admin_client.get(f"{GAME_LIST}statistics/")
    counting = next(query["sql"] for query in queries if "COUNT" in query["sql"])
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + counting)
        assert "games_created (created>" in cursor.fetchall()[0][-1]


def test_the_names_of_an_old_database_are_folded(owner):
    assert Player.objects.get().name_folded == "olive"


@pytest.mark.parametrize("rows", ["game/", "game/export/", "player/"])
def test_a_date_or_number_that_no_database_holds_is_no_fault(rows, owner):
    make_game(owner)
    staff = log_in_staff("view_game", "view_player")
    late, early = "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"
    sent = [("to", "9999-12-31"), ("created__year", "9" * 30), ("created", "-1"), ("after", late)]
    sent += [("created__lt", early), ("before", f"{late}~x"), ("created__in", early)]
    found = {name: staff.get(f"/admin/games/{rows}", {name: value}) for name, value in sent}
    assert {answer.status_code for answer in found.values()} <= {200, 302, 400}
