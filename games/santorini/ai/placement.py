"""The placement of two workers, for two players: shallow searches of the games after it.

The evaluation ranks all placements, and the search examines the best ones. After a placement of the
second player, the first is to move. The value of a placement of the first player is that after the
best answer, computed once for all images of a placement.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from games.santorini.ai.bits import SPACES
from games.santorini.ai.evaluation import evaluate, load_weights
from games.santorini.ai.root import Budget, think
from games.santorini.ai.spaces import Pair

_PLACEMENTS = 12
"""The number of placements that are searched."""
_ANSWERS = 5
"""The number of answers to each first placement that are searched."""


def _images() -> list[tuple[int, ...]]:
    """Return the eight symmetries of the board, each as the image of every space."""
    grid = np.arange(SPACES).reshape(5, 5)
    turned = [np.rot90(grid, quarter) for quarter in range(4)]
    return [tuple(int(i) for i in image.ravel()) for g in turned for image in (g, g.T)]


_SYMMETRIES = _images()


def class_of(pair: Pair) -> Pair:
    """Return the representative of a placement and all its images on an empty board."""
    images = [(image[pair[0]], image[pair[1]]) for image in _SYMMETRIES]
    return min((min(image), max(image)) for image in images)


def second_values(theirs: Pair, nodes: int, seconds: float) -> dict[Pair, int]:
    """Return the value of every placement for the second player (see `search`), smaller space
    first."""
    values = _glances(theirs)
    searched = sorted(values, key=lambda pair: -values[pair])[:_PLACEMENTS]
    share = Budget(nodes // len(searched), seconds / len(searched))
    found = {pair: -_first_to_move(theirs, pair, share) for pair in searched}
    return _joined(values, found)


def first_values(nodes: int, seconds: float) -> dict[Pair, int]:
    """Return the value of every placement for the first player, smaller space first."""
    pairs = list(combinations(range(SPACES), 2))
    answers = {pair: _glances(pair) for pair in sorted({class_of(pair) for pair in pairs})}
    values = {pair: -max(answers[pair].values()) for pair in answers}
    searched = sorted(values, key=lambda pair: -values[pair])[:_PLACEMENTS]
    share = len(searched) * _ANSWERS
    found = {}
    for pair in searched:
        best = sorted(answers[pair], key=lambda answer: -answers[pair][answer])[:_ANSWERS]
        budget = [Budget(nodes // share, seconds / share) for _ in best]
        found[pair] = min(map(_first_to_move, [pair] * len(best), best, budget))
    values = _joined(values, found)
    return {pair: values[class_of(pair)] for pair in pairs}


def _glances(theirs: Pair) -> dict[Pair, int]:
    """Return the evaluation of every placement for the second player."""
    weights = load_weights()
    free = [space for space in range(SPACES) if space not in theirs]
    return {
        pair: -int(evaluate((0, 0, 0, 0, *theirs, *pair), weights))
        for pair in combinations(free, 2)
    }


def _first_to_move(first: Pair, second: Pair, budget: Budget) -> int:
    """Return the value of the start for the first player, within a copy of the budget."""
    lines = think((0, 0, 0, 0, *first, *second), Budget(budget.nodes, budget.seconds))
    return lines[0].value if lines else 0


def _joined(glances: dict[Pair, int], found: dict[Pair, int]) -> dict[Pair, int]:
    """Return the found values, with all other placements no better than the worst of these."""
    worst = min(found.values())
    return {pair: found.get(pair, min(value, worst)) for pair, value in glances.items()}
