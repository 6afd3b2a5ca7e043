"""The choice of a card: what the clue probably means, and earlier clues that were not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Hint:
    """A clue that the team was given: the logit of each card that lies uncovered, and how many
    cards it is still about; None: no one knows (unlimited)."""

    logits: Floats
    left: int | None


def best_card(hint: Hint, noise: float, rng: Random) -> int:
    """The place of the card that the clue is likeliest about; with noise, another one at times."""
    noisy = [
        float(logit) + noise * _gumbel(rng) if noise else float(logit) for logit in hint.logits
    ]
    return max(range(len(noisy)), key=noisy.__getitem__)


def surest(hints: Sequence[Hint], least: float) -> int | None:
    """The card that some hint is about with at least this probability, the surest; None if no
    hint is that clear."""
    found = []
    for hint in hints:
        shares = softmax(hint.logits)
        place = int(shares.argmax())
        found.append((float(shares[place]), place))
    probability, place = max(found, default=(0.0, -1))
    return place if probability >= least else None


def softmax(logits: Floats) -> Floats:
    """The share of each card."""
    weights = np.exp(logits - logits.max())
    shares: Floats = weights / weights.sum()
    return shares


def _gumbel(rng: Random) -> float:
    return -float(np.log(rng.expovariate(1.0) + 1e-300))
