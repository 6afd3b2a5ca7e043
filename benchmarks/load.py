"""The load of `benchmarks.streams`: many streams in one thread, and the site that serves them."""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import family

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "a" * 32
"""The CSRF token of both cookie and form."""
BOARD_BYTES = 1_000
"""More than the head of a stream and all heartbeats between two moves; less than any compressed
board."""


@dataclass
class Table:
    """A game in which one player, who holds all seats, plays random moves."""

    game_id: str
    position: Any
    version: int = 1
    commits: list[float] = field(default_factory=list)
    streams: list[Stream] = field(default_factory=list)

    def request(self, cookie: str, host: str) -> bytes:
        """Play the next move on the local position and return its POST request."""
        seat = min(self.position.to_move())
        move = random.choice(list(self.position.legal_moves(seat)))
        ply = self.version - 1
        self.position.play(seat, move)
        self.version += 1
        move = move.replace(" ", "+")
        body = f"csrfmiddlewaretoken={TOKEN}&seat={seat}&move={move}&ply={ply}"
        return (
            f"POST /g/{self.game_id}/move/ HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"
            "HX-Request: true\r\nAccept-Encoding: gzip\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode()


class Stream:
    """One stream and the times of its boards."""

    __slots__ = ("boards", "bytes", "path", "sock")

    def __init__(self, path: str) -> None:
        self.path = path
        self.boards: list[float] = []
        self.bytes = 0
        self.sock: socket.socket | None = None

    def take(self, size: int, now: float) -> bool:
        """Count received bytes and return whether they complete a board."""
        if size >= BOARD_BYTES:
            self.boards.append(now)
        self.bytes += size
        return size >= BOARD_BYTES


class Crowd:
    """Streams in one epoll."""

    def __init__(self, port: int, host: str) -> None:
        self._address = ("127.0.0.1", port)
        self._host = host
        self.epoll = select.epoll()
        self.by_file: dict[int, Stream] = {}

    def connect(self, streams: list[Stream], cookie: str = "", *, has: int = 0) -> None:
        """Connect streams and send their requests; `turn` reads the answers."""
        for stream in streams:
            sock = socket.socket()
            sock.setblocking(False)
            with suppress(BlockingIOError):
                sock.connect(self._address)
            stream.sock = sock
            self.by_file[sock.fileno()] = stream
            self.epoll.register(sock.fileno(), select.EPOLLOUT)
        self._cookie, self._has = cookie, has

    def _send_request(self, stream: Stream) -> None:
        assert stream.sock is not None
        stream.sock.sendall(
            (
                f"GET {stream.path}?has={self._has} HTTP/1.1\r\nHost: {self._host}\r\n"
                "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36\r\n"
                "Accept: text/event-stream\r\nAccept-Encoding: gzip, deflate, br\r\n"
                "Accept-Language: en-US,en;q=0.9\r\nCache-Control: no-cache\r\n"
                f"Cookie: {self._cookie}\r\n\r\n"
            ).encode()
        )
        self.epoll.modify(stream.sock.fileno(), select.EPOLLIN)

    def turn(self, seconds: float) -> Iterator[tuple[Stream | int, bool]]:
        """Read everything that is ready. Yield each ready stream with whether it got a board, and
        the descriptors of other ready files."""
        for file, event in self.epoll.poll(seconds, 1024):
            stream = self.by_file.get(file)
            if stream is None:
                yield file, False
            elif event & select.EPOLLOUT:
                self._send_request(stream)
            else:
                assert stream.sock is not None
                content = stream.sock.recv(65536)
                if not content:
                    raise ConnectionError(f"the stream of {stream.path} has ended")
                yield stream, stream.take(len(content), time.monotonic())

    def hang_up(self) -> None:
        """End all streams at once."""
        for file, stream in self.by_file.items():
            self.epoll.unregister(file)
            assert stream.sock is not None
            stream.sock.close()
        self.by_file.clear()


# --- the site -----------------------------------------------------------------------------------


@dataclass
class RunningSite:
    """A running site: the process of its server, its games, and the cookie of their player."""

    pid: int
    port: int
    data: Path
    tables: list[Table]
    cookie: str

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def memory(self) -> int:
        """Return the resident bytes of the server."""
        return family.resident(self.pid)

    def seconds(self) -> float:
        """Return the processor time of the server."""
        return family.seconds(self.pid)


@contextmanager
def run_site(data: Path, games: int, kind: str, processes: int) -> Iterator[RunningSite]:
    """Create games of a kind in a data folder and serve them with a number of processes."""
    environment = {"BOARDSITE_DATA": str(data), "BOARDSITE_RATE_LIMITS": "0"}
    os.environ.update(environment, DJANGO_SETTINGS_MODULE="boardsite.settings")
    tables, cookie = _set_up(games, kind)
    command = [sys.executable, "manage.py", "serve", "--port", "0", "--computers", "0"]
    command += ["--processes", str(processes)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+) ", server.stdout.readline())
        if found is None:
            raise RuntimeError("the site did not start")
        site = RunningSite(server.pid, int(found[1]), data, tables, cookie)
        _wait_for(site)
        yield site
    finally:
        server.terminate()
        server.wait()


def _set_up(games: int, kind: str) -> tuple[list[Table], str]:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.http import HttpResponse

    from games.core.registry import all_rules
    from games.services import players, setup
    from games.state.snapshot import read_snapshot
    from games.web.player_cookie import set_player_cookie

    call_command("migrate", verbosity=0)
    player = players.new_player(name="Olive")
    rules = all_rules()[kind]
    seating = {spec.key: "me" for spec in rules.seats(rules.clean({}))}
    made = [
        setup.create_game(
            player=player, new=setup.NewGame(rules=rules, options={}, seating=seating)
        )
        for _ in range(games)
    ]
    tables = [Table(game.id, read_snapshot(game.id).at(0).copy()) for game in made]
    connection.close()
    cookies = set_player_cookie(HttpResponse(), player).cookies
    known = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
    return tables, f"{known}; csrftoken={TOKEN}"


def _wait_for(site: RunningSite) -> None:
    """Wait until the site answers. It listens before it can answer."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=120) as first:
        first.sendall(f"GET /settings/ HTTP/1.1\r\nHost: {site.host}\r\n\r\n".encode())
        first.recv(100)


# --- the time of commits -------------------------------------------------------------------------


@contextmanager
def commit_clock(site: RunningSite) -> Iterator[None]:
    """Record the commit times of all moves, from the hints on the site's bus.

    A separate process listens, so that neither this one nor the site delays it."""
    ours, theirs = multiprocessing.Pipe()
    clock = multiprocessing.get_context("spawn").Process(
        target=_note_hints, args=(str(site.data / "live" / "clock"), theirs), daemon=True
    )
    clock.start()
    theirs.close()
    ours.recv()
    try:
        yield
        ours.send("stop")
        noted = ours.recv()
        for table in site.tables:
            table.commits = noted.get(table.game_id, [])
    finally:
        clock.terminate()
        clock.join()


def _note_hints(path: str, pipe: Any) -> None:
    noted: dict[str, list[float]] = {}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as bus:
        bus.bind(path)
        bus.settimeout(0.05)
        pipe.send("ready")
        while not pipe.poll():
            with suppress(TimeoutError):
                news = bus.recv(200).split()
                # The bus also carries presence, in messages of more words.
                if len(news) == 2:
                    noted.setdefault(news[0].decode(), []).append(time.monotonic())
    Path(path).unlink()
    pipe.send(noted)
