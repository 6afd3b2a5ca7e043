"""Where the processor time of one move goes: ``python -m benchmarks.move_cost KIND``.

One thread plays random games through the real WSGI application: middleware, sessions, CSRF, rate
limits, a SQLite file, durable commits, the whole board as HTML, gzip. Times are thread CPU times
(``time.thread_time``), so that a busy machine changes little. Parts are measured by replacing a
part with nothing and subtracting, each in turns with the whole, so that a drift of the machine
meets both alike. ``--profile`` prints the functions that take the most.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch
from urllib.parse import urlencode

import django

from tests.support.site_process import environment

TOKEN = "a" * 32
MOVES_PER_ROUND = 60


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", help="kind of game, by its folder's name")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(environment(Path(folder)), BOARDSITE_RATE_LIMITS="1")
        django.setup()
        player = _Player(asked.kind)
        player.round()
        if asked.profile:
            _profile(player)
        else:
            _print_parts(asked.kind, player, asked.rounds)


class _Player:
    """A browser that holds all seats of its games and plays them at random."""

    def __init__(self, kind: str) -> None:
        from django.core.management import call_command
        from django.http import HttpResponse

        from boardsite.wsgi import application
        from games import rate_limits, services
        from games.registry import all_rules
        from games.web.player_cookie import set_player_cookie

        # Limits are counted, and never reached.
        for limit in vars(rate_limits).values():
            if isinstance(limit, rate_limits.RateLimit):
                limit.limit = 10**9
        call_command("migrate", verbosity=0)
        self._application = application
        self._services = services
        self._rules = all_rules()[kind]
        self._player = services.new_player(name="Olive")
        cookies = set_player_cookie(HttpResponse(), self._player).cookies
        known = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
        self._cookie = f"{known}; csrftoken={TOKEN}"
        self._rng = random.Random(1)
        self._game: Any = None
        self._position: Any = None
        self._ply = 0
        self.bytes_sent = 0

    def round(self) -> float:
        """Play some moves; return the processor seconds of one request."""
        spent = 0.0
        for _ in range(MOVES_PER_ROUND):
            environ = self._next_request()
            began = time.thread_time()
            self._answer(environ)
            spent += time.thread_time() - began
        return spent / MOVES_PER_ROUND

    def _next_request(self) -> dict[str, Any]:
        if self._position is None or not self._position.to_move():
            self._new_game()
        seat = min(self._position.to_move())
        move = self._rng.choice(list(self._position.legal_moves(seat)))
        self._position.play(seat, move)
        sent = {"csrfmiddlewaretoken": TOKEN, "seat": seat, "move": move, "ply": self._ply}
        self._ply += 1
        body = urlencode(sent).encode()
        return {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": f"/g/{self._game.id}/move/",
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_HOST": "localhost",
            "HTTP_COOKIE": self._cookie,
            "HTTP_HX_REQUEST": "true",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(body),
            "wsgi.errors": BytesIO(),
            "wsgi.version": (1, 0),
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }

    def _new_game(self) -> None:
        from games.snapshot import read_snapshot

        seats = self._rules.seats(self._rules.clean({}))
        self._game = self._services.create_game(
            player=self._player,
            rules=self._rules,
            options={},
            seating={spec.key: "me" for spec in seats},
            rng=self._rng,
        )
        self._position, self._ply = read_snapshot(self._game.id).position.copy(), 0

    def _answer(self, environ: dict[str, Any]) -> None:
        status = []

        def start_response(line: str, headers: list[tuple[str, str]], _: Any = None) -> None:
            status.append(line)

        chunks = cast(Any, self._application)(environ, start_response)
        self.bytes_sent = len(b"".join(chunks))
        chunks.close()
        if not status[0].startswith("200"):
            raise AssertionError(f"the move was answered {status[0]}")


# --- parts ------------------------------------------------------------------------------------


@contextmanager
def _without_html() -> Iterator[None]:
    """Answer a move with constant text as long as a board."""
    with patch("games.views.responses.render_update", lambda *_: _CONSTANT):
        yield


@contextmanager
def _without_gzip() -> Iterator[None]:
    with patch(
        "django.middleware.gzip.GZipMiddleware.process_response", lambda _, __, answer: answer
    ):
        yield


@contextmanager
def _without_sync() -> Iterator[None]:
    with patch("games.storage.group_commit._fdatasync", lambda *_: None):
        yield


@contextmanager
def _without_view() -> Iterator[None]:
    """Answer with constant text before anything of the game is read."""
    from django.http import HttpResponse

    with patch("games.views.moves._answer", lambda *_: HttpResponse(_CONSTANT)):
        yield


_CONSTANT = b"".join(
    f"<td class='cell'>{number * 7919 % 997}</td>".encode() for number in range(400)
)

PARTS: dict[str, Callable[[], Any]] = {
    "values and HTML of the answer": _without_html,
    "gzip": _without_gzip,
    "waiting for the disk (processor only)": _without_sync,
    "the view: lock, replay, play, write, HTML": _without_view,
}


def _print_parts(kind: str, player: _Player, rounds: int) -> None:
    whole: list[float] = []
    less: dict[str, list[float]] = {name: [] for name in PARTS}
    for _ in range(rounds):
        whole.append(player.round())
        for name, without in PARTS.items():
            with without():
                less[name].append(player.round())
            # The games of constant answers are not played on.
            player._position = None
    total = statistics.median(whole)
    print(f"{kind}, one thread, {player.bytes_sent} bytes sent, processor of a move:")
    print(f"{1000 * total:8.2f} ms  all of it")
    for name, times in less.items():
        print(f"{1000 * (total - statistics.median(times)):8.2f} ms  {name}")
    rest = statistics.median(less["the view: lock, replay, play, write, HTML"])
    print(f"{1000 * rest:8.2f} ms  Django and all middleware around an empty view, gzip included")


def _profile(player: _Player) -> None:
    profile = cProfile.Profile()
    for _ in range(10):
        profile.enable()
        player.round()
        profile.disable()
    stats = pstats.Stats(profile)
    stats.sort_stats("tottime").print_stats(45)
    stats.sort_stats("cumtime").print_stats("(games|boardsite|templates)/", 60)


if __name__ == "__main__":
    main()
