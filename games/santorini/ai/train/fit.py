"""The training of the network: gradient descent on the log loss of its predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import float32
from numpy.typing import NDArray

from games.santorini.ai.evaluation import (
    BIAS,
    FEATURES,
    FULL,
    HIDDEN,
    MOST,
    OUT,
    ROWS,
    UNIT,
    WEIGHTS,
    list_features,
)
from games.santorini.ai.jit import kernel

Floats = NDArray[np.float32]
Chosen = NDArray[np.int64]
Loss = Callable[[Chosen, Floats, Floats], float]
"""The mean loss over the chosen positions with some weights; their gradients are added up."""


def first_weights() -> Floats:
    """Return random small weights to begin with, hidden units half on: float32 [WEIGHTS]."""
    rng = np.random.default_rng(1)
    weights = np.zeros(WEIGHTS)
    weights[ROWS:BIAS] = rng.normal(0, 0.05, BIAS - ROWS)
    weights[BIAS:OUT] = 0.3
    weights[OUT:] = rng.normal(0, 0.5, HIDDEN)
    return weights.astype(np.float32)


@kernel("void(int64[:, ::1], int16[:, ::1])")
def features_of(states: Any, features: Any) -> None:
    """Write the features of each state (int64 [states, 8]): int16 [states, MOST], ended by
    FEATURES."""
    row = np.empty(MOST, dtype=np.int64)
    for index in range(len(states)):
        one = states[index]
        state = (one[0], one[1], one[2], one[3], one[4], one[5], one[6], one[7])
        number = list_features(state, row)
        features[index, :] = FEATURES
        for place in range(number):
            features[index, place] = row[place]


@kernel("float32(int16[::1], float32[::1], float32[::1])", fastmath=True)
def forward(features: Any, weights: Any, hidden: Any) -> float:
    """Return the value of a position in log odds; leave the units before the cut in ``hidden``."""
    hidden[:] = weights[BIAS:OUT]
    value, number = float32(0), 0
    while features[number] < FEATURES:
        value += weights[features[number]]
        row = ROWS + features[number] * HIDDEN
        for unit in range(HIDDEN):
            hidden[unit] += weights[row + unit]
        number += 1
    for unit in range(HIDDEN):
        value += weights[OUT + unit] * min(max(hidden[unit], float32(0)), float32(1))
    return value


@kernel("void(int16[::1], float32, float32[::1], float32[::1], float32[::1])", fastmath=True)
def backward(features: Any, error: float, weights: Any, gradient: Any, hidden: Any) -> None:
    """Add the gradient of one position whose value is too high by ``error``."""
    for unit in range(HIDDEN):
        inside = 0 < hidden[unit] < 1
        gradient[OUT + unit] += error * min(max(hidden[unit], float32(0)), float32(1))
        hidden[unit] = error * weights[OUT + unit] if inside else float32(0)
        gradient[BIAS + unit] += hidden[unit]
    number = 0
    while features[number] < FEATURES:
        gradient[features[number]] += error
        row = ROWS + features[number] * HIDDEN
        for unit in range(HIDDEN):
            gradient[row + unit] += hidden[unit]
        number += 1


@kernel("float64(int16[::1], float32, float32[::1], float32[::1], float32[::1])", fastmath=True)
def _learn(features: Any, target: float, weights: Any, gradient: Any, hidden: Any) -> float:
    """Add the gradient of one position's log loss; returns the loss."""
    value = forward(features, weights, hidden)
    chance = min(max(1 / (1 + np.exp(-value)), float32(1e-6)), float32(1 - 1e-6))
    backward(features, float32(chance - target), weights, gradient, hidden)
    return -target * np.log(chance) - (1 - target) * np.log(1 - chance)


@kernel("float64(int16[:, ::1], float32[::1], int64[::1], float32[::1], float32[::1])")
def _loss(features: Any, targets: Any, chosen: Any, weights: Any, gradient: Any) -> float:
    """Return the mean loss over the ``chosen`` positions; their gradients are added up."""
    hidden = np.empty(HIDDEN, dtype=np.float32)
    loss = 0.0
    for index in chosen:
        loss += _learn(features[index], targets[index], weights, gradient, hidden)
    return loss / len(chosen)


def fit(states: NDArray[np.int64], targets: Floats, weights: Floats) -> Floats:
    """Return weights (log odds), from ``weights`` on, that predict ``targets`` (0..1)."""
    features = np.empty((len(states), MOST), dtype=np.int16)
    features_of(states, features)

    def loss(chosen: Chosen, weights: Floats, gradient: Floats) -> float:
        return float(_loss(features, targets, chosen, weights, gradient))

    return descend(loss, len(states), weights)


def descend(
    loss: Loss,
    positions: int,
    weights: Floats,
    *,
    epochs: int = 12,
    batch: int = 1000,
    rate: float = 0.003,
) -> Floats:
    """Return weights with a small loss, by Adam (Kingma and Ba 2015).

    A twentieth of the positions, the last ones, is held out; the weights of the epoch that predicts
    them best are returned."""
    size, rng = positions * 19 // 20, np.random.default_rng(2)
    unseen = np.arange(size, positions)
    best, best_loss, step = weights, np.inf, 0
    mean, square, gradient = (np.zeros(weights.shape, dtype=np.float32) for _ in range(3))
    for epoch in range(epochs):
        slower = rate * (1 + np.cos(np.pi * epoch / epochs)) / 2
        for chosen in np.array_split(rng.permutation(size), max(size // batch, 1)):
            gradient[:] = 0
            loss(chosen, weights, gradient)
            gradient /= len(chosen)
            step += 1
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            root = np.sqrt(square / (1 - 0.999**step)) + 1e-8
            weights = weights - (slower / (1 - 0.9**step)) * mean / root
            weights = weights.astype(np.float32)
        found = loss(unseen, weights, gradient)
        if found < best_loss:
            best, best_loss = weights, found
    print(f"  log loss on unseen positions: {best_loss:.4f}", flush=True)
    return best


def rounded(weights: Floats) -> NDArray[np.int16]:
    """Return the weights in the whole numbers of `evaluation.evaluate`."""
    scaled = weights * np.float32(UNIT)
    scaled[..., ROWS:OUT] = weights[..., ROWS:OUT] * np.float32(FULL)
    return np.clip(np.round(scaled), -32000, 32000).astype(np.int16)


def unrounded(weights: NDArray[np.int32]) -> Floats:
    """Return the weights that `rounded` makes these of: float32."""
    scaled = weights / np.float32(UNIT)
    scaled[..., ROWS:OUT] = weights[..., ROWS:OUT] / np.float32(FULL)
    return scaled.astype(np.float32)
