"""Measure moves per second: ``python -m benchmarks.moves KIND``, with --help for options.

Method. The site runs as `manage.py serve` does, in --processes on 127.0.0.1, on a database of its
own: a SQLite file (its log is flushed to the disk before a move is answered), or the PostgreSQL
of --database. N games are played at once, each by two browsers that move in turn as soon as they
have an answer, so N moves are always under way. The games are complete and legal, drawn at random
before the clock starts. A move is the request of htmx, with session, token and cookies, and its
answer is the whole board. All players are in one other process, on the same machine. Each figure is
the median of several runs; "processor" is the processor time of the server for one move.

With Node.js the server of the npm package boardgame.io is measured too: the same games, played as
its own client does (its lobby, then socket.io), with matches in memory, or in files that it does
not flush to the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import django
import uvloop

from benchmarks import family
from benchmarks.players import BoardgameTable, Measured, Plies, SiteTable, Table, play_all
from tests.support.site_process import Site, environment

PEERS = Path(__file__).resolve().parent / "peers"
MakeTables = Callable[[int], Sequence[Table]]


def main() -> None:
    """Measure and print a table."""
    asked = _arguments()
    if asked.database:
        os.environ["DATABASE_URL"] = asked.database
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        os.environ.update(environment(data), BOARDSITE_RATE_LIMITS="0")
        django.setup()
        games = complete_games(asked.kind, max(asked.tables))
        print(_method(asked))
        print(
            f"{'server':<26} {'at once':>7} {'moves/s':>8} {'p50':>8} {'p99':>8} {'processor':>10}"
        )
        with our_site(data, asked.kind, asked.processes) as (pid, tables):
            _measure(f"this site, {_database()}", pid, tables, games, asked)
        for name, arguments in (("in memory", []), ("in files", [str(data / "peer")])):
            if not asked.alone:
                _measure_peer(f"boardgame.io, {name}", arguments, games, asked)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", help="kind of game, by its folder's name; one of two seats")
    parser.add_argument("--tables", type=int, nargs="+", default=[4, 16, 32, 64])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0, help="the longest a run takes")
    parser.add_argument("--processes", type=int, default=1, help="web processes of the site")
    parser.add_argument("--database", default="", help="postgres://…: measure on this one")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    return parser.parse_args()


def complete_games(kind: str, count: int) -> list[Plies]:
    """Return complete random games of a kind, the same ones in every run."""
    from games.registry import all_rules

    rules, rng = all_rules()[kind], random.Random(1)
    options = rules.clean({})
    seats = [spec.key for spec in rules.seats(options)]
    games: list[Plies] = []
    for _ in range(count):
        position, plies = rules.start(rules.deal(options, rng)), []
        while to_move := position.to_move():
            seat = min(to_move)
            move = rng.choice(list(position.legal_moves(seat)))
            position.play(seat, move)
            plies.append((seats.index(seat), move))
        games.append(plies)
    return games


# --- servers --------------------------------------------------------------------------------------


@contextmanager
def our_site(data: Path, kind: str, processes: int) -> Iterator[tuple[int, MakeTables]]:
    """Run the site in a process and yield its id and a function that creates tables."""
    site = Site(data, "--computers", "0", "--processes", str(processes))
    try:
        port = urlsplit(site.start()).port or 80
        cookies = _two_players()
        yield (
            _pid(site.process),
            lambda count: [
                SiteTable(port, *_new_game(kind, list(cookies)), list(cookies.values()))
                for _ in range(count)
            ],
        )
    finally:
        site.stop()


def _two_players() -> dict[str, str]:
    """Create two players and return the cookies of their browsers by player id."""
    from django.http import HttpResponse

    from games import services
    from games.web.player_cookie import set_player_cookie

    players = [services.new_player(name=name) for name in ("Olive", "Basil")]
    cookies = [set_player_cookie(HttpResponse(), player).cookies for player in players]
    return {
        str(player.pk): "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())
        for player, jar in zip(players, cookies, strict=True)
    }


def _new_game(kind: str, player_ids: Sequence[str]) -> tuple[str, list[str]]:
    """Create a game of two players and return its id and its seats."""
    from games import services
    from games.models import Player
    from games.registry import all_rules

    first, second = (Player.objects.get(pk=each) for each in player_ids)
    rules = all_rules()[kind]
    seats = [spec.key for spec in rules.seats(rules.clean({}))]
    game = services.create_game(
        player=first, rules=rules, options={}, seating={seats[0]: "me", seats[1]: "invite"}
    )
    token = services.invitation_token(game.seats.get(key=seats[1]))
    services.claim_seat(token=token, player=second)
    return game.id, seats


def _program(kind: str) -> Path:
    return PEERS / f"{kind}_boardgame_io.js"


def peer_is_missing(kind: str) -> str:
    """Return why the peer cannot be measured; '' if it can."""
    if not _program(kind).exists():
        return "left out: benchmarks/peers has no program of this game."
    if shutil.which("node") is None:
        return "left out: Node.js is missing."
    if not (PEERS / "node_modules").exists():
        return "left out: run `npm ci --prefix benchmarks/peers` first."
    return ""


@contextmanager
def peer(kind: str, arguments: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Run the server of the peer and yield its process id and port."""
    command = ["node", str(_program(kind)), *arguments]
    quiet = {**os.environ, "NODE_ENV": "production"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=quiet) as process:
        try:
            port = next((line for line in process.stdout or () if line.startswith("port ")), "")
            if not port:
                raise RuntimeError(f"{command[1]} did not start")
            yield process.pid, int(port.split()[1])
        finally:
            process.terminate()


def _measure_peer(
    name: str, arguments: Sequence[str], games: Sequence[Plies], asked: argparse.Namespace
) -> None:
    if why_not := peer_is_missing(asked.kind):
        print(f"{name}: {why_not}")
    else:
        with peer(asked.kind, arguments) as (pid, port):
            make = lambda count: [BoardgameTable(port, asked.kind) for _ in range(count)]  # noqa: E731
            _measure(name, pid, make, games, asked)


# --- figures --------------------------------------------------------------------------------------


def _measure(
    name: str, pid: int, make: MakeTables, games: Sequence[Plies], asked: argparse.Namespace
) -> None:
    """Print a line for each number of tables, after a short warm-up run."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        clock = partial(family.seconds, pid)
        runner.run(play_all(make(min(asked.tables)), games[: min(asked.tables)], 1.0, clock))
        for count in asked.tables:
            runs = [
                runner.run(play_all(make(count), games[:count], asked.seconds, clock))
                for _ in range(asked.runs)
            ]
            print(f"{name:<26} {count:>7} {_medians(runs)}", flush=True)


def _medians(runs: Sequence[Measured]) -> str:
    rate = statistics.median(run.rate for run in runs)
    p50, p99, used = (
        statistics.median(getattr(run, name) for run in runs) * 1e3
        for name in ("p50", "p99", "used")
    )
    return f"{rate:>8.0f} {p50:>5.1f} ms {p99:>5.1f} ms {used:>7.2f} ms"


def _pid(process: subprocess.Popen[bytes] | None) -> int:
    if process is None:
        raise RuntimeError("the site is not running")
    return process.pid


def _database() -> str:
    from django.db import connection

    return "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"


def _method(asked: argparse.Namespace) -> str:
    versions = f"Python {platform.python_version()}, Django {django.__version__}"
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"Random complete games of {asked.kind}; medians of {asked.runs} runs. {os.cpu_count()} "
        f"processors, {platform.system()}, {versions}, SQLite {sqlite3.sqlite_version}, "
        f"load before {load}."
    )


if __name__ == "__main__":
    main()
