"""The training of the networks of three and four players, one for every pair of turns.

The log odds of each pair are added up as in `many.chances`; the networks learn to predict the
winner, by gradient descent on the log loss of all players' chances.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numba import float32, int64
from numpy.typing import NDArray

from games.santorini.ai.evaluation import FEATURES, HIDDEN, MOST, list_features
from games.santorini.ai.jit import kernel
from games.santorini.ai.many import duel_of
from games.santorini.ai.train.fit import Chosen, Floats, backward, descend, forward


@kernel("void(int64[:, ::1], int64, int16[:, :, ::1])")
def _features_of(tables: Any, players: int, features: Any) -> None:
    """Write the features of each pair's game: int16 [tables, pairs, MOST], ended by FEATURES.

    ``tables`` are int64 [., 5], the player to move being the first."""
    row = np.empty(MOST, dtype=np.int64)
    for index in range(len(tables)):
        one, pair = tables[index], 0
        table = (one[0], one[1], one[2], one[3], one[4])
        for early in range(players):
            for late in range(early + 1, players):
                number = list_features(duel_of(table, int64(early), int64(late)), row)
                features[index, pair, :] = FEATURES
                for place in range(number):
                    features[index, pair, place] = row[place]
                pair += 1


@kernel(
    "float64(int16[:, ::1], float32[::1], float32[:, ::1], float32[:, ::1], float32[:, ::1])",
    fastmath=True,
)
def _learn(features: Any, target: Any, weights: Any, gradient: Any, hidden: Any) -> float:
    """Add the gradient of one position's log loss; returns the loss."""
    players, pair = len(target), 0
    chance = np.zeros(players, dtype=np.float32)
    for early in range(players):
        for late in range(early + 1, players):
            value = forward(features[pair], weights[pair], hidden[pair]) / float32(players)
            chance[early] += value
            chance[late] -= value
            pair += 1
    chance = np.exp(chance - chance.max())
    chance = np.maximum(chance / chance.sum(), float32(1e-6))
    pair = 0
    for early in range(players):
        for late in range(early + 1, players):
            error = chance[early] - target[early] - (chance[late] - target[late])
            error /= float32(players)
            backward(features[pair], error, weights[pair], gradient[pair], hidden[pair])
            pair += 1
    return -(target * np.log(chance)).sum()


@kernel("float64(int16[:, :, ::1], float32[:, ::1], int64[::1], float32[:, ::1], float32[:, ::1])")
def _loss(features: Any, targets: Any, chosen: Any, weights: Any, gradient: Any) -> float:
    """Return the mean loss over the ``chosen`` positions; their gradients are added up."""
    hidden = np.empty((len(weights), HIDDEN), dtype=np.float32)
    loss = 0.0
    for index in chosen:
        loss += _learn(features[index], targets[index], weights, gradient, hidden)
    return loss / len(chosen)


def fit_many(tables: NDArray[np.int64], targets: Floats, weights: Floats) -> Floats:
    """Return weights (log odds, [pairs, WEIGHTS]), from ``weights`` on, that predict ``targets``.

    ``tables`` int64 [., 5] are those of `many`, the player to move being the first; ``targets`` [.,
    players] are each player's share of the win."""
    players = targets.shape[1]
    pairs = len(list(combinations(range(players), 2)))
    features = np.empty((len(tables), pairs, MOST), dtype=np.int16)
    _features_of(tables, players, features)

    def loss(chosen: Chosen, weights: Floats, gradient: Floats) -> float:
        return float(_loss(features, targets, chosen, weights, gradient))

    return descend(loss, len(tables), weights, rate=0.001)
