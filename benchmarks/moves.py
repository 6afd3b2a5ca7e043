"""Measure moves per second: ``python -m benchmarks.moves [KIND ...]``, with --help for options.

Method. The site runs as `manage.py serve` does, in --processes on 127.0.0.1, on a database of its
own: a SQLite file (its log is flushed to the disk before a move is answered), or the PostgreSQL
of --database. N games are played at once, each by the browsers of its seats,
which move in turn as soon as they have an answer, so N moves are always under way. The games are
complete and legal, drawn at random before the clock starts. A move is the request of htmx, with
session, token and cookies, and its answer is the whole board. All players are in one other process,
on the same machine. Each figure is the median of several runs; "processor" is the processor time of
the server for one move.

With Node.js the server of the npm package boardgame.io is measured too: the same games, played as
its own client plays (its lobby, then socket.io), with matches in memory, or in files that it does
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import django
import uvloop

from benchmarks import family
from benchmarks.players import BoardgameTable, Measured, Plies, SiteTable, Table, play_all
from tests.support.servers.site_process import Site, environment

if TYPE_CHECKING:
    from games.contract import Position, Rules

PEERS = Path(__file__).resolve().parent / "peers"
Seated = tuple[Table, Plies]
MakeTables = Callable[[int], Sequence[Seated]]
LONG, ATTEMPTS = 40, 20
"""The number of plies of a game that is long enough, and of attempts to draw one."""


def main() -> None:
    """Measure and print a table."""
    arguments = _arguments()
    if arguments.database:
        os.environ["DATABASE_URL"] = arguments.database
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        os.environ.update(environment(data), BOARDSITE_RATE_LIMITS="0")
        django.setup()
        from games.core.registry import all_rules

        print(_method(arguments))
        print(
            f"{'server':<23} {'game':<16} {'at once':>7} {'moves/s':>8} {'p50':>8} {'p99':>9}"
            f" {'processor':>10} {'bytes':>8}"
        )
        kinds = arguments.kinds or sorted(all_rules())
        with our_site(data, arguments.processes) as site:
            for kind in kinds:
                options = largest_options(kind) if arguments.largest else {}
                if arguments.largest and not options:
                    continue
                make = partial(site.tables, kind, options)
                _measure(
                    f"this site, {_database()}", _named(kind, options), site.pid, make, arguments
                )
        for kind in () if arguments.alone or arguments.largest else kinds:
            for name, files in (("in memory", []), ("in files", [str(data / "peer")])):
                _measure_peer(f"boardgame.io, {name}", kind, files, arguments)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kinds", nargs="*", help="kinds of game, by their folders' names; all")
    parser.add_argument("--largest", action="store_true", help="on the largest boards")
    parser.add_argument("--tables", type=int, nargs="+", default=[4, 16, 32, 64])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0, help="the longest a run takes")
    parser.add_argument("--processes", type=int, default=1, help="web processes of the site")
    parser.add_argument("--database", default="", help="postgres://…: measure on this one")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    return parser.parse_args()


def largest_options(kind: str) -> dict[str, int]:
    """Return the options of the largest board: every number at its upper limit, except those that
    add seats."""
    from games.core.registry import all_rules

    rules = all_rules()[kind]

    def seats(options: dict[str, int]) -> int:
        return len(rules.seats(rules.clean(options)))

    largest = [{option.name: option.high} for option in rules.options if option.kind == "number"]
    return {
        name: high
        for option in largest
        for name, high in option.items()
        if seats(option) == seats({})
    }


def _named(kind: str, options: Mapping[str, int]) -> str:
    return " ".join([kind, "x".join(map(str, options.values()))]).strip()


# --- games ----------------------------------------------------------------------------------------


def complete_games(kind: str, count: int) -> list[Plies]:
    """Return complete random games of a kind, the same ones in every run."""
    from games.core.registry import all_rules

    rules, rng = all_rules()[kind], random.Random(1)
    options = rules.clean({})
    seats = [spec.key for spec in rules.seats(options)]
    return [_playout(rules.start(rules.deal(options, rng)), seats, rng) for _ in range(count)]


def long_game(position: Position, seats: Sequence[str], rng: random.Random) -> Plies:
    """Return a random game that is long enough, since some are over at once."""
    plies: Plies = []
    for _ in range(ATTEMPTS):
        plies = max(plies, _playout(position.copy(), seats, rng), key=len)
        if len(plies) >= LONG:
            break
    return plies


def _playout(position: Position, seats: Sequence[str], rng: random.Random) -> Plies:
    plies = []
    while to_move := position.to_move():
        seat = min(to_move)
        move = rng.choice(sorted(position.legal_moves(seat)))
        position.play(seat, move)
        plies.append((seats.index(seat), move))
    return plies


# --- servers --------------------------------------------------------------------------------------


class OurSite:
    """This site as a process of its own, and the browsers of its players."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid, self._port = pid, port
        self._cookies: list[tuple[Any, str]] = []
        self._rng = random.Random(1)

    def tables(self, kind: str, options: Mapping[str, int], count: int) -> list[Seated]:
        """Return new games, with all moves to be played in them."""
        from games.core.registry import all_rules

        rules = all_rules()[kind]
        return [self._table(rules, options) for _ in range(count)]

    def _table(self, rules: Rules, options: Mapping[str, int]) -> Seated:
        from games.services import setup
        from games.services.seats import claim_seat, invitation_token
        from games.state.snapshot import read_snapshot

        seats = [spec.key for spec in rules.seats(rules.clean(options))]
        players = [self._player(number) for number in range(len(seats))]
        game = setup.create_game(
            player=players[0][0],
            new=setup.NewGame(
                rules=rules,
                options=options,
                seating={seat: "invite" if number else "me" for number, seat in enumerate(seats)},
            ),
            rng=self._rng,
        )
        for seat, (player, _) in zip(seats[1:], players[1:], strict=True):
            token = invitation_token(game.seats.get(key=seat))
            claim_seat(token=token, player=player)
        plies = long_game(read_snapshot(game.id).position, seats, self._rng)
        return SiteTable(self._port, game.id, seats, [cookie for _, cookie in players]), plies

    def _player(self, number: int) -> tuple[Any, str]:
        """Return a player and the cookie of the browser."""
        from django.http import HttpResponse

        from games.services.players import new_player
        from games.web.player_cookie import set_player_cookie

        while len(self._cookies) <= number:
            player = new_player(name=f"Olive {len(self._cookies)}")
            jar = set_player_cookie(HttpResponse(), player).cookies
            cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())
            self._cookies.append((player, cookie))
        return self._cookies[number]


