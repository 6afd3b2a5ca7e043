"""The choice of a card by operatives, from the clue and the team's other clues.

Spymasters choose among thousands of words, so a clue is meant for the cards that it fits better
than most other words would (the pragmatic listener of Goodman and Frank, *Pragmatic language
interpretation as probabilistic inference*, 2016). A card is therefore rated by how far its
similarity to the clue exceeds its similarity to words in general. Since the spymaster knows the
key, a card that also fits the team's other clues is more probably an own card than one that they
avoid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SHARPNESS = 1.45
"""The logit of one standard deviation by which a card stands out. This and the weight of other
clues were fitted on guesses in games with a spymaster who knew none of the guesser's spaces
(`games/codenames/ai/data/README.md`)."""


@dataclass(frozen=True)
class Hint:
    """A clue of the team: how far each covered card stands out for it, in standard deviations, and
    the number of its cards that are still to be found, None for unlimited.
    """

    standing: Floats
    left: int | None


@dataclass(frozen=True)
class Temperament:
    """How a level guesses.

    ``noise`` is added to logits; ``memory`` is the weight of the team's other clues. Cards after
    the first are selected only with a probability of at least ``doubt``. One card more than the
    clue's number is selected if an earlier clue points to it with a probability of at least
    ``clear``.
    """

    noise: float = 0.0
    memory: float = 0.0
    doubt: float = 0.0
    clear: float = 2.0


def next_card(
    now: Hint,
    earlier: Sequence[Hint],
    temperament: Temperament,
    rng: Random,
    *,
    may_stop: bool,
    found_some: bool,
) -> int | None:
    """Return the index of the card that an operative selects, None to stop.

    Once the clue is used up, the remaining guess is for cards of earlier clues."""
    likeliest = logits(now, earlier, temperament.memory)
    others = [
        logits(hint, [now, *(other for other in earlier if other is not hint)], temperament.memory)
        for hint in earlier
        if hint.left
    ]
    place: int | None = best_card(likeliest, temperament.noise, rng)
    if may_stop and now.left is None:
        place = surest([likeliest, *others], temperament.clear)
    elif may_stop and now.left == 0:
        place = surest(others, temperament.clear)
    elif may_stop and found_some and surest([likeliest], temperament.doubt) is None:
        place = None
    return place


def logits(hint: Hint, others: Iterable[Hint], memory: float) -> Floats:
    """Return the logit of each card for ``hint``, with the ``others`` weighted by ``memory``."""
    known = sum((np.maximum(other.standing, 0) for other in others), np.zeros_like(hint.standing))
    found: Floats = np.float32(SHARPNESS) * (hint.standing + np.float32(memory) * known)
    return found


def best_card(logits: Floats, noise: float, rng: Random) -> int:
    """Return the index of the likeliest card, or sometimes, because of noise, of another one."""
    noisy = [float(logit) + noise * _gumbel(rng) if noise else float(logit) for logit in logits]
    return max(range(len(noisy)), key=noisy.__getitem__)


def surest(choices: Sequence[Floats], least: float) -> int | None:
    """Return the card with the largest probability in any of the ``choices``, logits of all cards.

    None if no probability reaches ``least``."""
    found = []
    for values in choices:
        shares = softmax(values)
        place = int(shares.argmax())
        found.append((float(shares[place]), place))
    probability, place = max(found, default=(0.0, -1))
    return place if probability >= least else None


def close_cards(logits: Floats, place: int) -> list[int]:
    """Return the other cards that are at least half as probable as one, the likeliest first."""
    least = float(logits[place]) - np.log(2)
    others = (int(at) for at in np.argsort(-logits) if at != place and logits[at] >= least)
    return list(others)


def softmax(logits: Floats) -> Floats:
    """Return the probability of each card."""
    weights = np.exp(logits - logits.max())
    shares: Floats = weights / weights.sum()
    return shares


def _gumbel(rng: Random) -> float:
    return -float(np.log(rng.expovariate(1.0) + 1e-300))
