"""The choice of a clue by its value: the expected result of the operatives' guesses after it.

The operatives are modelled as selecting by the logits of `games.codenames.ai.table`, each with
noise of Gumbel's distribution added: then the first card is drawn by softmax, the second by softmax
among the rest, and so on (Plackett and Luce). The number of own cards before the first other one is
the number whose noisy logit is above the highest of the others. All of that has a closed form, or
nearly. It is not sampled, because a sample would measure the rare guess of the assassin badly.

The listener is unknown, so the value of a clue is the mean over the listeners of
`games.codenames.ai.listeners`, weighted by their probabilities given the team's guesses so far.

Values are measured in turns. The value of an own card is the number of turns that finding it alone
would take: the reciprocal of the probability that its best clue hits it. `Table.cost` has the cost
of other cards, such as the number of turns that losing to the assassin is worth. Since every clue
spends one turn, the best clue and number are those that gain most turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai import listeners
from games.codenames.ai.listeners import GuessedCards

Floats = NDArray[np.float32]

MOST = 9
"""The largest number that a clue may have."""
_HEIGHTS = 32
_SHORT = 100.0
"""The loss, in turns, of a clue whose cards do not lead as they should."""
_DISSENTING = 1
"""The spaces in which the cards of a clue need not lead."""
_HARDEST = 0.15
"""The lower bound for the probability of a card under its best clue."""


@dataclass(frozen=True)
class Table:
    """The covered cards by index, as a spymaster sees them.

    ``own`` are the cards of the team; ``cost`` is the loss, in turns, of selecting each other card.
    """

    own: NDArray[np.bool_]
    cost: Floats


@dataclass(frozen=True)
class ClueStyle:
    """How a level chooses clues.

    ``trust`` and ``lean`` are those of its listeners. So many ``candidates`` for each number, the
    most promising, are evaluated fully; ``most`` is the largest number given. The weight of an own
    card is the number of turns that it takes, raised to the power ``urgency``. The cards that a
    clue is for lead every card of others by at least the ``gaps`` of its number, in standard
    deviations, in every space but one.
    """

    trust: float = 1.0
    candidates: int = 60
    most: int = 5
    lean: float = 0.0
    urgency: float = 0.0
    gaps: Sequence[float] = ()

    def belief(self, guesses: Iterable[GuessedCards], spaces: int) -> Floats:
        """Return the probability of each listener, given the team's guesses."""
        return listeners.belief(guesses, spaces, self.trust, self.lean)


def best_clue(
    likeness: Floats, table: Table, style: ClueStyle, belief: Floats | None = None
) -> tuple[int, int] | None:
    """Return the row of the best clue and its number; None without any row.

    ``likeness`` is that of each clue (axis 1) and card (axis 2) in each space (axis 0); a card of
    unknown meaning has the value of an average card. ``belief`` is the probability of each
    listener; None if all are equally likely."""
    if not likeness.shape[1]:
        return None
    shares = np.ones(len(likeness), np.float32) if belief is None else belief
    most = min(style.most, MOST, int(table.own.sum()))
    understood = listeners.logits(likeness, style.trust, style.lean)
    expected = np.tensordot(shares / shares.sum(), understood, 1)
    weights = _weights(expected, table, style.urgency)
    rows = _promising(expected, table, style.candidates, most)
    judged = [_values(logits, table, most, weights) for logits in understood[:, rows]]
    values = np.average(judged, axis=0, weights=shares)
    values = _with_gaps(values, likeness[:, rows], table, style.gaps)
    number, row = np.unravel_index(int(values.argmax()), values.shape)
    return int(rows[row]), int(number) + 1


def _with_gaps(values: Floats, likeness: Floats, table: Table, gaps: Sequence[float]) -> Floats:
    """Return the values, far lower where the spaces disagree that the meant cards lead as they
    should.

    A mean hides that a card of others fits as well in some sense of the clue, which a space alone
    shows. If no clue has sufficient leads, the differences between clues remain."""
    if not gaps or table.own.all():
        return values
    order = np.argsort(-likeness[:, :, table.own].mean(axis=0), axis=1)[None, :, : len(values)]
    own = np.take_along_axis(likeness[:, :, table.own], order, axis=2)
    weakest = np.minimum.accumulate(own, axis=2)
    leads = weakest - likeness[:, :, ~table.own].max(axis=2, keepdims=True)
    agreed = np.sort(leads, axis=0)[min(_DISSENTING, len(leads) - 1)].T
    wanted = np.array([gaps[min(n, len(gaps) - 1)] for n in range(len(values))], np.float32)
    short: Floats = np.maximum(wanted[:, None] - agreed, 0)
    lowered: Floats = values - _SHORT * (short > 0) - short
    return lowered


