"""Speed of Othello's computer player: move generation, evaluation, search, solver."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from games.othello.ai.bits import FULL, perft
from games.othello.ai.endgame import LIMIT, NODES, solve
from games.othello.ai.memory import new_memory
from games.othello.ai.openings import start
from games.othello.ai.perfect import Solver
from games.othello.ai.root import Limits, think
from games.othello.ai.table import new_table
from games.othello.ai.train.games import play
from games.othello.ai.weights import load
from tests.games.othello.positions import FFO, Published, at_random


def per_second(benchmark: BenchmarkFixture, count: int, what: str) -> None:
    """Record ``count`` per second of the median round under the name ``what``."""
    stats = benchmark.stats
    if stats is not None:
        benchmark.extra_info[what] = round(count / stats["median"])


def test_perft_10(benchmark: BenchmarkFixture) -> None:
    count = benchmark.pedantic(perft, (*start(8), FULL, 10), rounds=5, warmup_rounds=1)
    assert count == 24571284
    per_second(benchmark, count, "lines/s")


def test_quick_games(benchmark: BenchmarkFixture) -> None:
    """Make the positions of two-ply games of the evaluation against itself."""
    memory = new_memory(*load(), bits=10)
    out = np.zeros((20_000, 2), np.uint64)
    arguments = (1, 10_000, 0.1, 2, out, memory.features, memory.weights, memory.counters)
    benchmark.pedantic(play, arguments, rounds=5, warmup_rounds=1)
    per_second(benchmark, len(out), "positions/s")


@pytest.mark.parametrize("empties", [12, 14, 16])
def test_solve_random_positions(benchmark: BenchmarkFixture, empties: int) -> None:
    positions = [at_random(8, empties, seed) for seed in range(20)]
    keys, counters = np.zeros((64, 34), np.int64), np.array([0, 1 << 60, 0], np.int64)

    def run() -> int:
        counters[NODES] = 0
        for own, opponent in positions:
            solve(own, opponent, FULL, -64, 64, new_table(18), keys, counters)  # type: ignore[arg-type]
        return int(counters[NODES])

    per_second(benchmark, benchmark.pedantic(run, rounds=3, warmup_rounds=1), "nodes/s")


@pytest.mark.parametrize("position", FFO, ids=lambda position: f"FFO-{position.number}")
def test_solve_a_published_ending(benchmark: BenchmarkFixture, position: Published) -> None:
    root = benchmark.pedantic(
        think, (position.own, position.opponent, Limits(12, solve=20), 600.0), rounds=1
    )
    assert root.exact
    per_second(benchmark, int(root.memory.counters[NODES]), "nodes/s")


@pytest.mark.parametrize("depth", [8, 10, 12])
def test_search_the_middle_of_a_game(benchmark: BenchmarkFixture, depth: int) -> None:
    own, opponent = at_random(8, 36, seed=2)
    root = benchmark.pedantic(think, (own, opponent, Limits(depth), 600.0), rounds=3)
    assert root.memory.counters[LIMIT]
    per_second(benchmark, int(root.memory.counters[NODES]), "nodes/s")


@pytest.mark.parametrize("seed", [1, 2])
def test_solve_6x6_with_22_empty_squares(benchmark: BenchmarkFixture, seed: int) -> None:
    own, opponent = at_random(6, 22, Random(seed).randrange(1000), to_move=True)
    solver = benchmark.pedantic(lambda: _solved(own, opponent), rounds=1)
    per_second(benchmark, int(solver.counters[NODES]), "nodes/s")


def _solved(own: int, opponent: int) -> Solver:
    solver = Solver(6)
    assert solver.best(own, opponent, 600.0)
    return solver
