"""Measure the lists of games by the size of the database: ``python -m benchmarks.lists``.

``--games 100 1000000`` fills databases of its own with so many games (the default is 100 and
100,000) and measures the front page, the lists that open tabs poll, and the pages of a player's own
games with their filters: for a visitor, for a player of ten games and for one of up to 30,000
seats. So that the lists have the same entries in every size, only running games among the first
hundred look for players, and only the first hundred of the busy player's games may be running. One
in ten of the others is running. With ``--admin`` the pages of staff are measured too: lists,
filters, search, a game, a player of up to 30,000 seats, the statistics.

Times are lower quartiles of thread CPU time, which a busy machine changes little. Wall-clock times
are beside them, since PostgreSQL works in processes of its own. With DATABASE_URL the tables are
created in that database, which must be empty.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import django
from django.db import connection
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client

ROUNDS, TIMES = 4, 8
"""The number of rounds over all pages, and of requests for each page in a round."""
PLAYERS = 10_000
FEW, BUSY, HOST = PLAYERS, PLAYERS + 1, PLAYERS + 2
"""The numbers of three players after all others: of ten games, of many, and of the copied game."""
BUSY_SEATS = 30_000
FIRST = 100
"""The games of the smallest database."""
COPY = "a-"
"""The prefix of the ids of copied games. Ordinary ids have no hyphen."""
APART = 20
"""Seconds between the creation times of copied games."""
AGAIN = "its lists again"
PAGES = {"front page": "/", AGAIN: "/"}
SERIES = "WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < {n})"


def main() -> None:
    """Fill and measure a database of each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[100, 100_000])
    parser.add_argument("--admin", action="store_true", help="measure the pages of staff too")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own = f"sqlite:///{Path(folder) / 'boardsite.sqlite3'}"
        os.environ["DATABASE_URL"] = os.environ.get("DATABASE_URL") or own
        os.environ |= {"BOARDSITE_DATA": folder, "DJANGO_SETTINGS_MODULE": "boardsite.settings"}
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        stored = 0
        for size in sorted(asked.games):
            _fill(stored, size)
            stored = size
            _measure(size, _lists() + (_pages_of_staff(size) if asked.admin else []))


def _fill(stored: int, size: int) -> None:
    """Add games until there are ``size``: copies of one game for two, with other players."""
    from games.models import Player

    if not stored:
        Player.objects.bulk_create(
            Player(
                id=uuid.UUID(int=number),
                name=f"Player {number}",
                name_folded=f"player {number}",
            )
            for number in range(PLAYERS + 3)
        )
        _template()
    with connection.cursor() as cursor:
        for statement in _statements(stored, size - stored):
            cursor.execute(statement)
        cursor.execute("ANALYZE")


def _template() -> None:
    """Make the game to be copied, with the first player."""
    from games.core.registry import all_rules
    from games.models import Player
    from games.services import setup

    rules = next(rules for rules in all_rules().values() if len(rules.seats(rules.clean({}))) == 2)
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    setup.create_game(
        player=Player.objects.get(pk=uuid.UUID(int=HOST)),
        new=setup.NewGame(rules=rules, options={}, seating={first: "me", second: "listed"}),
    )


def _statements(stored: int, count: int) -> list[str]:
    """Return the SQL that adds ``count`` games after the first ``stored`` ones."""
    from games.models import Game, Seat

    template, ends = Game.objects.exclude(id__startswith=COPY).get().id, _ends()
    is_sqlite = connection.vendor == "sqlite"
    number = f"(n + {stored})"
    over = f"({number} % 10 > 0 OR {number} BETWEEN {FIRST + 1} AND {BUSY_SEATS})"
    games = {name: f'g."{name}"' for name in _columns(Game)}
    games["id"] = f"'{COPY}' || {number}"
    games["status"] = f"CASE WHEN {over} THEN 'over' ELSE 'running' END"
    result = " ".join(f"WHEN {number} % {len(ends)} = {at} THEN '{end}'" for at, end in ends)
    as_json = f"CASE WHEN NOT {over} THEN NULL {result} END"
    games["result_json"] = as_json if is_sqlite else f"CAST({as_json} AS jsonb)"
    age = f"({stored + count} - {number}) * {APART}"
    for column in ("created", "updated"):
        games[column] = (
            f"strftime('%Y-%m-%d %H:%M:%f', g.{column}, '-' || ({age}) || ' seconds')"
            if is_sqlite
            else f"g.{column} - ({age}) * interval '1 second'"
        )
    seats = {name: f's."{name}"' for name in _columns(Seat) if name != "id"}
    seats["game_id"] = f"'{COPY}' || {number}"
    seats["listed"] = f"s.listed AND {number} BETWEEN 11 AND {FIRST} AND NOT {over}"
    seats["token_hash"] = "NULL"
    at = "CAST(SUBSTR(s.game_id, 3) AS INTEGER)"
    player = (
        f'CASE WHEN s."index" = 0 AND {at} <= {BUSY_SEATS} THEN {BUSY} '
        f'WHEN s."index" = 1 AND {at} <= 10 THEN {FEW} ELSE {at} % {PLAYERS} END'
    )
    as_id = f"PRINTF('%032x', {player})" if is_sqlite else f"LPAD(TO_HEX({player}), 32, '0')::uuid"
    series = SERIES.format(n=count)
    return [
        _insert("games_game", games, f"games_game g, series WHERE g.id = '{template}'", series),
        _insert(
            "games_seat", seats, f"games_seat s, series WHERE s.game_id = '{template}'", series
        ),
        f"INSERT INTO games_holder (seat_id, player_id, name, joined, ended) "
        f"SELECT s.id, {as_id}, '', g.created, CASE WHEN g.status = 'over' THEN g.updated END "
        f"FROM games_seat s JOIN games_game g ON g.id = s.game_id WHERE NOT s.listed "
        f"AND s.game_id LIKE '{COPY}%' AND {at} > {stored}",
    ]


