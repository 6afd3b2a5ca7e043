"""The meanings of a language's words: vectors of clues and cards, and the vocabulary of clues."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai.associations import lines, plain, symbols
from games.codenames.ai.forms import basic_forms, splits
from games.codenames.ai.table import DATA, Table, Vector, table
from games.codenames.cards.pictures import pictures
from games.codenames.cards.spelling import bare
from games.contract import CannotPlay, text

Likeness = NDArray[np.float32]

_TAGS_COUNT = 0.5
"""The weight of a picture's tags relative to its name."""
_FIRST_PART = 0.7
"""The weight of the first part of a compound relative to the last, which names the kind of
thing."""

_TIED = 5
"""The English words that make up the meaning of a word that is known by its symbols alone."""

MOST_SEEN = 20_000
"""Words whose meaning is cached; the cache is bounded because players bring words of their own."""


@dataclass(frozen=True)
class Vocabulary:
    """Words that may be given as clues, the commonest first, and a row of ``vectors`` for each.

    ``bare`` are the words in the form of `games.codenames.clues.bare`; ``spaces`` are those of the
    table.
    """

    words: tuple[str, ...]
    bare: tuple[str, ...]
    vectors: NDArray[np.float32]
    spaces: tuple[slice, ...]

    @cached_property
    def _spreads(self) -> list[float]:
        """Return the root mean square of the products of two words, in each space."""
        parts = [self.vectors[:, space] for space in self.spaces]
        return [max(float(np.linalg.norm(part.T @ part)) / len(part), 1e-6) for part in parts]

    @cached_property
    def _usual(self) -> tuple[Vector, NDArray[np.float32]]:
        """Return the mean of the words, and their covariances around it."""
        return self.vectors.mean(axis=0), np.cov(self.vectors.T).astype(np.float32)

    @property
    def mean(self) -> Vector:
        """Return the mean of the words."""
        return self._usual[0]

    def deviations(self, meanings: Likeness) -> Vector:
        """Return the standard deviation of the products of each meaning and these words."""
        squares = np.einsum("ij,ij->i", meanings @ self._usual[1], meanings)
        found: Vector = np.maximum(np.sqrt(squares), np.float32(1e-6))
        return found

    def standing(self, clue: Vector | None, cards: Sequence[Vector | None]) -> Vector:
        """Return how far each card stands out for a clue.

        That is the likeness of clue and card minus the card's average likeness to these words, in
        standard deviations; 0 for an unknown meaning."""
        mean, _ = self._usual
        found: Vector = self.standings((mean if clue is None else clue)[None], cards)[0]
        return found

    def standings(self, clues: Likeness, cards: Sequence[Vector | None]) -> Likeness:
        """Return how far each card (axis 1) stands out for each clue (axis 0), see `standing`."""
        mean, _ = self._usual
        nothing = np.zeros_like(mean)
        meanings = np.array([nothing if card is None else card for card in cards])
        found: Likeness = (clues - mean) @ meanings.T / self.deviations(meanings)
        return found

    def likeness(self, clues: NDArray[np.float32], cards: Sequence[Vector | None]) -> Likeness:
        """Return the likeness of each clue (axis 1) and card (axis 2) in each space (axis 0).

        One is the usual likeness of two words; a card of unknown meaning is like no clue."""
        nothing = np.zeros(self.vectors.shape[1], np.float32)
        meanings = np.array([nothing if card is None else card for card in cards])
        spaces = zip(self.spaces, self._spreads, strict=True)
        return np.array([clues[:, at] @ (meanings[:, at].T / np.float32(sd)) for at, sd in spaces])


