"""The lists of games read a bounded number of rows, however many games there are."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Holder
from games.services.verification import store_outcomes, verify_all
from games.state import lists
from games.state.lists import (
    Filters,
    finished_games,
    finished_page,
    open_games,
    running_games,
    turns_waiting,
)
from games.storage.cache import clear_all
from tests.support.game_factory import make_finished_game, make_game, make_game_with_open_seat
from tests.support.game_requests import post_move, post_resign, post_undo
from tests.support.players import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def plans(queries: CaptureQueriesContext) -> list[str]:
    """Return SQLite's plan of the first query, which reads the rows that the others start from."""
    if connection.vendor != "sqlite":
        pytest.skip("The plan of a small table tells nothing on PostgreSQL")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
        return [row[-1] for row in cursor.fetchall()]


@pytest.mark.parametrize(
    ("read", "index"),
    [
        (running_games, "games_holder_listed"),
        (finished_games, "games_holder_listed"),
        (open_games, "games_seat_listed"),
    ],
)
def test_a_list_starts_from_its_index_and_sorts_nothing(owner: Person, read, index: str) -> None:
    make_game(owner)
    with CaptureQueriesContext(connection) as queries:
        read(owner.player)
    plan = plans(queries)
    assert f"INDEX {index}" in plan[0]
    assert not any("TEMP B-TREE" in step or step.startswith("SCAN games_game") for step in plan)


def test_pages_of_finished_games_continue_along_their_index(owner: Person) -> None:
    make_finished_game(owner)
    older = f"{timezone.now().isoformat()}~1"
    with CaptureQueriesContext(connection) as queries:
        finished_page(owner.player, Filters("some", "won"), older=older)
    plan = plans(queries)
    assert "INDEX games_holder_listed (player_id=? AND ended>? AND ended<?)" in plan[0]
    assert not any("TEMP B-TREE" in step for step in plan)


def test_a_page_of_filtered_games_takes_three_queries(owner: Person, opponent: Person) -> None:
    games = [make_finished_game(owner, opponent) for _ in range(3)]
    assert store_outcomes() and not store_outcomes()
    with CaptureQueriesContext(connection) as queries:
        page = finished_page(owner.player, Filters(games[0].kind, "lost", "otto"))
    assert [listed.game for listed in page.games] == games[::-1]
    # One more finds where the window of the search for the name ends.
    assert len(queries) == 4


def test_the_number_in_the_header_is_read_from_an_index(owner: Person, opponent: Person) -> None:
    make_game(owner, opponent)
    with CaptureQueriesContext(connection) as queries:
        assert turns_waiting(owner.player.pk).waiting == 1
    assert len(queries) == 1
    plan = plans(queries)
    assert "INDEX games_holder_listed" in plan[0]
    assert not any("TEMP B-TREE" in step or step.startswith("SCAN games_") for step in plan)


def test_pages_of_finished_games_follow_each_other(owner: Person, monkeypatch) -> None:
    monkeypatch.setattr(lists, "SHOWN", 2)
    games = [make_finished_game(owner) for _ in range(5)]
    pages, older = [], ""
    while not pages or older:
        page = finished_page(owner.player, older=older)
        pages.append([listed.game for listed in page.games])
        older = page.older
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [game for page in pages for game in page] == games[::-1]


def test_a_name_is_looked_for_in_one_window_a_page(owner, opponent, monkeypatch) -> None:
    monkeypatch.setattr(lists, "NAMES_READ", 2)
    game = make_finished_game(owner, opponent)
    for _ in range(3):
        make_finished_game(owner)
    page = finished_page(owner.player, Filters(name="otto"))
    assert page.games == [] and page.older
    page = finished_page(owner.player, Filters(name="otto"), older=page.older)
    assert [listed.game for listed in page.games] == [game] and not page.older


def test_a_finished_game_is_read_as_finished(owner: Person) -> None:
    game = make_finished_game(owner)
    assert [listed.game for listed in finished_games(owner.player)] == [game]
    assert running_games(owner.player) == []


def test_a_game_whose_end_is_undone_runs_again(owner: Person) -> None:
    game = make_game(owner)
    post_move(owner, game)
    post_resign(owner, game)
    post_undo(owner, game)
    game.refresh_from_db()
    assert not game.over
    assert set(Holder.objects.values_list("ended", flat=True)) == {None}
    assert [listed.game for listed in running_games(owner.player)] == [game]


def test_the_last_finished_game_comes_first(owner: Person) -> None:
    first, second = make_finished_game(owner), make_finished_game(owner)
    assert [listed.game for listed in finished_games(owner.player)] == [second, first]


