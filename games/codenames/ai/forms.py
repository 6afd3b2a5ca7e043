"""Forms of words: related words that are no legal clues, and the basic forms in dictionaries."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from games.codenames.cards.spelling import bare
from games.codenames.related import bases, last_parts

_SHORTEST_STEM = 4
_SHORTEST_PART = 3

_ENDINGS = {
    "en": (
        *(("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", "e"), ("es", ""), ("s", "")),
        *(("ing", ""), ("ing", "e"), ("ed", "e"), ("ed", ""), ("er", ""), ("er", "e")),
        *(("est", ""), ("ly", ""), ("y", "")),
    ),
    "nl": (
        *(("eren", ""), ("en", ""), ("en", "e"), ("ens", "en"), ("s", ""), ("e", ""), ("t", "en")),
        *(("etje", ""), ("pje", ""), ("tje", ""), ("je", ""), ("jes", ""), ("tjes", "")),
        *(("de", "en"), ("te", "en"), ("er", ""), ("ing", "en"), ("", "en"), ("", "e")),
        # 'kampeerder', 'dirigeren', 'brandend', 'zanger', 'zangeres', 'gitarist', 'rotsachtig'
        *(("eerder", "eren"), ("eerster", "eren"), ("eren", "ent"), ("eren", "eur")),
        *(("eren", "atie"), ("end", "en"), ("ende", "en"), ("end", ""), ("ende", "")),
        *(("er", "en"), ("der", "en"), ("ster", "en"), ("ers", "en"), ("aar", "en"), ("es", "")),
        *(("in", ""), ("ij", ""), ("ist", ""), ("isten", ""), ("ig", ""), ("ige", "")),
        *(("achtig", ""), ("achtige", ""), ("isch", ""), ("ische", ""), ("heid", "")),
        *(("loos", ""), ("loze", ""), ("baar", "en"), ("d", "en"), ("ant", "eren")),
    ),
}
_PREFIXES = (
    *("aan", "achter", "af", "binnen", "bij", "dicht", "door", "in", "los", "mee", "na", "neer"),
    *("om", "onder", "op", "open", "over", "terug", "toe", "uit", "vast", "voor", "weg"),
)
"""The first parts of Dutch verbs that stand apart ('inkopen', 'ik koop in')."""
_VOWELS = "aeiou"
_LINKS = ("", "s", "e", "en", "n")


class WordForms:
    """The words on a table, to check whether a clue is related to one of them.

    Computers are stricter than the rules: they give no word that anybody could object to."""

    def __init__(self, table: Iterable[str], language: str = "en") -> None:
        self._language = language
        words = [word for name in table for word in (name, *re.split(r"[\s-]+", name))]
        self._words = list(dict.fromkeys(filter(None, map(bare, words))))
        self._joined = " ".join(self._words)
        # One pattern, since thousands of words are checked in each turn; '(?!)' never matches.
        self._any_word = re.compile("|".join(map(re.escape, self._words)) or "(?!)")
        self._sounds = set(map(_sound, self._words))
        self._by_start: dict[str, list[str]] = defaultdict(list)
        self._bases = {base for word in self._words for base in bases(word, language)}
        self._ends = tuple({end for word in self._words for end in last_parts(word, language)})
        for word in self._words:
            self._by_start[word[:_SHORTEST_STEM]].append(word)

    def has(self, word: str) -> bool:
        """Return whether ``word``, which must be bare, is related to a word on the table.

        It contains one, is contained in one, sounds like one, shares a stem or its last part with
        one ('wasmachine', 'naaimachine'), or is a form of one."""
        if word in self._joined:
            return True
        if self._any_word.search(word) or _sound(word) in self._sounds:
            return True
        alike = self._by_start.get(word[:_SHORTEST_STEM], ())
        if any(_same_stem(word, card) for card in alike):
            return True
        return self._is_form(word) or word.endswith(self._ends)

    def _is_form(self, word: str) -> bool:
        return word in self._bases or not bases(word, self._language).isdisjoint(self._words)


# Fast, because it is called for all words of a level in each turn.
@lru_cache(50_000)
def _sound(word: str) -> str:
    """Return an approximate pronunciation, which is the same for ``karavaan`` and ``caravan``."""
    return re.sub(r"(.)\1+", r"\1", word.replace("ph", "f").replace("c", "k"))


def _same_stem(one: str, other: str) -> bool:
    stem = _common_start(one, other)
    return stem >= _SHORTEST_STEM and 10 * stem >= 6 * min(len(one), len(other))


def _common_start(one: str, other: str) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def basic_forms(word: str, language: str) -> Iterator[str]:
    """Yield the forms under which a dictionary may have a word, the word itself first."""
    yield word
    yield from _without_endings(word, language)
    if language == "nl":
        for rest in _verbs(word):
            yield rest
            yield from _without_endings(rest, language)


def _verbs(word: str) -> Iterator[str]:
    """Yield a Dutch verb without its first part, or a participle without 'ge'."""
    for prefix in ("", *_PREFIXES):
        rest = word.removeprefix(prefix)
        is_cut = len(rest) < len(word)
        if is_cut and len(rest) > _SHORTEST_STEM and rest.endswith("en"):
            yield rest
        if (is_cut or not prefix) and len(rest) > _SHORTEST_STEM and rest.startswith("ge"):
            yield rest[2:]


def _without_endings(word: str, language: str) -> Iterator[str]:
    for old, new in _ENDINGS.get(language, ()):
        if word.endswith(old) and len(word) - len(old) >= _SHORTEST_PART:
            stem = word[: len(word) - len(old)]
            yield stem + new
            if stem[-1] == stem[-2]:
                yield stem[:-1] + new
            if language == "nl":
                yield from _dutch_spellings(stem, new)


def _dutch_spellings(stem: str, ending: str) -> Iterator[str]:
    """Yield the stems that a Dutch word may have without its ending, in their own spelling.

    ``bomen`` is ``boom``, ``brieven`` is ``brief``, ``huizen`` is ``huis``; ``kookt`` is
    ``koken``, ``klimt`` is ``klimmen``."""
    last = {"v": "f", "z": "s"}.get(stem[-1], stem[-1])
    yield stem[:-1] + last + ending
    if ending.startswith("e") and stem[-1] not in _VOWELS:
        back = {"f": "v", "s": "z"}.get(stem[-1], stem[-1])
        yield stem[:-1] + back + ending
        if stem[-2] in _VOWELS:
            is_long = stem[-3:-2] == stem[-2]
            yield stem[:-2] + back + ending if is_long else stem + stem[-1] + ending
    if len(stem) >= _SHORTEST_PART - 1 and stem[-2] in _VOWELS and stem[-1] not in _VOWELS:
        yield stem[:-2] + 2 * stem[-2] + last + ending


def splits(word: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to split a compound ('boomhut' is 'boom' and 'hut'), the longest last part
    first.

    Letters that link the parts are left out."""
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        for link in _LINKS:
            first = word[: at - len(link)] if word[:at].endswith(link) else ""
            if len(first) >= _SHORTEST_PART:
                yield first, word[at:]
