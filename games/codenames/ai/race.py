"""The race of two teams: the probability of winning with so many cards left, and the worth of each
card in it."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

PACE = (0.1, 0.4, 0.35, 0.15)
"""The probabilities that a team finds 0, 1, 2 and 3 cards in a turn."""


@cache
def chance(own: int, others: int) -> float:
    """Return the probability that the team to move wins, with so many cards left of each team.

    A turn that finds nothing leads to the same position for the other team, so the probabilities
    of both teams are the solution of two equations."""
    first, second = _without_a_miss(own, others), _without_a_miss(others, own)
    miss = PACE[0]
    return (first + miss * (1 - second) - miss * miss) / (1 - miss * miss)


def _without_a_miss(own: int, others: int) -> float:
    return sum(share * after(own - found, others) for found, share in enumerate(PACE) if found)


def after(own: int, others: int) -> float:
    """Return the probability that a team wins that has ended its turn with so many cards left."""
    if own <= 0:
        return 1.0
    return 1 - chance(others, own) if others > 0 else 0.0


def worth(own: int, others: int) -> Floats:
    """Return what finding 0, 1 … ``own`` cards in a turn is worth, where all are worth ``own``."""
    ends = np.array([after(own - found, others) for found in range(own + 1)], np.float32)
    return (ends - ends[0]) * _scale(own, others)


def loss(own: int, others: int) -> float:
    """Return the loss of a card that goes to the other team, in the same measure."""
    return (after(own, others) - after(own, others - 1)) * _scale(own, others)


def ruin(own: int, others: int) -> float:
    """Return the loss of the game, in the same measure."""
    return after(own, others) * _scale(own, others)


def _scale(own: int, others: int) -> float:
    return own / (1 - after(own, others))
