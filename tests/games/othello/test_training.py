"""The training of Othello's evaluation: seeded positions, and a fit that learns from them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from games.othello.ai.patterns import OPPONENT_MOVES, OWN_MOVES, SIZE
from games.othello.ai.train import start
from games.othello.ai.train.__main__ import learn, positions_by_phase, refit
from games.othello.ai.train.fit import columns_of, fit, predict
from games.othello.ai.train.games import Positions
from games.othello.ai.weights import save

POSITIONS = 100
"""Of each phase."""


def draw(seed: int, number: int = POSITIONS) -> list[Positions]:
    return positions_by_phase(start.first_weights(), number, seed)


@cache
def drawn() -> list[Positions]:
    """Return the samples of all tests that do not test sampling."""
    return draw(1)


def test_a_seed_draws_the_same_positions_again() -> None:
    assert np.array_equal(np.concatenate(drawn()), np.concatenate(draw(1)))


def test_another_seed_draws_other_positions() -> None:
    assert not np.array_equal(np.concatenate(drawn()), np.concatenate(draw(2)))


def test_a_phase_has_positions_with_its_number_of_empty_squares() -> None:
    for phase, positions in enumerate(drawn()):
        empties = 64 - np.bitwise_count(positions[:, 0] | positions[:, 1]).astype(np.int64)
        assert set(np.minimum(empties // 5, 11)) <= {phase}


@pytest.mark.parametrize("phase", [2, 6, 9])
def test_the_fit_learns_what_mobility_is_worth(phase: int) -> None:
    columns = columns_of(drawn()[phase])
    values = (columns[:, -2] - OWN_MOVES - (columns[:, -1] - OPPONENT_MOVES)).astype(np.float64)
    fitted = np.zeros(len(values))
    predict(columns, fit(columns, values, np.zeros(SIZE)), fitted)
    assert np.std(fitted - values) < 0.2 * np.std(values)


def table(path: Path) -> bytes:
    """Return the file that a small training writes, from nothing."""
    weights = start.first_weights()
    refit(learn(draw(1, 20), 2, weights), weights)
    save(weights, start.first_deviations(), path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return table(tmp_path_factory.mktemp("table") / "first.npz")


def test_the_same_training_writes_the_same_bytes_again(tmp_path: Path, written: bytes) -> None:
    assert table(tmp_path / "again.npz") == written


def test_the_written_file_depends_on_the_training_positions(tmp_path: Path, written: bytes) -> None:
    unlearnt = tmp_path / "unlearnt.npz"
    save(start.first_weights(), start.first_deviations(), unlearnt)
    assert written != unlearnt.read_bytes()