@contextmanager
def our_site(data: Path, processes: int) -> Iterator[OurSite]:
    """Run the site."""
    site = Site(data, "--computers", "0", "--processes", str(processes))
    try:
        port = urlsplit(site.start()).port or 80
        yield OurSite(_pid(site.process), port)
    finally:
        site.stop()


def _program(kind: str) -> Path:
    return PEERS / f"{kind}_boardgame_io.js"


def peer_is_missing(kind: str) -> str:
    """Return why boardgame.io cannot be measured; '' if it can."""
    if not _program(kind).exists():
        return "left out: benchmarks/peers has no program of this game."
    if shutil.which("node") is None:
        return "left out: Node.js is missing."
    if not (PEERS / "node_modules").exists():
        return "left out: run `npm ci --prefix benchmarks/peers` first."
    return ""


@contextmanager
def peer(kind: str, arguments: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Run the server of boardgame.io and yield its process id and port."""
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
    name: str, kind: str, arguments: Sequence[str], chosen: argparse.Namespace
) -> None:
    if why_not := peer_is_missing(kind):
        print(f"{name}: {why_not}")
        return
    games = complete_games(kind, max(chosen.tables))
    with peer(kind, arguments) as (pid, port):
        make = lambda count: [(BoardgameTable(port, kind), game) for game in games[:count]]  # noqa: E731
        _measure(name, kind, pid, make, chosen)


# --- figures --------------------------------------------------------------------------------------


def _measure(
    name: str, game: str, pid: int, make: MakeTables, arguments: argparse.Namespace
) -> None:
    """Print a line for each number of tables, after a short warm-up run."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        clock = partial(family.seconds, pid)
        runner.run(play_all(make(min(arguments.tables)), 1.0, clock))
        for count in arguments.tables:
            runs = [
                runner.run(play_all(make(count), arguments.seconds, clock))
                for _ in range(arguments.runs)
            ]
            print(f"{name:<23} {game:<16} {count:>7} {_medians(runs)}", flush=True)


def _medians(runs: Sequence[Measured]) -> str:
    rate = statistics.median(run.rate for run in runs)
    size = statistics.median(run.size for run in runs)
    p50, p99, used = (
        statistics.median(getattr(run, name) for run in runs) * 1e3
        for name in ("p50", "p99", "used")
    )
    return f"{rate:>8.0f} {p50:>5.1f} ms {p99:>6.1f} ms {used:>7.2f} ms {size:>8,.0f}"


def _pid(process: subprocess.Popen[bytes] | None) -> int:
    if process is None:
        raise RuntimeError("the site is not running")
    return process.pid


def _database() -> str:
    from django.db import connection

    return "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"


def _method(arguments: argparse.Namespace) -> str:
    versions = f"Python {platform.python_version()}, Django {django.__version__}"
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    return (
        f"Random complete games; medians of {arguments.runs} runs. {os.cpu_count()} "
        f"processors, {platform.system()}, {versions}, SQLite {sqlite3.sqlite_version}, "
        f"load before {load}."
    )


if __name__ == "__main__":
    main()