def _ends() -> list[tuple[int, str]]:
    """Return the results of finished games as numbered JSON: a win of each seat, and a draw."""
    from games.contract import Result, text
    from games.models import Seat

    winners: list[list[str]] = [[key] for key in Seat.objects.values_list("key", flat=True)[:2]]
    ends = [Result(frozenset(each), text("The end.")) for each in [*winners, []]]
    return [(number, json.dumps(end.to_json())) for number, end in enumerate(ends)]


def _columns(model: type[Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


def _insert(table: str, columns: dict[str, str], source: str, series: str) -> str:
    names = ", ".join(f'"{name}"' for name in columns)
    return (
        f"INSERT INTO {table} ({names}) {series} SELECT {', '.join(columns.values())} FROM {source}"
    )


class Page(NamedTuple):
    """A page to measure: its name in the output, and its request."""

    name: str
    client: Client
    address: str
    htmx: bool = False


def _lists() -> list[Page]:
    """Return the lists, for viewers with few and with many games."""
    from games.models import Player
    from games.web.player_cookie import set_player_cookie

    pages = []
    for name, number in {"a visitor": None, "a player": FEW, "a busy player": BUSY}.items():
        client, seats, addresses = Client(HTTP_HOST="localhost"), 0, PAGES
        if number is not None:
            player = Player.objects.get(pk=uuid.UUID(int=number))
            client.cookies = set_player_cookie(HttpResponse(), player).cookies
            seats, addresses = player.holders.count(), PAGES | _own_pages()
        for page, address in addresses.items():
            called = f"{name:<14} {seats:>6,} seats  {page:<26}"
            pages.append(Page(called, client, address, htmx=page == AGAIN))
    return pages


def _own_pages() -> dict[str, str]:
    """Return the addresses of the pages of a player's own games, by name."""
    from games.core.registry import all_rules
    from games.models import Game

    kind = Game.objects.values_list("kind", flat=True)[0]
    finished, other = "/me/finished/", next(slug for slug in all_rules() if slug != kind)
    return {
        "my games": "/me/",
        "finished games": finished,
        "finished, of a kind": f"{finished}?kind={kind}",
        "finished, won": f"{finished}?result=won",
        "finished, against a name": f"{finished}?name=player",
        "finished, none of the kind": f"{finished}?kind={other}",
        "finished, against nobody": f"{finished}?name=nobody",
    }


def _pages_of_staff(size: int) -> list[Page]:
    from django.contrib.auth.models import User

    client = Client(HTTP_HOST="localhost")
    staff = User.objects.filter(username="staff").first()
    client.force_login(staff or User.objects.create_superuser("staff"))
    addresses = _admin_addresses(size).items()
    return [Page(f"admin: {name:<42}", client, address) for name, address in addresses]


def _measure(size: int, pages: Sequence[Page]) -> None:
    """Print the processor time and the wall-clock time of each page."""
    times: dict[str, list[tuple[float, float]]] = {page.name: [] for page in pages}
    # Other programs disturb some rounds more than others.
    for _ in range(ROUNDS):
        for page in pages:
            times[page.name] += [_time(page) for _ in range(TIMES)]
    for name, found in times.items():
        took, waited = (sorted(each)[len(each) // 4] * 1e3 for each in zip(*found, strict=True))
        row = f"{connection.vendor:<10} {size:>9,} games  {name} {took:>6.1f} ms"
        print(f"{row}, {waited:>6.1f} ms on the wall", flush=True)


def _time(page: Page) -> tuple[float, float]:
    """Return the processor time and the wall-clock time of a page, in seconds."""
    began, wall = time.thread_time(), time.perf_counter()
    answer = page.client.get(page.address, headers={"HX-Request": "true"} if page.htmx else {})
    times = time.thread_time() - began, time.perf_counter() - wall
    if answer.status_code != 200:
        raise RuntimeError(f"{page.address} answered {answer.status_code}.")
    return times


def _admin_addresses(size: int) -> dict[str, str]:
    """Return the addresses of the pages of staff, by name."""
    from games.models import Game

    games, players, seats = (f"/admin/games/{name}/" for name in ("game", "player", "holder"))
    middle = Game.objects.get(pk=f"{COPY}{size // 2}")
    busy, first = uuid.UUID(int=BUSY), middle.created.date()
    query = f"?after={middle.created:%Y-%m-%dT%H:%M:%S.%f%%2B00:00}~{middle.pk}"
    return {
        "games": games,
        "games, a page in the middle": f"{games}{query}",
        "games of a kind": f"{games}?kind={middle.kind}",
        "games of a kind no game has": f"{games}?kind=none",
        "running games": f"{games}?status=running",
        "games with a fault": f"{games}?trouble=fault",
        "games that wait for a computer": f"{games}?trouble=stuck",
        "games of a day": f"{games}?from={first}&to={first}",
        "games of a host": f"{games}?created_by={uuid.UUID(int=HOST)}",
        "game by id": f"{games}?q={middle.pk}",
        "games by the name of a player": f"{games}?q=player+{BUSY}",
        "games by the beginning of a name": f"{games}?q=pl",
        "game": f"{games}{middle.pk}/change/",
        "statistics": f"{games}statistics/",
        "players": players,
        "players by the beginning of a name": f"{players}?q=play",
        "a busy player": f"{players}{busy}/change/",
        "seats of a busy player": f"{seats}?player={busy}",
        "running games of a busy player": f"{seats}?player={busy}&status=running",
    }


if __name__ == "__main__":
    main()
