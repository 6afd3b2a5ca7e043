"""The work of a move in numbers that no load of the machine changes: calls, queries, bytes."""

from __future__ import annotations

import cProfile
import pstats
from contextlib import nullcontext
from gzip import decompress
from typing import Any, NamedTuple

from django.db import connection

from games.contract import Rules
from tests.support.move_player import MovePlayer

MOVES = 20
"""Moves that are counted: the first ones of a random game."""
GZIP_HEADER = 10


class MoveCounts(NamedTuple):
    """Means of a move: calls of functions, Python's own included; queries; bytes of the board in
    the answer, and compressed."""

    calls: int
    queries: int
    html: int
    gzip: int


def count_moves(rules: Rules, *, each_seat: bool = False) -> MoveCounts:
    """Play the same moves three times: the first time fills the caches of the process.

    ``each_seat`` as in `MovePlayer`."""
    _play(rules, each_seat)
    queries: list[str] = []
    with connection.execute_wrapper(_logging(queries)):
        _play(rules, each_seat)
    profile = cProfile.Profile()
    bodies = _play(rules, each_seat, profile)
    stats: Any = pstats.Stats(profile)
    return MoveCounts(
        calls=stats.total_calls // MOVES,
        queries=len(queries) // MOVES,
        html=sum(len(decompress(body)) for body in bodies) // MOVES,
        gzip=sum(len(body) - body.index(b"\0", GZIP_HEADER) for body in bodies) // MOVES,
    )


def _logging(queries: list[str]) -> Any:
    def wrapper(execute: Any, sql: str, *args: Any) -> Any:
        queries.append(sql)
        return execute(sql, *args)

    return wrapper


def _play(rules: Rules, each_seat: bool, profile: cProfile.Profile | None = None) -> list[bytes]:
    player, bodies = MovePlayer(rules, each_seat=each_seat), []
    for request in [player.next_request() for _ in range(MOVES)]:
        with profile or nullcontext():
            bodies.append(player.send(request))
    return bodies
