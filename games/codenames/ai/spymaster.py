"""The choice of a clue: what the operatives will probably select after it, and what that is worth.

The operatives are taken to select by the logits of `games.codenames.ai.table`, each with noise of
Gumbel's distribution added: then the first card is drawn by softmax, the second by softmax among
the rest, and so on (Plackett and Luce). How many own cards come before the first other one is
how many have a noisy logit above the highest of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

MOST = 9
"""The largest number that a clue may have."""


@dataclass(frozen=True)
class Table:
    """The cards that nobody has selected, by their place, as a spymaster sees them.

    ``own`` are the cards of the team; ``cost`` of each of the other cards is what selecting it
    loses, counted in own cards."""

    own: NDArray[np.bool_]
    cost: Floats


@dataclass(frozen=True)
class Manner:
    """How a level chooses.

    ``trust`` multiplies the logits: with less of it the operatives are expected to err more.
    ``samples`` draws of noise are made for each of the ``candidates`` that seem best for each
    number; ``most`` is the largest number given."""

    trust: float = 0.75
    samples: int = 300
    candidates: int = 50
    most: int = 5


def best_clue(logits: Floats, table: Table, manner: Manner, seed: int) -> tuple[int, int] | None:
    """The row of the best clue and its number; None where there is no row.

    ``logits`` has a row for each clue and a column for each card; a card whose meaning is not
    known has the logits of a card that is like nothing in particular.
    """
    if not len(logits):
        return None
    most = min(manner.most, MOST, int(table.own.sum()))
    scaled = np.float32(manner.trust) * logits
    rows = _promising(scaled, table, manner.candidates, most)
    values = _values(scaled[rows], table, most, manner.samples, seed)
    number, row = np.unravel_index(int(values.argmax()), values.shape)
    return int(rows[row]), int(number) + 1


def _promising(logits: Floats, table: Table, count: int, most: int) -> NDArray[np.intp]:
    """The rows that are best for some number, by a quick estimate: as if each of the likeliest
    own cards came before all others independently."""
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


def _values(logits: Floats, table: Table, most: int, samples: int, seed: int) -> Floats:
    """The mean worth of each number (row, from one) of each clue (column)."""
    rng = np.random.default_rng(seed)
    noise = rng.gumbel(size=(samples, 1, logits.shape[1])).astype(np.float32)
    noisy = logits[None] + noise
    numbers = np.arange(1, most + 1, dtype=np.float32)[:, None, None]
    others = noisy[:, :, ~table.own]
    if not others.shape[2]:
        return np.broadcast_to(numbers[:, 0], (most, len(logits)))
    highest = others.argmax(axis=2)
    bar = others.max(axis=2)
    before = (noisy[:, :, table.own] > bar[:, :, None]).sum(axis=2, dtype=np.float32)
    stumbled = before - table.cost[highest]
    worth: Floats = np.where(before >= numbers, numbers, stumbled).mean(axis=1)
    return worth


def meant(logits: Sequence[float], own: Sequence[bool], number: int) -> list[int]:
    """The places of the cards that a clue of this number is about: the own ones most like it."""
    places = [place for place, is_own in enumerate(own) if is_own]
    return sorted(places, key=lambda place: -logits[place])[:number]
