"""The layout of words on cards: their hyphenation, and the width of their letters.

On a phone a long word fits on a card in two lines only. The lists mark the hyphenation of their
words; other words are hyphenated between groups of letters that look like syllables.
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

LEAST, MOST = 10, 24
"""The bounds of `Print.room`."""
_EACH: Final = 16
"""The styles have a class for every room up to this one, and then for every other."""

_ONE_LINE: Final = 7.0
"""Letters of an ordinary width: longer words get two lines."""
_LARGE_LINE: Final = 9.0
"""Letters of an ordinary width on one line of a large card."""
_LONGEST_LINE: Final = 12.0
"""Small letters on one line of a large card."""

_WIDTHS: Final = {
    **dict.fromkeys("-'’. IJ", 0.5),
    **dict.fromkeys("EFLT", 0.88),
    **dict.fromkeys("DGHNOQU", 1.08),
    **dict.fromkeys("MW", 1.35),
}
_BREAK: Final = re.compile(rf"(?<={SOFT})|(?<=[ -])")
# A consonant, or two that make one sound, goes with the vowel after it.
_SYLLABLE: Final = re.compile(
    r"(?<=[aeiouyáàäâéèëêíïîóòöôúüû])([^\W\d_aeiouyáàäâéèëêíïîóòöôúüû]*?)"
    r"(?=(?:sch|[csp]h|th|qu|[bcdfgkptv][rl]|[^\W\d_aeiouyáàäâéèëêíïîóòöôúüû])"
    r"[aeiouyáàäâéèëêíïîóòöôúüû])",
    re.IGNORECASE,
)


class Print(NamedTuple):
    """A word with soft hyphens, its language, the width of its longest line in half letters, and
    its lines.

    ``long`` words do not fit on the one line of a large card, ``wide`` words not even in small
    letters.
    """

    word: str
    language: str
    room: int
    lines: int
    long: bool = False
    wide: bool = False


@lru_cache(maxsize=2048)
def printed(word: str, language: str) -> Print:
    """Return the layout of a word on a card of words in a language."""
    broken = syllables(language).get(word) or "".join(map(_broken, re.split(r"([ -])", word)))
    whole = _width(word)
    split = min(map(_longest, _two_lines(broken)), default=whole)
    width = whole if whole <= _ONE_LINE else split
    room = min(max(round(2 * width + 0.49), LEAST), MOST)
    if room > _EACH:
        room += room % 2
    # Soft hyphens cost bytes: a word on one line goes without.
    if width == whole:
        return Print(word, language, room, 1)
    return Print(broken, language, room, 2, whole > _LARGE_LINE, whole > _LONGEST_LINE)


def _broken(word: str) -> str:
    """Return a word of no list with its soft hyphens, at least two letters from either end."""
    if len(word) < 6 or SOFT in word:
        return word
    after: dict[int, int] = {}
    for found in _SYLLABLE.finditer(word):
        after.setdefault(found.start(), found.end())
    ends = [0, *(place for place in after.values() if 2 <= place <= len(word) - 2), len(word)]
    return SOFT.join(word[start:end] for start, end in pairwise(ends))


def _two_lines(broken: str) -> Iterator[tuple[str, str]]:
    for place in (found.end() for found in _BREAK.finditer(broken)):
        yield broken[:place].replace(SOFT, ""), broken[place:].replace(SOFT, "")


def _longest(lines: tuple[str, str]) -> float:
    first, second = lines
    return max(_width(first.strip()) + (0 if first.endswith((" ", "-")) else 0.5), _width(second))


def _width(line: str) -> float:
    return sum(_WIDTHS.get(letter, 1.0) for letter in line.upper())