class Lexicon:
    """The words of one language, over the table of English words.

    English words are in the table themselves. Words of another language get their meaning from a
    glossary, a file ``glossary-<language>.tsv``: each is the mean of the English words of the same
    meaning.
    """

    def __init__(self, language: str, words: Table) -> None:
        self.language = language
        self._table = words
        self._glossary = {} if language == "en" else _glossary(DATA, language)
        self._names = _names(DATA, language)
        self._seen = lru_cache(MOST_SEEN)(self._meaning)

    def clues(self) -> Vocabulary:
        """Return the everyday words that may be given as clues."""
        if self.language == "en":
            words = [line for line in lines(DATA / "clues-en.txt") if line in self._table.rank]
        else:
            words = [word for word, entry in self._glossary.items() if entry.clue]
        common = sorted(words, key=lambda word: (self._rank(word), word))
        found = [(word, vector) for word in common if (vector := self.vector(word)) is not None]
        spelled = tuple(word for word, _ in found)
        vectors = np.array([row for _, row in found])
        return Vocabulary(spelled, tuple(map(bare, spelled)), vectors, self._table.spaces)

    @property
    def glossary(self) -> Iterable[str]:
        return self._glossary.keys()

    def english(self, word: str) -> tuple[str, ...]:
        """Return the English words of a word's row in the glossary; empty without one."""
        entry = self._glossary.get(plain(word))
        return entry.english if entry else ()

    def translations(self, word: str) -> tuple[str, ...]:
        """Return the English words of a word or of one of its forms; itself if none is known."""
        for form in basic_forms(plain(word), self.language):
            if found := self.english(form) or self._names.get(form, ()):
                return tuple(found)
        return (plain(word),)

    def _rank(self, word: str) -> int:
        entry = self._glossary.get(word)
        last = len(self._table.rank)
        english = entry.english if entry else (word,)
        return min(self._table.rank.get(word, last) for word in english)

    def picture(self, picture: str) -> Vector | None:
        """Return the meaning of a picture: of its English name and its tags."""
        known = pictures().get(picture)
        if known is None:
            return None
        name = _english(self._table).vector(known.names["en"])
        tags = self._mean(_tags().get(picture, ()))
        if name is None or tags is None:
            return tags if name is None else name
        return self._of_usual_length(name + _TAGS_COUNT * tags)

    def vector(self, word: str) -> Vector | None:
        """Return the meaning of a word, or of several ('ice cream'); None where no part is
        known."""
        return self._seen(word)

    def _meaning(self, word: str) -> Vector | None:
        parts = re.split(r"[^\w]+", plain(word))
        known = [part for part in map(self._one, filter(None, parts)) if part is not None]
        # The last of several words names the kind of thing.
        weights = [*([_FIRST_PART] * (len(known) - 1)), 1.0]
        return self._weighted(known, weights) if known else None

    def _one(self, word: str) -> Vector | None:
        for form in basic_forms(word, self.language):
            if (found := self._entry(form)) is not None:
                return found
        if word in self._names:
            return self._mean(self._names[word])
        if self.language != "en" and (found := self._table.vector(word)) is not None:
            return found
        found = self._compound(word)
        return self._tied(word) if found is None else found

    def _tied(self, word: str) -> Vector | None:
        """Return the mean of the English words that are tied to most of a word's symbols."""
        tied = symbols(self.language)
        numbers = next(filter(None, map(tied.get, basic_forms(word, self.language))), frozenset())
        if self.language == "en" or not numbers:
            return None
        english = Counter(other for number in numbers for other in _english_words().get(number, ()))
        return self._mean(other for other, _ in english.most_common(_TIED))

    def _entry(self, form: str) -> Vector | None:
        if self.language == "en":
            return self._table.vector(form)
        entry = self._glossary.get(form)
        return self._mean(entry.english) if entry else None

    def _compound(self, word: str) -> Vector | None:
        for first, last in splits(word):
            known = [self._entry(first), self._part(last)]
            if known[0] is not None and known[1] is not None:
                return self._weighted([known[0], known[1]], [_FIRST_PART, 1.0])
        return None

    def _part(self, word: str) -> Vector | None:
        entries = map(self._entry, basic_forms(word, self.language))
        return next((entry for entry in entries if entry is not None), None)

    def _mean(self, english: Iterable[str]) -> Vector | None:
        rows = [row for row in map(self._table.vector, english) if row is not None]
        return self._weighted(rows, [1.0] * len(rows)) if rows else None

    def _weighted(self, rows: list[Vector], weights: list[float]) -> Vector:
        if len(rows) == 1:
            return rows[0]
        return self._of_usual_length(np.tensordot(np.float32(weights), np.array(rows), 1))

    def _of_usual_length(self, vector: Vector) -> Vector:
        """Return a mean scaled to the usual length: means are shorter than their terms, and would
        seem vaguer."""
        length = float(np.linalg.norm(vector))
        return np.float32(self._table.usual_length / length) * vector if length else vector


@dataclass(frozen=True)
class _Entry:
    english: tuple[str, ...]
    clue: bool


def _glossary(folder: Path, language: str) -> Mapping[str, _Entry]:
    path = folder / f"glossary-{language}.tsv"
    if not path.exists():
        raise CannotPlay(text("The computer doesn’t know the language of these cards."))
    entries = {}
    for line in lines(path):
        word, english = line.split("\t")
        entries[plain(word.lstrip("-"))] = _Entry(tuple(english.split()), word[0] != "-")
    return entries


@cache
def _tags() -> Mapping[str, tuple[str, ...]]:
    rows = (line.split("\t") for line in lines(DATA / "pictures.tsv"))
    return {key: tuple(tags.split()) for key, tags in rows}


def _names(folder: Path, language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the English words of names of countries, languages and cities."""
    rows = (line.split("\t") for line in lines(folder / f"names-{language}.tsv"))
    return {name: tuple(english.split()) for name, english in rows}


@cache
def _english_words() -> Mapping[int, tuple[str, ...]]:
    """Return the English words of each symbol."""
    found: dict[int, list[str]] = defaultdict(list)
    for word, numbers in symbols("en").items():
        for number in numbers:
            found[number].append(word)
    return {number: tuple(words) for number, words in found.items()}


@cache
def _english(words: Table) -> Lexicon:
    return Lexicon("en", words)


@cache
def lexicon(language: str) -> Lexicon:
    """Return the lexicon of a language, loaded once. Raises CannotPlay for a language
    without data."""
    return Lexicon(language, table())


@cache
def vocabulary(language: str) -> Vocabulary:
    """Return the words of a language that may be given as clues, collected once."""
    return lexicon(language).clues()
