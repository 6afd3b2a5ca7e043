"""Words that people think of together: words of one topic, and words tied to the same symbol.

Vectors of words know kinds and contexts, but little of what belongs together (``hospital`` and
``syringe``). ``topics-<language>.txt`` has words that name a topic and words that belong to it,
``thoughts-<language>.txt`` each card and the words of which it makes people think, after ``|`` the
weaker ones, ``symbols-<language>.tsv`` the symbols that people tied words to. A pair of words gets
a bonus in standard deviations, which is added to their likeness.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai.forms import basic_forms, splits
from games.codenames.ai.table import DATA
from games.codenames.cards.spelling import folded

Bonus = NDArray[np.float32]

MOST_SHARED = 2
MOST_SEEN = 20_000
"""Words whose ties are cached."""
MOST_COLUMNS = 1_000
"""Cards whose bonuses with the vocabulary are cached, 12 KB each."""

Numbers = frozenset[int]
Tied = Mapping[str, Numbers]


@dataclass(frozen=True)
class Ties:
    """The bonuses of a clue and a card, in standard deviations.

    ``symbol`` is that of a shared symbol, ``naming`` of a clue that names a topic of the card,
    ``named`` of a clue that belongs to a topic which the card names, ``weakly``
    of a weaker thought of one of them, and ``shared`` of each topic to which both belong, at most
    `MOST_SHARED` of them.
    """

    symbol: float = 2.25
    naming: float = 4.0
    named: float = 4.0
    weakly: float = 2.0
    shared: float = 0.75

    def bonus(self, clue: Sequence[Numbers], card: Sequence[Numbers]) -> float:
        bonus = self.symbol if clue[0] & card[0] else 0.0
        if clue[1] & (card[1] | card[2]):
            return bonus + self.naming
        if clue[2] & card[1]:
            return bonus + self.named
        weakly = self.weakly if clue[1] & card[3] or clue[3] & card[1] else 0.0
        return bonus + max(weakly, self.shared * min(MOST_SHARED, len(clue[2] & card[2])))


HEARD = Ties()
"""The bonuses for operatives, fitted on clues that people give."""


class Associations:
    """The topics and symbols of the words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._kinds = (symbols(language), *_topics(language))
        self._seen = lru_cache(MOST_SEEN)(self._ties)
        self._column = lru_cache(MOST_COLUMNS)(self._bonus_of_card)

    def knows(self, word: str) -> bool:
        """Return whether anything is tied to a word."""
        return any(self._seen(word))

    def bonus(self, clue: str, cards: Sequence[str], ties: Ties = HEARD) -> Bonus:
        """Return the bonus of a clue and each card."""
        said = self._seen(clue)
        return np.array([ties.bonus(said, self._seen(card)) for card in cards], np.float32)

    def bonuses(self, words: tuple[str, ...], cards: Sequence[str], ties: Ties = HEARD) -> Bonus:
        """Return the bonus of each of ``words`` (axis 0) and each card (axis 1)."""
        return np.stack([self._column(words, card, ties) for card in cards], axis=1)

    def _bonus_of_card(self, words: tuple[str, ...], card: str, ties: Ties) -> Bonus:
        lying = self._seen(card)
        return np.array([ties.bonus(self._seen(word), lying) for word in words], np.float32)

    def _ties(self, word: str) -> tuple[Numbers, ...]:
        """Return the symbols of a word, the topics that it names, those to which it belongs, and
        those to which it weakly does; of an unknown compound ('groentesoep') those of its parts."""
        found = self._known(plain(word))
        if any(found) or self.language == "en":
            return found
        for first, last in splits(plain(word)):
            parts = self._known(first), self._known(last)
            if all(map(any, parts)):
                return tuple(a | b for a, b in zip(*parts, strict=True))
        return found

    def _known(self, word: str) -> tuple[Numbers, ...]:
        forms = list(basic_forms(word, self.language))
        return tuple(next(filter(None, map(kind.get, forms)), frozenset()) for kind in self._kinds)


def plain(word: str) -> str:
    """Return a word in the spelling of glossaries: lower case, composed."""
    return unicodedata.normalize("NFC", folded(word))


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file of data without comments; none of a missing file."""
    found = path.read_text(encoding="utf-8").splitlines() if path.exists() else ()
    return (line for line in found if line and not line.startswith("#"))


@cache
def symbols(language: str) -> Tied:
    """Return the numbers of the symbols that people tied to each word."""
    rows = (line.split("\t") for line in lines(DATA / f"symbols-{language}.tsv"))
    return {word: frozenset(map(int, numbers.split())) for word, numbers in rows}


@cache
def _topics(language: str) -> tuple[Tied, Tied, Tied]:
    """Return the topics that each word names, those to which it belongs, and weakly belongs."""
    kinds: tuple[dict[str, set[int]], ...] = (defaultdict(set), defaultdict(set), defaultdict(set))
    files = (lines(DATA / f"{name}-{language}.txt") for name in ("topics", "thoughts"))
    for number, line in enumerate(chain.from_iterable(files)):
        names, _, said = line.partition(":")
        words, _, weaker = said.partition("|")
        for kind, text in zip(kinds, (names, words, weaker), strict=True):
            for word in text.split():
                kind[plain(word)].add(number)
    naming, members, weakly = map(_frozen, kinds)
    return naming, members, weakly


@cache
def thoughts(language: str) -> Mapping[str, tuple[Sequence[str], Sequence[str]]]:
    """Return the strong and the weaker words of which each card makes people think."""
    found = {}
    for line in lines(DATA / f"thoughts-{language}.txt"):
        card, _, said = line.partition(":")
        strong, _, weaker = said.partition("|")
        found[plain(card)] = strong.split(), weaker.split()
    return found


def _frozen(found: Mapping[str, set[int]]) -> Tied:
    return {word: frozenset(numbers) for word, numbers in found.items()}


@cache
def associations(language: str) -> Associations:
    """Return the associations of a language, loaded once; empty without data."""
    return Associations(language)
