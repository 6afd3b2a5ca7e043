"""The semantics of WordNet's glosses: vectors in which words that explain each other are alike, and
the definitions themselves.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_ENDINGS = (
    *(("ies", "y"), ("es", "e"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e")),
    *(("ed", "e"), ("ed", ""), ("er", ""), ("er", "e"), ("est", "")),
)
_COMMONEST = 120
"""The number of commonest words left out of glosses: they explain nothing."""
_CHUNK = 50_000


@dataclass(frozen=True)
class WordNet:
    """``glosses`` by sense, ``senses`` of each word, commonest first, irregular forms, and the
    senses ``related`` to each sense (its kind, its parts, its opposite and the like).
    """

    glosses: Mapping[str, str]
    senses: Mapping[str, list[str]]
    irregular: Mapping[str, str]
    related: Mapping[str, list[str]]

    def lemma(self, word: str, known: Container[str]) -> str | None:
        """Return the basic form of a word, if it is among ``known``."""
        if word in known:
            return word
        if word in self.irregular and self.irregular[word] in known:
            return self.irregular[word]
        forms = (word[: -len(old)] + new for old, new in _ENDINGS if word.endswith(old))
        return next((form for form in forms if len(form) > 2 and form in known), None)


def read_wordnet(folder: Path) -> WordNet:
    """Return WordNet's database from its files in Debian's package wordnet-base."""
    glosses: dict[str, str] = {}
    senses: dict[str, list[str]] = defaultdict(list)
    irregular: dict[str, str] = {}
    related: dict[str, list[str]] = {}
    for part, letter in _PARTS.items():
        for fields, gloss in _records(folder / f"data.{part}"):
            glosses[letter + fields[0]] = gloss
            related[letter + fields[0]] = list(_pointers(fields))
        for fields, _ in _records(folder / f"index.{part}"):
            senses[fields[0]] += [letter + offset for offset in fields[-int(fields[2]) :]]
        for line in (folder / f"{part}.exc").read_text().splitlines():
            irregular.setdefault(*line.split()[:2])
    return WordNet(glosses, senses, irregular, related)


def _pointers(fields: list[str]) -> Iterator[str]:
    """Yield the senses that a record points to.

    After its words, each pointer is a symbol, an offset, a letter for the part of speech ('s' is an
    adjective too) and a pair of word numbers."""
    first = 4 + 2 * int(fields[3], 16)
    for at in range(first + 1, first + 1 + 4 * int(fields[first]), 4):
        yield fields[at + 2].replace("s", "a") + fields[at + 1]


def _records(path: Path) -> Iterator[tuple[list[str], str]]:
    for line in path.read_text().splitlines():
        if not line.startswith("  "):
            left, _, gloss = line.partition("|")
            yield left.split(), gloss


def vectors(wordnet: WordNet, words: list[str], dimensions: int) -> Floats:
    """Return a unit vector for each word, zero for one that no gloss has.

    They are the weighted counts of words in each other's glosses and related senses, as positive
    mutual information, reduced by its singular vectors."""
    rows, columns, counts = _counts(wordnet, words)
    values = _mutual_information(rows, columns, counts, len(words))
    everyone = np.arange(len(words))
    known = np.isin(everyone, rows)
    matrix = Sparse(
        np.concatenate([rows, everyone[known]]),
        np.concatenate([columns, everyone[known]]),
        np.concatenate([values, np.full(int(known.sum()), 3, np.float32)]),
        len(words),
    )
    left, singular = matrix.normalised().largest_singular(dimensions)
    return unit(left * np.sqrt(singular))


def definitions(wordnet: WordNet, words: list[str], most: int) -> dict[str, dict[str, float]]:
    """Return the definitions of the ``most`` commonest senses of each word, without examples and
    remarks, and the share of each in the word's use."""
    found: dict[str, dict[str, float]] = {}
    for word in words:
        senses = _senses(wordnet, word)[:most]
        shares = _shares(len(senses))
        found[word] = {
            _definition(wordnet.glosses[sense]): share
            for sense, share in zip(senses, shares, strict=True)
        }
    return found


def _definition(gloss: str) -> str:
    return re.sub(r"\(.*?\)", "", gloss.split('"')[0].split(";")[0]).strip().lower()


def _senses(wordnet: WordNet, word: str) -> list[str]:
    return wordnet.senses.get(wordnet.lemma(word, wordnet.senses) or "", [])


def _shares(senses: int) -> list[float]:
    """Return the share of each sense in a word's use, the commonest first: by Zipf's law."""
    weights = [1 / (rank + 1) ** 0.7 for rank in range(senses)]
    return [weight / sum(weights) for weight in weights]


