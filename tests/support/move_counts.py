"""The work of a move in numbers that no load of the machine changes: calls, queries, bytes."""

from __future__ import annotations

import cProfile
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
    """Means of a move: calls of functions, Python's own included, with the board of the player to
    move in the answer, and with that of another player, without the tree of steps; queries; bytes
    of the first of these boards, and compressed."""

    calls: int
    calls_without_tree: int
    queries: int
    html: int
    gzip: int


def count_moves(rules: Rules) -> MoveCounts:
    """Play the same moves several times: the first time fills the caches of the process."""
    _play(rules)
    queries: list[str] = []
    with connection.execute_wrapper(_logging(queries)):
        _play(rules)
    profile = cProfile.Profile()
    bodies = _play(rules, profile)
    _play(rules, each_seat=True)
    without_tree = cProfile.Profile()
    _play(rules, without_tree, each_seat=True)
    return MoveCounts(
        calls=_calls(profile),
        calls_without_tree=_calls(without_tree),
        queries=len(queries) // MOVES,
        html=sum(len(decompress(body)) for body in bodies) // MOVES,
        gzip=sum(map(_length, bodies)) // MOVES,
    )


def _length(body: bytes) -> int:
    """Return the bytes of a compressed board without its header of random length; 0 for an empty
    answer, which leads a shared device to a page without secrets."""
    return len(body) - body.index(b"\0", GZIP_HEADER) if body else 0


def _calls(profile: cProfile.Profile) -> int:
    """Return the calls of a move. `pstats` would count one of several functions of the same name,
    line and file, such as the constructors of dataclasses."""
    profile.disable()
    calls: int = sum(entry.callcount for entry in profile.getstats())
    return calls // MOVES


def _logging(queries: list[str]) -> Any:
    def wrapper(execute: Any, sql: str, *args: Any) -> Any:
        queries.append(sql)
        return execute(sql, *args)

    return wrapper


def _play(
    rules: Rules, profile: cProfile.Profile | None = None, *, each_seat: bool = False
) -> list[bytes]:
    player, bodies = MovePlayer(rules, each_seat=each_seat), []
    for request in [player.next_request() for _ in range(MOVES)]:
        player.mark(request)
        with profile or nullcontext():
            bodies.append(player.send(request))
    return bodies
