"""Learning the evaluation of three and four players, with rounds small enough for a test."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from games.santorini.ai.evaluation import WEIGHTS, load_weights
from games.santorini.ai.many import GONE, PAIRS_IN_ALL, chances, load_weights_of_many, pairs_of
from games.santorini.ai.many_tree import new_tree
from games.santorini.ai.train.fit import rounded, unrounded
from games.santorini.ai.train.many import examples, in_turn, learn, placed, turned
from games.santorini.ai.train.many_fit import fit_many

ROUNDS = ((200, 100, 1.0), (200, 100, 0.5))


def test_training_for_several_players_is_reproducible(tmp_path: Path) -> None:
    files = [tmp_path / "once.npy", tmp_path / "again.npy"]
    for file in files:
        learn(file, ROUNDS)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert load_weights_of_many(files[0]).shape == (PAIRS_IN_ALL, WEIGHTS)


def test_two_players_keep_the_weights_of_two() -> None:
    assert np.array_equal(load_weights_of_many()[0], load_weights())


def test_weights_are_the_same_after_learning_nothing() -> None:
    assert np.array_equal(rounded(unrounded(load_weights())), load_weights())


@pytest.mark.parametrize("players", [3, 4])
def test_the_shares_of_every_example_are_one_win(players: int) -> None:
    tree = new_tree(0, 100, load_weights_of_many())
    for table, shares in islice(examples(players, 100, 0.5, Random(1), tree), 200):
        assert len(in_turn(table, 0)) == players == len(shares)
        assert shares.min() >= 0
        assert shares.sum() == pytest.approx(1, abs=1e-5)


def test_a_rotated_table_begins_with_the_player_to_move_and_omits_eliminated_players() -> None:
    *towers, workers = placed(3, Random(1))
    gone = workers | 1023 << 10
    table = turned((*towers, gone), in_turn((*towers, gone), 2))  # type: ignore[arg-type]
    assert table[4] & 1023 == workers >> 20 & 1023
    assert table[4] >> 10 & 1023 == workers & 1023
    assert table[4] >> 20 & 31 == GONE


def mean_share(tables: np.ndarray, player: int, weights: np.ndarray) -> float:
    """Return the mean chance that the evaluation gives a player."""
    shares, total = np.empty(4, dtype=np.float32), 0.0
    for one, two, three, dome, workers in tables:
        chances((one, two, three, dome, workers), 0, weights, shares)
        total += shares[player]
    return total / len(tables)


@pytest.mark.parametrize("players", [3, 4])
def test_a_fit_learns_whose_turn_wins(players: int) -> None:
    tables = np.array([placed(players, Random(seed)) for seed in range(1_200)])
    targets = np.zeros((1_000, players), dtype=np.float32)
    last = players - 1
    targets[:, last] = 1
    weights, rows = unrounded(load_weights_of_many()), pairs_of(players)
    weights[rows] = fit_many(tables[:1_000], targets, weights[rows])
    learned = mean_share(tables[1_000:], last, rounded(weights).astype(np.int32))
    assert learned > mean_share(tables[1_000:], last, load_weights_of_many()) + 0.03


def test_weights_of_another_layout_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "many.npy"
    np.save(file, np.zeros((PAIRS_IN_ALL, WEIGHTS), dtype=np.int16))
    with pytest.raises(ValueError, match="holds"):
        load_weights_of_many(file)
