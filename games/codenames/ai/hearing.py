"""How far cards stand out for a clue, as operatives hear it.

The likeness of vectors and the lists of related words are added. In Dutch two more things count,
because its words have vectors by their translations alone: how the English words of a clue and a
card are related by the lists of other authors, and how like the clue is to the words of which a
card makes people think.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai.associations import associations, plain, thoughts
from games.codenames.ai.lexicon import lexicon, vocabulary
from games.codenames.ai.table import Vector

Floats = NDArray[np.float32]

TRANSLATED = 0.3
"""The part of the bonus of English words that counts in another language."""
LIKE_A_THOUGHT = 0.3
"""The part of the likeness to a thought that counts."""
WEIGHTS = (1.0, 0.6)
"""Those of strong and of weaker thoughts."""
MOST_SEEN = 20_000
"""Pairs of a clue and a card that are cached."""
MOST_CARDS = 128
"""Cards whose thoughts are cached, 0.1 MB each."""


def standing(
    word: str, names: Sequence[str], meanings: Sequence[Vector | None], language: str
) -> Floats:
    """Return how far each card, given by its name and its meaning, stands out for a clue, in
    standard deviations."""
    found: Floats = vocabulary(language).standing(lexicon(language).vector(word), meanings)
    found = found + associations(language).bonus(word, names)
    if language == "en":
        return found
    return found + np.array([_further(word, name, language) for name in names], np.float32)


@lru_cache(MOST_SEEN)
def _further(word: str, name: str, language: str) -> float:
    translated = _translated(word, name, language)
    return TRANSLATED * translated + LIKE_A_THOUGHT * _like_a_thought(word, name, language)


def _translated(word: str, name: str, language: str) -> float:
    """Return the largest bonus of an English word for a clue and another for a card."""
    known, english = lexicon(language), associations("en")
    clues, cards = known.translations(word), known.translations(name)
    pairs = ((clue, [card]) for clue in clues for card in cards if clue != card)
    return max((float(english.bonus(clue, card)[0]) for clue, card in pairs), default=0.0)


def _like_a_thought(word: str, name: str, language: str) -> float:
    """Return how far the thought of a card that is most like a clue stands out for it."""
    said, rows = lexicon(language).vector(word), _thoughts(name, language)
    if said is None or not len(rows):
        return 0.0
    return max(0.0, float((rows @ (said - vocabulary(language).mean)).max()))


@lru_cache(MOST_CARDS)
def _thoughts(name: str, language: str) -> Floats:
    """Return the vectors of a card's thoughts, over the deviations of their products with clues."""
    known, found = lexicon(language), list[Vector]()
    for weight, words in zip(WEIGHTS, thoughts(language).get(plain(name), ((), ())), strict=True):
        vectors = [vector for word in words if (vector := known.vector(word)) is not None]
        if vectors:
            rows = np.array(vectors)
            found.append(np.float32(weight) * rows / vocabulary(language).deviations(rows)[:, None])
    return np.concatenate(found) if found else np.empty((0, 0), np.float32)
