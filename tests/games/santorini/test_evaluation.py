"""The evaluation of Santorini, whose kernels process all spaces at once, agrees with plain
counting."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from games.santorini.ai.bits import State
from games.santorini.ai.evaluation import (
    AROUND,
    BIAS,
    FULL,
    HIDDEN,
    KIND,
    MOST,
    OUT,
    PAIRS,
    PARTNER,
    PLACE,
    ROWS,
    SIDE,
    TEMPO,
    evaluate,
    list_features,
    load_weights,
)
from tests.support.repeats import SEEDS


def distance(one: int, other: int) -> int:
    return max(abs(one // 5 - other // 5), abs(one % 5 - other % 5))


def random_board(seed: int) -> tuple[list[int], list[int]]:
    """Return the heights of 25 towers, and four spaces not higher than 2 with a worker each."""
    rng = Random(seed)
    heights = rng.choices(range(5), weights=(5, 3, 3, 2, 2), k=25)
    workers = rng.sample(range(25), 4)
    for space in workers:
        heights[space] = min(heights[space], 2)
    return heights, workers


def state_of(heights: list[int], workers: list[int]) -> State:
    one, two, three, dome = (
        sum(1 << space for space in range(25) if heights[space] >= least) for least in range(1, 5)
    )
    a, b, c, d = workers
    return one, two, three, dome, a, b, c, d


def around_feature(heights: list[int], workers: list[int], index: int, space: int) -> int:
    """Return the feature of a space beside a worker, within those of his side."""
    own, mate = workers[index], workers[index ^ 1]
    foes = [workers[index ^ 2], workers[index ^ 3]]
    higher = sum(
        distance(space, near) == 1 and heights[near] == heights[space] + 1 for near in range(25)
    )
    spoiled = any(distance(foe, space) == 1 for foe in foes)
    who = 1 if space in foes else 2 if space == mate else 0
    number = heights[own] * 4 + heights[space]
    number = (number * 2 + spoiled) * 4 + min(higher, 3)
    return AROUND + (number * 3 + who) * 2 + (distance(mate, space) == 1)


def plain_features(heights: list[int], workers: list[int]) -> list[int]:
    """Return the features as the docstring of the module defines them."""
    found = [TEMPO]
    for index, own in enumerate(workers):
        side = SIDE * (index // 2)
        found.append(side + PLACE + 6 * heights[own] + int(KIND[own]))
        around = [near for near in range(25) if distance(own, near) == 1 and heights[near] < 4]
        found += [side + around_feature(heights, workers, index, near) for near in around]
    for index in (0, 2):
        apart = distance(workers[index], workers[index + 1])
        found.append(SIDE * (index // 2) + PARTNER + apart)
    for mine in workers[:2]:
        for foe in workers[2:]:
            levels = heights[mine] * 3 + heights[foe]
            found.append(PAIRS + levels * 5 + distance(mine, foe))
    return sorted(found)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_features_are_those_that_counting_finds(seed: int) -> None:
    heights, workers = random_board(seed)
    features = np.empty(MOST, dtype=np.int64)
    number = list_features(state_of(heights, workers), features)
    assert sorted(features[:number]) == plain_features(heights, workers)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_value_is_that_of_the_network_written_plainly(seed: int) -> None:
    heights, workers = random_board(seed)
    weights, features = load_weights().astype(np.int64), plain_features(heights, workers)
    rows = weights[ROWS:BIAS].reshape(-1, HIDDEN)
    hidden = np.clip(weights[BIAS:OUT] + rows[features].sum(axis=0), 0, FULL)
    expected = weights[features].sum() + hidden @ weights[OUT:] // FULL
    assert evaluate(state_of(heights, workers), load_weights()) == expected
