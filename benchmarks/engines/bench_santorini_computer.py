"""Speed of Santorini's computer player: move generation, evaluation, searches, levels."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from games.contract import Position
from games.santorini.ai.bits import perft
from games.santorini.ai.evaluation import evaluate, load_weights
from games.santorini.ai.many import chances, load_weights_of_many
from games.santorini.ai.many_root import table_of
from games.santorini.ai.placement import first_values
from games.santorini.ai.root import Budget, think
from games.santorini.ai.spaces import see
from games.santorini.computer import LEVELS, choose
from games.santorini.rules import RULES

START = (0, 0, 0, 0, 15, 21, 6, 12)
"""The starting configuration of the document."""
NODES = 200_000


def after_rounds(players: int, rounds: int = 8) -> Position:
    """Return a position in the middle of a game of random moves."""
    rng, position = Random(5), RULES.start({"players": players})
    for _ in range(rounds * players):
        (seat,) = position.to_move()
        moves = [move for move in position.legal_moves(seat) if move.count(" ") != 1]
        position.play(seat, rng.choice(moves or list(position.legal_moves(seat))))
    return position


def per_second(benchmark: BenchmarkFixture, count: int, what: str) -> None:
    """Record ``count`` per second of the median round under the name ``what``."""
    if benchmark.stats is not None:
        benchmark.extra_info[what] = round(count / benchmark.stats["median"])


def test_perft_of_four_turns(benchmark: BenchmarkFixture) -> None:
    count = benchmark.pedantic(perft, (START, 4), rounds=3, warmup_rounds=1)
    per_second(benchmark, count, "lines/s")


def test_the_evaluation_of_two(benchmark: BenchmarkFixture) -> None:
    state = see(after_rounds(2).view(None)).two_player_state()
    benchmark(evaluate, state, load_weights())


@pytest.mark.parametrize("players", [3, 4])
def test_the_evaluation_of_more(benchmark: BenchmarkFixture, players: int) -> None:
    table = table_of(see(after_rounds(players).view(None)))
    shares = np.empty(4, dtype=np.float32)
    benchmark(chances, table, 0, load_weights_of_many(), shares)


@pytest.mark.parametrize("rounds", [1, 8])
def test_a_search_of_two(benchmark: BenchmarkFixture, rounds: int) -> None:
    state = see(after_rounds(2, rounds).view(None)).two_player_state()
    benchmark.pedantic(lambda: think(state, Budget(NODES, 600.0)), rounds=3, warmup_rounds=1)
    per_second(benchmark, NODES, "nodes/s")


def test_the_first_placement(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(first_values, (NODES, 600.0), rounds=1)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("level", LEVELS)
def test_a_move(benchmark: BenchmarkFixture, level: int, players: int) -> None:
    position = after_rounds(players)
    (seat,) = position.to_move()
    benchmark.pedantic(lambda: choose(position, seat, level, Random(1), seconds=600.0), rounds=1)