def _counts(wordnet: WordNet, words: list[str]) -> tuple[NDArray[np.int64], ...]:
    index = {word: number for number, word in enumerate(words)}
    together: dict[tuple[int, int], float] = defaultdict(float)
    lemmas = _Lemmas(wordnet, words)
    owners = _owners(wordnet, words)
    for sense, holders in owners.items():
        explained = Counter(lemmas.of(wordnet.glosses[sense]))
        for word, share in holders:
            for other, count in explained.items():
                together[index[word], index[other]] += share * count
                together[index[other], index[word]] += share * count / 2
            for synonym, _ in holders:
                together[index[word], index[synonym]] += 2 * share
            for other, weight in _relatives(wordnet, owners, sense):
                together[index[word], index[other]] += share * weight
                together[index[other], index[word]] += share * weight
    pairs = {pair: count for pair, count in together.items() if pair[0] != pair[1]}
    rows, columns = np.array(list(pairs)).T
    return rows, columns, np.array(list(pairs.values()), np.float32)


def _relatives(
    wordnet: WordNet, owners: Mapping[str, list[tuple[str, float]]], sense: str
) -> Iterator[tuple[str, float]]:
    for other in wordnet.related.get(sense, ()):
        yield from owners.get(other, ())


class _Lemmas:
    """The words of glosses in their basic form, without the commonest."""

    def __init__(self, wordnet: WordNet, words: list[str]) -> None:
        self._wordnet, self._known, self._dull = wordnet, set(words), set(words[:_COMMONEST])
        self._found: dict[str, str | None] = {}

    def of(self, gloss: str) -> Iterator[str]:
        for word in re.findall("[a-z]+", gloss.lower()):
            if word not in self._found:
                self._found[word] = self._wordnet.lemma(word, self._known)
            if (lemma := self._found[word]) and lemma not in self._dull:
                yield lemma


def _owners(wordnet: WordNet, words: list[str]) -> dict[str, list[tuple[str, float]]]:
    """Return the words of each sense, each with the share that the sense has in the word's use."""
    owners: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for word in words:
        senses = _senses(wordnet, word)
        for sense, share in zip(senses, _shares(len(senses)), strict=True):
            owners[sense].append((word, share))
    return owners


def _mutual_information(
    rows: NDArray[np.int64], columns: NDArray[np.int64], counts: NDArray[np.int64], size: int
) -> Floats:
    by_row = np.bincount(rows, counts, size)
    by_column = np.bincount(columns, counts, size) ** 0.75
    ratio = counts * by_column.sum() / (by_row[rows] * by_column[columns])
    information: Floats = np.maximum(np.log(ratio), 0).astype(np.float32)
    return information


def unit(matrix: Floats) -> Floats:
    """Return each row at length one; rows of zeros stay."""
    length = np.linalg.norm(matrix, axis=1, keepdims=True)
    rows: Floats = (matrix / np.maximum(length, 1e-9)).astype(np.float32)
    return rows


class Sparse:
    """A square matrix of which few entries are not zero."""

    def __init__(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], values: Floats, size: int
    ) -> None:
        self.rows, self.columns, self.values, self.size = rows, columns, values, size

    def normalised(self) -> Sparse:
        """Return the matrix with rows of length one."""
        squares = np.bincount(self.rows, self.values**2, self.size)
        length = np.sqrt(np.maximum(squares, 1e-9))
        values = (self.values / length[self.rows]).astype(np.float32)
        return Sparse(self.rows, self.columns, values, self.size)

    def transposed(self) -> Sparse:
        return Sparse(self.columns, self.rows, self.values, self.size)

    def times(self, dense: Floats) -> Floats:
        """Return the product with a matrix of ``size`` rows."""
        order = np.argsort(self.rows, kind="stable")
        result = np.zeros((self.size, dense.shape[1]), np.float32)
        for start in range(0, len(order), _CHUNK):
            chunk = order[start : start + _CHUNK]
            rows, first = np.unique(self.rows[chunk], return_index=True)
            products = self.values[chunk, None] * dense[self.columns[chunk]]
            result[rows] += np.add.reduceat(products, first, axis=0)
        return result

    def largest_singular(self, count: int) -> tuple[Floats, Floats]:
        """Return the left singular vectors of the largest singular values, and these values.

        By the randomised method of Halko, Martinsson and Tropp (2011)."""
        rng = np.random.default_rng(0)
        back = self.transposed()
        basis = self.times(rng.standard_normal((self.size, count + 20)).astype(np.float32))
        for _ in range(3):
            basis = np.linalg.qr(basis)[0]
            basis = self.times(np.linalg.qr(back.times(basis))[0])
        basis = np.linalg.qr(basis)[0]
        left, singular, _ = np.linalg.svd(back.times(basis).T, full_matrices=False)
        return (basis @ left)[:, :count], singular[:count]
