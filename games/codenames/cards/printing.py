"""The layout of words on cards: their lines, and the width of their letters.

All words of a board have one size. A word wider than its card is drawn narrower. Only the longest
words of players, wider than any in the lists, are hyphenated, between groups of letters that look
like syllables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from games.codenames.cards.word_lists import syllables

SOFT: Final = "\u00ad"
"""The soft hyphen, visible only at the end of a line."""

STEPS: Final = (11, 12, 13, 14, 16, 18, 20, 22, 24, 28, 36, 48)
"""The widths, in half letters, for which the style sheet has a class."""

_ONE_LINE: Final = 7.0
"""Letters of average width on one line: longer names of several words get a line for each word."""
_WIDEST: Final = 14.0
"""Letters that fit on one line when drawn narrower: longer words, which only players enter, are
hyphenated."""

_WIDTHS: Final = {
    **dict.fromkeys("-'’. IJ", 0.5),
    **dict.fromkeys("EFLT", 0.88),
    **dict.fromkeys("DGHNOQU", 1.08),
    **dict.fromkeys("MW", 1.35),
}
_BREAK: Final = re.compile(SOFT)
_PART: Final = re.compile(r"[^ -]+[ -]?")
# A consonant, or two that make one sound, belongs to the vowel after it.
_SYLLABLE: Final = re.compile(
    r"(?<=[aeiouyáàäâéèëêíïîóòöôúüû])([^\W\d_aeiouyáàäâéèëêíïîóòöôúüû]*?)"
    r"(?=(?:sch|[csp]h|th|qu|[bcdfgkptv][rl]|[^\W\d_aeiouyáàäâéèëêíïîóòöôúüû])"
    r"[aeiouyáàäâéèëêíïîóòöôúüû])",
    re.IGNORECASE,
)


class Print(NamedTuple):
    """A word with its language, its lines, and the width class of the longest line.

    ``width`` is one of `STEPS`, in half letters, or 0 for a word that is narrower than the
    first."""

    word: str
    language: str
    width: int
    lines: int


@lru_cache(maxsize=2048)
def printed(word: str, language: str) -> Print:
    """Return the layout of a word on a card of words in a language."""
    parts, whole = _PART.findall(word), _width(word)
    if len(parts) > 1 and whole > _ONE_LINE:
        width = _width_class(max(_width(part.strip()) for part in parts))
        return Print(word, language, width, len(parts))
    if whole <= _WIDEST:
        return Print(word, language, _width_class(whole), 1)
    broken = syllables(language).get(word) or _broken(word)
    first, second = min(_two_lines(broken), key=_longest, default=(word, ""))
    return Print(f"{first}{SOFT}{second}", language, _width_class(_longest((first, second))), 2)


def _width_class(letters: float) -> int:
    halves = 2 * letters
    # Words that fit on all cards are drawn as they are.
    return next((step for step in STEPS if step >= halves), STEPS[-1]) if halves > 10 else 0


def _broken(word: str) -> str:
    """Return a word that is in no list with soft hyphens, at least two letters from either end."""
    if len(word) < 6 or SOFT in word:
        return word
    after: dict[int, int] = {}
    for found in _SYLLABLE.finditer(word):
        after.setdefault(found.start(), found.end())
    ends = [0, *(place for place in after.values() if 2 <= place <= len(word) - 2), len(word)]
    return SOFT.join(word[start:end] for start, end in pairwise(ends))


def _two_lines(broken: str) -> Iterator[tuple[str, str]]:
    for place in (found.start() for found in _BREAK.finditer(broken)):
        yield broken[:place].replace(SOFT, ""), broken[place:].replace(SOFT, "")


def _longest(lines: tuple[str, str]) -> float:
    first, second = lines
    return max(_width(first) + 0.5, _width(second))


def _width(line: str) -> float:
    return sum(_WIDTHS.get(letter, 1.0) for letter in line.upper())
