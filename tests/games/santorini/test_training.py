"""Learning Santorini's evaluation, with rounds small enough for a test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.santorini.ai.evaluation import FILE, UNIT, WEIGHTS, evaluate, load_weights
from games.santorini.ai.train.__main__ import learn, play_round
from games.santorini.ai.train.fit import first_weights, fit, rounded

ROUNDS = ((3_000, 20, 1.0), (3_000, 20, 0.5))


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("once") / "weights.npy"
    learn(file, ROUNDS)
    return file


def test_training_is_reproducible(learned: Path, tmp_path: Path) -> None:
    again = tmp_path / "weights.npy"
    learn(again, ROUNDS)
    assert again.read_bytes() == learned.read_bytes()


def values(states: np.ndarray, file: Path = FILE) -> np.ndarray:
    """Return the evaluations of states, in log odds."""
    weights = load_weights(file)
    found = [evaluate((a, b, c, d, e, f, g, h), weights) for a, b, c, d, e, f, g, h in states]
    return np.array(found) / UNIT


def test_a_fit_predicts_positions_that_it_has_not_seen(tmp_path: Path) -> None:
    states, _ = play_round(6_000, 20, 1.0, first_weights(), seed=9)
    chances = 1 / (1 + np.exp(-values(states)))
    seen, unseen = states[:5_000], states[5_000:]
    file = tmp_path / "weights.npy"
    np.save(file, rounded(fit(seen, chances[:5_000].astype(np.float32), first_weights())))
    assert np.corrcoef(values(unseen, file), values(unseen))[0, 1] > 0.7


def test_weights_of_another_layout_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights.npy"
    np.save(file, np.zeros(WEIGHTS + 1, dtype=np.int16))
    with pytest.raises(ValueError, match="weights instead of"):
        load_weights(file)