def test_a_stored_outcome_ends_with_an_undo_of_the_end(owner: Person) -> None:
    game = make_finished_game(owner)
    store_outcomes()
    post_undo(owner, game)
    assert {*Holder.objects.values_list("ended", "kind")} == {(None, None)}


@pytest.mark.parametrize("stored", [False, True])
def test_filters_find_the_same_games_before_and_after_the_worker(
    owner: Person, opponent: Person, stored: bool
) -> None:
    lost, won = make_finished_game(owner, opponent), make_finished_game(opponent, owner)
    alone = make_finished_game(owner)
    if stored:
        store_outcomes()
        assert not Holder.objects.filter(kind=None).exists()

    def found(kind: str = "", result: str = "") -> list[Game]:
        page = finished_page(owner.player, Filters(kind, result))
        return [listed.game for listed in page.games]

    assert found() == [alone, won, lost]
    # Nobody has won against oneself.
    assert found(lost.kind, "lost") == [lost] and found(result="won") == [won]
    assert found("other") == found(result="drawn") == []


@pytest.mark.parametrize("other", [{"kind": "x"}, {"outcome": "drawn"}, {"level": 3}])
def test_a_wrong_outcome_is_found_and_stored_anew(owner, opponent, other) -> None:
    game = make_finished_game(owner, opponent)
    store_outcomes()
    right = [*Holder.objects.order_by("pk").values_list("kind", "outcome", "level")]
    Holder.objects.filter(player=owner.player).update(**other)
    [(_id, found)] = verify_all(mark=False)
    assert found.fault and "how it has ended" in str(found.fault)
    assert [verified.fault for _id, verified in verify_all(mark=True)] == [None]
    store_outcomes()
    game.refresh_from_db()
    assert game.fault is None
    assert [*Holder.objects.order_by("pk").values_list("kind", "outcome", "level")] == right


def test_a_game_that_cannot_be_read_has_no_outcome_but_a_kind(owner: Person) -> None:
    game = make_finished_game(owner)
    Game.objects.update(options="?")
    assert store_outcomes() and not store_outcomes()
    assert {*Holder.objects.values_list("kind", "outcome")} == {(game.kind, "")}
    assert finished_page(owner.player).games == []


def test_the_holders_of_a_game_know_its_end(owner: Person) -> None:
    make_finished_game(owner)
    assert Game.objects.get().over
    assert None not in Holder.objects.values_list("ended", flat=True)


SCAN = re.compile(r"SCAN games_\w+( USING .*INDEX .*)?$")
HOT = [
    "/",
    "/me/",
    "/me/finished/",
    "/me/finished/?result=won&name=otto",
    "/me/finished/?kind=none&before=2026-01-01T00:00:00%2B00:00~5",
    "/g/{game}/",
    "/g/{game}/board/",
    "/g/{game}/1/",
    "/g/{game}/analysis/",
]


def assert_indexed(queries: CaptureQueriesContext) -> None:
    """Assert that an index serves every query, and that none sorts more rows than it returns."""
    hot = [query["sql"] for query in queries if "games_" in query["sql"]]
    hot = [sql for sql in hot if sql.startswith(("SELECT", "UPDATE", "DELETE"))]
    for sql in hot:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + sql.replace("%", "%%"))
            steps = [row[-1] for row in cursor.fetchall()]
        scans = [found for step in steps if (found := SCAN.match(step))]
        # In the order of an index, a query with a limit reads a few rows.
        assert all(found[1] and "LIMIT" in sql for found in scans), (sql, steps)
        if "LIMIT" in sql and "IN (" not in sql:
            assert not any("TEMP B-TREE FOR ORDER BY" in step for step in steps), (sql, steps)
    assert hot


@pytest.mark.skipif(connection.vendor != "sqlite", reason="plans depend on the size of tables")
@pytest.mark.parametrize("address", HOT)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "htmx"])
def test_no_page_of_players_scans_a_table_that_grows(
    owner: Person, opponent: Person, address: str, headers: dict[str, str]
) -> None:
    make_game_with_open_seat(opponent)
    game = make_finished_game(owner, opponent)
    clear_all()
    with CaptureQueriesContext(connection) as queries:
        response = owner.client.get(address.format(game=game.pk), headers=headers)
    assert response.status_code == 200
    assert_indexed(queries)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="plans depend on the size of tables")
def test_a_move_scans_no_table(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    with CaptureQueriesContext(connection) as queries:
        post_move(owner, game)
    assert_indexed(queries)
