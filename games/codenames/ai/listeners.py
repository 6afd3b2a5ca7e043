"""The possible listeners to a clue, and the evidence of a team's guesses about them.

No space of `games.codenames.ai.table` predicts people's guesses alone. A team is modelled as one of
several listeners: each hears the mean of all spaces, and leans to one of them. After a clue it
selects by softmax of the resulting logits, the first card among all, the next among the rest.

Likeness is counted in each space in its own standard deviations: strangers, who heard by spaces
that the clues were not made with, followed all the others about equally. The logits are calibrated
on such strangers, who took an own card and the assassin about as often as predicted
(`games/codenames/ai/data/README.md`), though each clue was among the best of thousands, which
flatters it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Heard:
    """The guesses after a clue: the likeness of the covered cards (axis 1) in each space (axis 0),
    and the places of the cards that the team selected for it, in order.
    """

    likeness: Floats
    taken: Sequence[int]


def logits(likeness: Floats, trust: float, lean: float) -> Floats:
    """Return the logit of each card for each listener (axis 0), from its likeness in each space
    (axis 0).

    ``trust`` is the logit of one standard deviation; its share ``lean`` is that of the listener's
    own space."""
    mean: Floats = likeness.mean(axis=0)
    return np.float32(trust * (1 - lean)) * mean + np.float32(trust * lean) * likeness


def belief(heard: Iterable[Heard], spaces: int, trust: float, lean: float) -> Floats:
    """Return the probability of each listener by Bayes' rule; equal at first."""
    evidence = np.zeros(spaces)
    for clue in heard:
        rest = logits(clue.likeness, trust, lean).astype(np.float64)
        for place in clue.taken:
            evidence += rest[:, place] - np.log(np.exp(rest).sum(axis=1))
            rest[:, place] = -np.inf
    shares: Floats = np.exp(evidence - evidence.max()).astype(np.float32)
    return shares / shares.sum()
