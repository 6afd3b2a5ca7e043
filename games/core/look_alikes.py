"""Names that look alike: a Cyrillic letter for a Latin one, an I for an l, unnoticed accents.

The table of characters is Unicode's (UTS 39), from the library confusable-homoglyphs."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from confusable_homoglyphs.utils import load

_ASCII = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "m": "rn"})
"""The part of the table within ASCII, for which the rest need not be loaded, without regard to
case: an I looks like an l."""
_ACCENTED = ("LATIN", "GREEK", "CYRILLIC")
"""Scripts whose letters are told apart without their accents. In others a mark is a vowel."""


@lru_cache(1_000)
def skeleton(name: str) -> str:
    """Return the same text for all names that look alike.

    >>> skeleton("Olive") == skeleton("\\u041elive") == skeleton("O1iv\\u00e9")
    True
    """
    plain = _without_accents(unicodedata.normalize("NFKD", name))
    if not plain.isascii():
        table = _prototypes()
        plain = _without_accents("".join(table.get(sign, sign) for sign in plain))
    return " ".join(plain.casefold().translate(_ASCII).split())


def _without_accents(text: str) -> str:
    kept, accented = [], False
    for sign in text:
        if not unicodedata.combining(sign):
            accented = unicodedata.name(sign, "").startswith(_ACCENTED)
        elif accented:
            continue
        kept.append(sign)
    return "".join(kept)


@cache
def _prototypes() -> Mapping[str, str]:
    """Return the plainest character that each one looks like. In the library's table a character
    has one entry, its prototype, and a prototype has all of its own characters."""
    found = {}
    for sign, entries in load("confusables.json").items():
        if len(sign) == 1 and len(entries) == 1 and entries[0]["c"] < sign:
            found[sign] = entries[0]["c"]
    return found
