"""Forms of words that are the same for words that differ only in spelling."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ACCENTS = re.compile("[\u0300-\u036f]")
_JOINERS = re.compile("[\u200c\u200d]")
_LIGATURES = str.maketrans(
    {"œ": "oe", "æ": "ae", "ĳ": "ij", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ŉ": "n"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})
_SPELL_UMLAUTS_OUT = {"de", "gsw", "lb"}
_DOTLESS = {"tr", "az"}
"""Languages in which I is the capital of a letter without a dot."""


def folded(word: str, language: str = "") -> str:
    """Return a form that is the same for words that differ only in case, ligatures or Unicode
    composition. In German ``ä`` is ``ae``; in Turkish ``I`` is the capital of the i without a
    dot."""
    composed = unicodedata.normalize("NFC", word)
    if language in _DOTLESS:
        composed = composed.replace("I", "\u0131").replace("\u0130", "i")
    small = unicodedata.normalize("NFC", composed.casefold()).translate(_LIGATURES)
    return small.translate(_UMLAUTS) if language in _SPELL_UMLAUTS_OUT else small


@lru_cache(maxsize=8192)
def bare(word: str, language: str = "") -> str:
    """Return a folded word without accents, hyphens, spaces, joiners and wide letter forms."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded(word, language)))
    plain = _JOINERS.sub("", re.sub(r"[\s.'’/&-]", "", plain))
    return folded(plain, language).replace("\u0131", "i") or folded(word, language)
