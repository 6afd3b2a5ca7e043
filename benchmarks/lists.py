"""Measure the lists of games by the size of the database: ``python -m benchmarks.lists``.

``--games 100 1000000`` fills databases of its own with so many games (the default is 100 and
100,000) and measures the front page, the lists that open tabs poll, and the pages of a player's own
games with their filters: for a visitor, for a player of ten games and for one of up to 30,000
seats. The games are copies of a few of each kind, played at random: three finished ones, and one
running after ten moves. So that the lists have the same entries in every size, only running games
among the first hundred look for players, and only the first hundred of the busy player's games may
be running. One in ten of the others is running. With ``--admin`` the pages of staff are measured
too: lists, filters, search, a game, a player of up to 30,000 seats, the statistics.

Times are lower quartiles of thread CPU time, which a busy machine changes little. Wall-clock times
are beside them, since PostgreSQL works in processes of its own. With DATABASE_URL the tables are
created in that database, which must be empty.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import django
from django.db import connection
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client

from games.contract import Rules, SeatKey

ROUNDS, TIMES = 4, 8
"""The number of rounds over all pages, and of requests for each page in a round."""
PLAYERS = 10_000
FEW, BUSY, HOST = PLAYERS, PLAYERS + 1, PLAYERS + 2
"""The numbers of three players after all others: of ten games, of many, and of the copied game."""
BUSY_SEATS = 30_000
FIRST = 100
"""The games of the smallest database."""
FINISHED_OF_A_KIND = 3
RUNNING_PLIES = 10
LONGEST = 1_000
"""More moves than any game has."""
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
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own = f"sqlite:///{Path(folder) / 'boardsite.sqlite3'}"
        os.environ["DATABASE_URL"] = os.environ.get("DATABASE_URL") or own
        os.environ |= {"BOARDSITE_DATA": folder, "DJANGO_SETTINGS_MODULE": "boardsite.settings"}
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        stored = 0
        for size in sorted(arguments.games):
            _fill(stored, size)
            stored = size
            _measure(size, _lists() + (_pages_of_staff(size) if arguments.admin else []))


def _fill(stored: int, size: int) -> None:
    """Add games until there are ``size``: copies of played ones, with other players."""
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
        _play_games()
    with connection.cursor() as cursor:
        for statement in _statements(stored, size - stored):
            cursor.execute(statement)
        cursor.execute("ANALYZE")


def _play_games() -> None:
    """Make the games to be copied, which the first player has set up."""
    from games.core.registry import all_rules

    rng = Random(1)
    for _ in range(FINISHED_OF_A_KIND):
        for rules in all_rules().values():
            _play(rules, rng, LONGEST)
    for rules in all_rules().values():
        _play(rules, rng, RUNNING_PLIES)


def _play(rules: Rules, rng: Random, plies: int) -> None:
    """Store a game of random moves, of at most so many plies."""
    from games.models import Player
    from games.services import play, setup
    from games.state.snapshot import Standing, read_snapshot

    first, second, *others = (spec.key for spec in rules.seats(rules.clean({})))
    seating = {first: "me", second: "listed", **dict.fromkeys(others, "invite")}
    new = setup.NewGame(rules=rules, options={}, seating=seating)
    game = setup.create_game(player=Player.objects.get(pk=uuid.UUID(int=HOST)), new=new)
    position = read_snapshot(game.id).position.copy()
    moves: list[tuple[SeatKey, str]] = []
    while len(moves) < plies and position.result() is None:
        seat = min(position.to_move())
        moves.append((seat, rng.choice(position.legal_moves(seat))))
        position.play(*moves[-1])
    play.add_moves(game, moves)
    play.apply_position(game, Standing.of(position), len(moves), frozenset())
    game.save()


def _statements(stored: int, count: int) -> list[str]:
    """Return the SQL that adds ``count`` games after the first ``stored`` ones."""
    from games.models import Game, Move, Seat

    is_sqlite = connection.vendor == "sqlite"
    number = f"(n + {stored})"
    over = f"({number} % 10 > 0 OR {number} BETWEEN {FIRST + 1} AND {BUSY_SEATS})"
    copied = _copied(number, over)
    games = {name: f't."{name}"' for name in _columns(Game)}
    games["id"] = f"'{COPY}' || {number}"
    age = f"({stored + count} - {number}) * {APART}"
    for column in ("created", "updated"):
        games[column] = (
            f"strftime('%Y-%m-%d %H:%M:%f', t.{column}, '-' || ({age}) || ' seconds')"
            if is_sqlite
            else f"t.{column} - ({age}) * interval '1 second'"
        )
    seats = {name: f't."{name}"' for name in _columns(Seat) if name != "id"}
    seats["game_id"] = games["id"]
    seats["listed"] = f"t.listed AND {number} BETWEEN 11 AND {FIRST} AND NOT {over}"
    seats["token_hash"] = "NULL"
    moves = {name: f't."{name}"' for name in _columns(Move) if name != "id"}
    moves["game_id"] = games["id"]
    at = "CAST(SUBSTR(s.game_id, 3) AS INTEGER)"
    player = (
        f'CASE WHEN s."index" = 0 AND {at} <= {BUSY_SEATS} THEN {BUSY} '
        f'WHEN s."index" = 1 AND {at} <= 10 THEN {FEW} ELSE ({at} + s."index") % {PLAYERS} END'
    )
    as_id = f"PRINTF('%032x', {player})" if is_sqlite else f"LPAD(TO_HEX({player}), 32, '0')::uuid"
    series = SERIES.format(n=count)
    return [
        _insert("games_game", games, f"series JOIN games_game t ON t.id = {copied}", series),
        _insert("games_seat", seats, f"series JOIN games_seat t ON t.game_id = {copied}", series),
        _insert("games_move", moves, f"series JOIN games_move t ON t.game_id = {copied}", series),
        f"INSERT INTO games_holder (seat_id, player_id, name, joined, ended) "
        f"SELECT s.id, {as_id}, '', g.created, CASE WHEN g.status = 'over' THEN g.updated END "
        f"FROM games_seat s JOIN games_game g ON g.id = s.game_id WHERE NOT s.listed "
        f"AND s.game_id LIKE '{COPY}%' AND {at} > {stored}",
    ]


def _copied(number: str, over: str) -> str:
    """Return the SQL of the id of the game that a number copies: a finished one or a running one,
    of all kinds by turns."""
    from games.models import Game

    played = Game.objects.exclude(id__startswith=COPY).order_by("created")
    cases = []
    for status, turn in ((Game.Status.OVER, number), (Game.Status.RUNNING, f"{number} / 10")):
        ids = list(played.filter(status=status).values_list("id", flat=True))
        ends = " ".join(f"WHEN {at} THEN '{game}'" for at, game in enumerate(ids))
        cases.append(f"CASE {turn} % {len(ids)} {ends} END")
    return f"CASE WHEN {over} THEN {cases[0]} ELSE {cases[1]} END"


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

    finished, kind = "/me/finished/", next(iter(all_rules()))
    return {
        "my games": "/me/",
        "finished games": finished,
        "finished, of a kind": f"{finished}?kind={kind}",
        "finished, won": f"{finished}?result=won",
        "finished, against a name": f"{finished}?name=player",
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
        took, waited = (sorted(times)[len(times) // 4] * 1e3 for times in zip(*found, strict=True))
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
