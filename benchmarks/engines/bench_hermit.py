"""Speed of Hermit's board, rules and solver: `pytest benchmarks/bench_hermit.py`."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.hermit import Hermit
from games.hermit.ai.solver import Solver, regions_of
from games.hermit.computer import choose
from games.hermit.rules import RULES


def test_the_possible_moves_of_an_empty_board_of_twelve(benchmark: Any) -> None:
    assert len(benchmark(Hermit(12).possible_moves)) == 1224


def test_the_possible_moves_of_an_empty_board_of_four(benchmark: Any) -> None:
    assert len(benchmark(Hermit(4).possible_moves)) == 120


def test_placing_a_block(benchmark: Any) -> None:
    def fresh() -> tuple[tuple[Hermit, str, tuple[int, int], str], dict[str, Any]]:
        return (Hermit(12), "R", (5, 5), "H"), {}

    assert benchmark.pedantic(Hermit.move, setup=fresh, rounds=2000).halo["R"].bit_count() == 12


def test_the_legal_moves_of_twelve_by_twelve_as_strings(benchmark: Any) -> None:
    position = RULES.start({"size": 12})
    assert len(benchmark(lambda: list(position.legal_moves("first")))) == 1224


def test_the_view_of_twelve_by_twelve(benchmark: Any) -> None:
    position = RULES.start({"size": 12})
    assert len(benchmark(lambda: position.view(None))["rows"]) == 12


def test_choosing_a_square_on_twelve_by_twelve(benchmark: Any) -> None:
    position = RULES.start({"size": 12})
    assert len(benchmark(lambda: position.stage("first", ("R",))).steps) == 144


@pytest.mark.parametrize(("n", "value", "rounds"), [(3, 4, 20), (4, 0, 20), (5, 1, 1)])
def test_solving_an_empty_board(benchmark: Any, n: int, value: int, rounds: int) -> None:
    def solve() -> int | None:
        solver = Solver(10_000_000, seconds=600.0, log2_entries=20)
        return solver.sum_of_values(regions_of(Hermit(n)))

    assert benchmark.pedantic(solve, rounds=rounds, warmup_rounds=rounds > 1) == value


@pytest.mark.parametrize("size", [4, 5, 6, 8, 12])
def test_the_first_reply_of_the_highest_level(benchmark: Any, size: int) -> None:
    position = RULES.start({"size": size}).play("first", "R a1 U")

    def reply() -> str:
        return choose(position, "second", 5, Random(1), seconds=600.0).move

    assert benchmark.pedantic(reply, rounds=3) in position.legal_moves("second")
