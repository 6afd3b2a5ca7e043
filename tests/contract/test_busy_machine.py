"""Computer players choose the same moves on a busy machine: nodes limit them, not the time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from random import Random

import pytest

from games.contract import Position, Rules
from games.core.registry import computer_module
from games.worker.jobs import SECONDS_A_MOVE
from tests.contract.test_computer import each_computer, variant
from tests.support.random_games import sample_positions
from tests.support.repeats import SOAK

PROGRAMS_A_CORE = 2


@contextmanager
def busy_machine() -> Iterator[None]:
    """Keep every core busy with several programs."""
    command = [sys.executable, "-c", "while True: pass"]
    programs = [subprocess.Popen(command) for _ in range(PROGRAMS_A_CORE * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def some_positions(rules: Rules, count: int) -> list[Position]:
    """Return positions of a random game in which a seat is to move."""
    sampled = sample_positions(variant(rules), count=2 * count)
    return list(islice((position for position in sampled if position.to_move()), count))


def moves(rules: Rules, positions: Sequence[Position]) -> list[str]:
    """Return the move of a level in each position, of all levels in turn."""
    choose = computer_module(rules.slug).choose
    return [
        choose(
            position,
            min(position.to_move()),
            [*rules.ladder][number % len(rules.ladder)],
            Random(number),
            seconds=SECONDS_A_MOVE,
        ).move
        for number, position in enumerate(positions)
    ]


@each_computer
@pytest.mark.processes
def test_a_busy_machine_chooses_the_same_moves(rules: Rules) -> None:
    positions = some_positions(rules, 40 if SOAK else len(rules.ladder))
    calm = moves(rules, positions)
    with busy_machine():
        assert moves(rules, positions) == calm