def _weights(logits: Floats, table: Table, urgency: float) -> Floats:
    """Return the weight of each own card: the turns that it takes alone, the reciprocal of the
    probability that its best clue finds it. Weights make hard cards be found together with others
    while that is possible."""
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    easiest = np.maximum(shares[:, table.own].max(axis=0), _HARDEST)
    weights: Floats = easiest ** np.float32(-urgency)
    return weights


def _promising(logits: Floats, table: Table, count: int, most: int) -> NDArray[np.intp]:
    """Return the rows that are best for some number by a quick estimate, which treats the likeliest
    own cards as independent."""
    own = -np.sort(-logits[:, table.own], axis=1)[:, :most]
    others = logits[:, ~table.own]
    if not others.shape[1]:
        return np.argsort(-own.sum(axis=1))[:count]
    above = others.max(axis=1, keepdims=True)
    weights = np.exp(others - above)
    rivals = above + np.log(weights.sum(axis=1, keepdims=True))
    cost = (weights @ table.cost) / weights.sum(axis=1)
    found = np.cumprod(1 / (1 + np.exp(rivals - own)), axis=1)
    value = np.cumsum(found, axis=1) - (1 - found) * cost[:, None]
    best = [np.argsort(-value[:, number], kind="stable")[:count] for number in range(most)]
    return np.unique(np.concatenate(best))


def _values(logits: Floats, table: Table, most: int, weights: Floats) -> Floats:
    """Return the expected value of each number (row, from one) of each clue (column).

    The operatives find the own cards that come before the first other card, up to the number. If
    they do not reach the number, they also select that other card and pay its cost. With Gumbel
    noise the highest logit of the other cards has a Gumbel distribution too, around the log of
    their summed weights, and is independent of which card it is. Given its height, the own cards
    are above it independently of each other; the mean is taken over ``_HEIGHTS`` equally likely
    heights. Each found card counts with the mean weight of the cards that the clue is for."""
    others = logits[:, ~table.own]
    if not others.shape[1]:
        numbers = np.arange(1, most + 1, dtype=np.float32)
        return np.broadcast_to(numbers[:, None], (most, len(logits)))
    highest = others.max(axis=1, keepdims=True)
    rivals = np.exp(others - highest)
    centre = highest[:, 0] + np.log(rivals.sum(axis=1))
    cost = (rivals @ table.cost) / rivals.sum(axis=1)
    above = _above(logits[:, table.own], centre)
    fewer = np.cumsum(_counts(above, most), axis=0)
    weight = _mean_weight(logits[:, table.own], above.mean(axis=2), weights, most)
    worth: Floats = np.cumsum(1 - fewer, axis=0) * weight - fewer * cost
    return worth


def _mean_weight(own: Floats, chance: Floats, weights: Floats, most: int) -> Floats:
    """Return, for each number (row, from one), the mean weight of the cards that each clue (column)
    is for, weighted by their probability to be found."""
    order = np.argsort(-own, axis=1)[:, :most]
    chances = np.take_along_axis(chance, order, axis=1)
    total = np.cumsum(chances * weights[order], axis=1)
    mean: Floats = total / np.maximum(np.cumsum(chances, axis=1), 1e-9)
    return mean.T


def _above(own: Floats, centre: Floats) -> Floats:
    """Return the probability that a card (axis 1) of a clue (axis 0) is above each height
    (axis 2)."""
    shares = (np.arange(_HEIGHTS, dtype=np.float32) + 0.5) / _HEIGHTS
    heights = centre[:, None] - np.log(-np.log(shares))
    chance: Floats = -np.expm1(-np.exp(own[:, :, None] - heights[:, None, :]))
    return chance


def _counts(above: Floats, most: int) -> Floats:
    """Return the probability that 0, 1 … ``most`` - 1 of the cards (row) are above, for each
    clue."""
    counts = np.zeros((most, above.shape[0], above.shape[2]), np.float32)
    counts[0] = 1
    for card in above.transpose(1, 0, 2):
        risen = counts[:-1] * card
        counts *= 1 - card
        counts[1:] += risen
    mean: Floats = counts.mean(axis=2)
    return mean


def meant(logits: Sequence[float], own: Sequence[bool], number: int) -> list[int]:
    """Return the indices of the cards that a clue of this number is for: the own cards most like
    it."""
    places = [place for place, is_own in enumerate(own) if is_own]
    return sorted(places, key=lambda place: -logits[place])[:number]
