"""Models of how a team understands clues, and the evidence for each in the team's guesses.

No single space of `games.codenames.ai.table` predicts people's guesses. A team is therefore
modelled as one of several listeners, each of which uses the mean of all spaces with an emphasis on
one of them. After a clue a listener selects cards by softmax of the resulting logits: the first
among all cards, the next among the rest.

Similarity is measured in each space in its own standard deviations, because simulated guessers on a
space that was not used for the clues agreed with all other spaces about equally. The logits are
calibrated on such guessers: they selected own cards and the assassin about as often as predicted
(`games/codenames/ai/data/README.md`), even though a clue chosen as the best of thousands is
overrated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class GuessedCards:
    """The guesses after a clue: the similarity of the covered cards (axis 1) in each space (axis
    0), and the indices of the cards that the team selected, in order.
    """

    likeness: Floats
    taken: Sequence[int]


def mean_of(likeness: Floats, shares: Sequence[float] = ()) -> Floats:
    """Return the mean over the spaces (axis 0), by their shares if each has one."""
    weighed = np.float32(shares) if len(shares) == len(likeness) else None
    mean: Floats = np.average(likeness, axis=0, weights=weighed)
    return mean.astype(np.float32)


def logits(likeness: Floats, trust: float, lean: float, shares: Sequence[float] = ()) -> Floats:
    """Return the logit of each card for each listener (axis 0), from its similarity in each space
    (axis 0).

    ``trust`` is the logit of one standard deviation; the listener's own space gets the share
    ``lean`` of it."""
    mean = mean_of(likeness, shares)
    return np.float32(trust * (1 - lean)) * mean + np.float32(trust * lean) * likeness


def belief(
    guesses: Iterable[GuessedCards],
    spaces: int,
    trust: float,
    lean: float,
    shares: Sequence[float] = (),
) -> Floats:
    """Return the probability of each listener by Bayes' rule; equal at first."""
    likely = sum((evidence(clue, trust, lean, shares) for clue in guesses), np.zeros(spaces))
    found: Floats = np.exp(likely - likely.max()).astype(np.float32)
    return found / found.sum()


def evidence(
    clue: GuessedCards, trust: float, lean: float, shares: Sequence[float] = ()
) -> NDArray[np.float64]:
    """Return the log likelihood of the guesses for each listener."""
    rest = logits(clue.likeness, trust, lean, shares).astype(np.float64)
    likely = np.zeros(len(rest))
    for place in clue.taken:
        likely += rest[:, place] - np.logaddexp.reduce(rest, axis=1)
        rest[:, place] = -np.inf
    return likely
