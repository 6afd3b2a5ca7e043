"""The number of turns that a team needs for its cards, if it gets its best clues one after the
other.

Cards that share a clue take one turn together. A clue counts as many turns as it has to be tried:
the reciprocal of the probability that it finds all its cards.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MOST_CARDS = 10
"""The cards up to which all ways to share clues are compared; their number doubles with a card."""
_TOGETHER = 3
"""The most cards that are looked at for one clue."""
_HARDEST = 0.15
"""The lower bound for the probability of a clue."""


def turns(found: Floats) -> Floats:
    """Return the number of turns for each set of cards, a bit for each card.

    ``found`` is the probability that a clue (axis 0) finds a card (axis 1)."""
    cards = found.shape[1]
    tried = _tries(found)
    needed = np.zeros(1 << cards, np.float32)
    for rest in range(1, 1 << cards):
        first = rest & -rest
        needed[rest] = min(
            cost + needed[rest & ~group]
            for group, cost in tried[first.bit_length() - 1]
            if group & rest == group
        )
    return needed


def _tries(found: Floats) -> list[list[tuple[int, float]]]:
    """Return the sets of up to three cards with the same first card, and the turns of each."""
    cards = np.ascontiguousarray(found.T)
    return [list(_groups(cards, 1 << first, cards[first])) for first in range(len(cards))]


def _groups(cards: Floats, group: int, together: Floats) -> Iterator[tuple[int, float]]:
    """Yield a set of cards and its turns, then the larger ones that add later cards to it.

    ``together`` is the probability that each clue finds all of the set."""
    yield group, 1 / max(float(together.max()), _HARDEST)
    if group.bit_count() < _TOGETHER:
        for card in range(group.bit_length(), len(cards)):
            yield from _groups(cards, group | 1 << card, together * cards[card])
