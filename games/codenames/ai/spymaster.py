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

With `Table.worth` the game ends in a race: found cards count by the probability of winning after
them (`games.codenames.ai.race`), and each card by the turns that the rest will take without it
(`games.codenames.ai.plan`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai import listeners, plan
from games.codenames.ai.listeners import GuessedCards

Floats = NDArray[np.float32]

MOST = 9
"""The largest number that a clue may have."""
_HEIGHTS = 32
_HARDEST = 0.15
"""The lower bound for the probability of a card under its best clue."""


@dataclass(frozen=True)
class Table:
    """The covered cards by index, as a spymaster sees them.

    ``own`` are the cards of the team; ``cost`` is the loss, in turns, of selecting each other card.
    ``worth`` is the gain of finding 0, 1 … all own cards in this turn by the race with the other
    team, in the mean worth of a card; None if every card is worth the same.
    """

    own: NDArray[np.bool_]
    cost: Floats
    worth: Floats | None = None


@dataclass(frozen=True)
class ClueStyle:
    """How a level chooses clues.

    ``trust`` and ``lean`` are those of its listeners. So many ``candidates`` for each number, the
    most promising, are evaluated fully; ``most`` is the largest number given. The weight of an own
    card is the number of turns that it takes, raised to the power ``urgency``. The cards that
    cost most, such as the assassin, are taken to be ``dread`` more like every clue. ``shares`` are
    the weights of the spaces, in the order of `games.codenames.ai.table`; without them all count
    alike.
    """

    trust: float = 1.0
    candidates: int = 60
    most: int = 5
    lean: float = 0.0
    urgency: float = 0.0
    dread: float = 0.0
    shares: Sequence[float] = ()

    def belief(self, guesses: Iterable[GuessedCards], spaces: int) -> Floats:
        """Return the probability of each listener, given the team's guesses."""
        return listeners.belief(guesses, spaces, self.trust, self.lean, self.shares)


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
    understood = listeners.logits(likeness, style.trust, style.lean, style.shares)
    if style.dread and not table.own.all():
        dearest = np.flatnonzero(~table.own)[table.cost == table.cost.max()]
        understood[..., dearest] += np.float32(style.trust * style.dread)
    expected = np.tensordot(shares / shares.sum(), understood, 1)
    weights = _weights(expected, table, style.urgency)
    rows = _promising(expected, table, style.candidates, most)
    way = _way(expected, rows, table, most)
    judged = [_values(logits, table, most, weights, way) for logits in understood[:, rows]]
    values = np.average(judged, axis=0, weights=shares)
    number, row = np.unravel_index(int(values.argmax()), values.shape)
    return int(rows[row]), int(number) + 1


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


def _way(logits: Floats, rows: NDArray[np.intp], table: Table, most: int) -> Floats | None:
    """Return the part of the way that each card of a clue is for each number (row, from one) and
    clue of ``rows``, one on average."""
    own = int(table.own.sum())
    if table.worth is None or own > plan.MOST_CARDS or table.own.all():
        return None
    mine, others = logits[:, table.own], logits[:, ~table.own]
    above = others.max(axis=1, keepdims=True)
    rivals = above + np.log(np.exp(others - above).sum(axis=1, keepdims=True))
    needed = plan.turns(1 / (1 + np.exp(rivals - mine)))
    sets = np.cumsum(1 << np.argsort(-mine[rows], axis=1)[:, :most], axis=1).T
    numbers = np.arange(1, most + 1, dtype=np.float32)[:, None]
    way: Floats = own * (needed[-1] - needed[len(needed) - 1 - sets]) / needed[-1] / numbers
    return way


def _values(logits: Floats, table: Table, most: int, weights: Floats, way: Floats | None) -> Floats:
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
    counts = _counts(above, most)
    fewer = np.cumsum(counts, axis=0)
    weight = _mean_weight(logits[:, table.own], above.mean(axis=2), weights, most)
    if table.worth is None:
        return np.cumsum(1 - fewer, axis=0) * weight - fewer * cost
    share = weight / weights.mean() if way is None else way
    gains = _gains(table.worth, share, counts, 1 - fewer)
    return gains - fewer * cost


def _gains(worth: Floats, shares: Floats, counts: Floats, all_found: Floats) -> Floats:
    """Return the expected worth of the cards found, for each number (row, from one) and clue.

    ``shares`` is how much of the way each of the first 1, 2 … cards of a clue is, one on average:
    hard cards are more of it."""
    steps = np.arange(len(worth))
    found = np.array(
        [np.interp((n + 1) * share, steps, worth) for n, share in enumerate(shares)], np.float32
    )
    partly = np.zeros_like(shares)
    partly[1:] = np.cumsum(counts[1:] * found[:-1], axis=0)
    gains: Floats = partly + all_found * found
    return gains


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
