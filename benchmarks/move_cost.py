"""Measure the processor time of the parts of a move: ``python -m benchmarks.move_cost [KIND ...]``.

One thread plays random games through the real WSGI application: middleware, CSRF, rate limits, a
SQLite file, durable commits, the whole board as HTML, gzip. Times are thread CPU times
(``time.thread_time``), which a busy machine changes little. The time of a part is that of its
functions without the parts that they call, so the parts add up to the whole. ``--profile`` prints
the functions that take the most time, ``--counts`` the counts that a test compares with
docs/benchmarks.md. With ``--instructions``, below ``valgrind --tool=callgrind --instr-atstart=no``,
Valgrind prints the number of instructions of 35 moves.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pkgutil
import pstats
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import django

from tests.support.servers.site_process import environment

MOVES_PER_ROUND = 60
COUNTED_MOVES = 35
"""Moves whose instructions Valgrind counts: the same ones in every run."""
REST = "Django and middleware around the view"
PARTS = {
    "the view: form, seats, response": [
        "games.views.play.moves.require_player",
        "games.views.play.moves.board_response",
    ],
    "transaction, locks, snapshot": ["games.services.play.play_move"],
    "the row of the game, read": ["games.services.play.lock_snapshot"],
    "the rules: copy the position, play": [
        "games.contract.Position.copy",
        "games.contract.Position.play",
    ],
    "both rows, written": ["games.services.play.insert_row", "games.services.play.update_row"],
    "flush (processor only)": ["games.storage.group_commit._fdatasync"],
    "values of the page": ["games.presentation.game_page.build_page"],
    "templates": ["games.presentation.game_page.render"],
    "cells of the board": ["games.presentation.board_html.render_rows"],
    "gzip": ["boardsite.middleware.gzip"],
}
"""The functions of each part, by the names under which they are called."""


def main() -> None:
    """Measure, and print a table for each kind of game."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kinds", nargs="*", help="kinds of game, by their folders' names; all")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--profile", action="store_true", help="print the dearest functions")
    parser.add_argument("--counts", action="store_true", help="print the table of the document")
    parser.add_argument("--instructions", action="store_true", help="let Valgrind count them")
    parser.add_argument(
        "--each-seat", action="store_true", help="a browser for each seat: no tree of steps"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(environment(Path(folder)), BOARDSITE_RATE_LIMITS="1")
        django.setup()
        from django.core.management import call_command

        from games.core.registry import all_rules

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        for kind in arguments.kinds or sorted(all_rules()):
            _report(kind, arguments)


def _report(kind: str, arguments: argparse.Namespace) -> None:
    from games.core.registry import all_rules
    from tests.support.move_counts import count_moves
    from tests.support.move_player import MovePlayer

    rules = all_rules()[kind]
    if arguments.counts:
        counts = count_moves(rules)
        print(f"| {rules.name} |", " | ".join(f"{n:,}" for n in counts), "|")
        return
    if arguments.instructions:
        _count_instructions(lambda: MovePlayer(rules, each_seat=arguments.each_seat))
        return
    player = MovePlayer(rules, each_seat=arguments.each_seat)
    _play(player)
    if arguments.profile:
        _profile(player)
    else:
        _print_parts(kind, player, arguments.rounds)


def _play(player: Any) -> float:
    """Play some moves; return the processor seconds of one."""
    spent = 0.0
    for _ in range(MOVES_PER_ROUND):
        request = player.next_request()
        began = time.thread_time()
        player.send(request)
        spent += time.thread_time() - began
    return spent / MOVES_PER_ROUND


def _count_instructions(make: Callable[[], Any]) -> None:
    """Let Valgrind count the last of three times that new players play the same moves."""
    for switches in ((), (), ("on", "off")):
        player = make()
        requests = [player.next_request() for _ in range(COUNTED_MOVES)]
        _switch(*switches[:1])
        for request in requests:
            player.send(request)
        _switch(*switches[1:])


def _switch(*states: str) -> None:
    for state in states:
        subprocess.run(["callgrind_control", "-i", state, str(os.getpid())], check=True)


# --- parts ------------------------------------------------------------------------------------


class _Clock:
    """Adds up the processor time of each part, without the parts inside it."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._inner = [0.0]

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time counted for ``part``."""

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            self._inner.append(0.0)
            began = time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                spent = time.thread_time() - began
                self.spent[part] += spent - self._inner.pop()
                self._inner[-1] += spent

        return wrapper

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Count the time of all parts."""
        with ExitStack() as patches:
            for part, names in PARTS.items():
                for name in names:
                    timed = self.timed(part, pkgutil.resolve_name(name))
                    patches.enter_context(patch(name, timed))
            yield


def _print_parts(kind: str, player: Any, rounds: int) -> None:
    whole: list[float] = []
    parts: dict[str, list[float]] = {name: [] for name in [REST, *PARTS]}
    for _ in range(rounds):
        whole.append(_play(player))
        clock = _Clock()
        with clock.installed():
            total = _play(player)
        parts[REST].append(total - sum(clock.spent.values()) / MOVES_PER_ROUND)
        for name in PARTS:
            parts[name].append(clock.spent[name] / MOVES_PER_ROUND)
    print(f"{kind}: processor time of a move in one thread")
    print(f"{1000 * statistics.median(whole):8.2f} ms  all of it")
    for name, times in parts.items():
        print(f"{1000 * statistics.median(times):8.2f} ms  {name}")


def _profile(player: Any) -> None:
    profile = cProfile.Profile(time.thread_time)
    for _ in range(10):
        with profile:
            _play(player)
    stats = pstats.Stats(profile)
    stats.sort_stats("tottime").print_stats(45)
    stats.sort_stats("cumtime").print_stats("(games|boardsite|templates)/", 60)


if __name__ == "__main__":
    main()
