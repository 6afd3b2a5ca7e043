"""Two processes of one site, on SQLite or PostgreSQL, agree on the order of moves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from games.core.registry import all_rules
from tests.support.kinds import two_player_rules
from tests.support.servers.resilient_play import ResilientGame
from tests.support.servers.site_process import Site, query_database, share_static

pytestmark = [pytest.mark.processes, pytest.mark.services]

CONCURRENT_MOVES = 64


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, site: str, site_data: Path) -> Path:
    folder = tmp_path_factory.mktemp("pair")
    share_static(folder, site_data)
    return folder


@pytest.fixture(scope="module", params=["REDIS_URL", ""], ids=["redis", "without"])
def pair(request, data: Path) -> Iterator[tuple[str, str]]:
    """Run two processes on ``data``, with or without Redis, and return their addresses."""
    if request.param and request.param not in os.environ:
        pytest.skip(f"{request.param} is not set")
    redis_url = os.environ.get(request.param, "")
    variables = {"BOARDSITE_RATE_LIMITS": "0", "REDIS_URL": redis_url}
    both = [Site(data, "--computers", "0", **variables) for _ in range(2)]
    try:
        yield both[0].start(), both[1].start()
    finally:
        for process in both:
            process.stop()


def test_exactly_one_of_64_concurrent_moves_is_played(pair, data):
    table = ResilientGame(pair[0], data, two_player_rules())
    seat = min(table.position.to_move())
    moves = list(table.position.legal_moves(seat))

    def post(number: int) -> int:
        table.browser.base = pair[number % 2]
        return table.post(seat, moves[number // 2 % len(moves)]).status

    # The same move, sent several times to both processes, is played once and accepted each time.
    with ThreadPoolExecutor(CONCURRENT_MOVES) as pool:
        statuses = list(pool.map(post, range(CONCURRENT_MOVES)))
    assert set(statuses) == {200, 409}
    query = "SELECT ply, text FROM games_move WHERE game_id = ?"
    [(ply, played)] = query_database(data, query, table.game_id)
    assert ply == 1
    accepted = {moves[n // 2 % len(moves)] for n, status in enumerate(statuses) if status == 200}
    assert accepted == {played}


@pytest.mark.parametrize("slug", all_rules())
def test_a_game_is_played_at_both_processes_in_turn(pair, data, slug):
    table, rng = ResilientGame(pair[0], data, all_rules()[slug]), Random(1)
    while table.position.to_move() and table.ply < 20:
        table.browser.base = pair[table.ply % 2]
        table.play(rng)
    for address in pair:
        table.browser.base = address
        assert f'data-ply="{table.ply}"' in table.browser.get(table.path).text
