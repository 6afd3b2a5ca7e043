"""Characters that show nothing, or more than fits on a line. Pure."""

from __future__ import annotations

import re
import unicodedata

_HIGHEST_PILE = 3
"""Marks on one letter: as many as any script needs."""
# What is drawn as nothing at all: Unicode's Default_Ignorable_Code_Point, as far as it is not of a
# category that nobody lets in, and the Braille pattern without dots.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)

_JOINERS = "\u200c\u200d"


def is_mark(character: str) -> bool:
    """Whether it is drawn on or around the character before it."""
    return unicodedata.category(character)[0] == "M"


def blank_character(text: str) -> str | None:
    """The first letter, mark or sign that is drawn as nothing; None if none is."""
    found = _BLANK.search(text)
    return found[0] if found else None


def without_joiners(text: str) -> str:
    """The text without the joiners that belong to it: each between two letters, marks or symbols.

    U+200C and U+200D show nothing, but Persian, Sinhala and others are not spelled right without
    them, and emoji are joined by the second. UAX #31 and RFC 5892 (CONTEXTJ) say for each script
    where they may stand; this is what those rules have in common. Others are left in the text: at
    an end, beside a space or another joiner."""
    kept = [
        character
        for before, character, after in zip(" " + text, text, text[1:] + " ", strict=False)
        if not (character in _JOINERS and _is_drawn(before) and _is_drawn(after))
    ]
    return "".join(kept)


def _is_drawn(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMS" and not blank_character(character)


def excess_combining_mark(text: str) -> str | None:
    """The first mark that stands on more marks than any script needs; None if none does."""
    pile = 0
    for character in text:
        pile = pile + 1 if is_mark(character) else 0
        if pile > _HIGHEST_PILE:
            return character
    return None


def display_excerpt(typed: str, most: int) -> str:
    """What somebody typed, to be said again in a sentence: its first ``most`` characters, with
    U+FFFD for those that nobody sees or that turn around what follows."""
    shown = (sign if sign.isprintable() else "\ufffd" for sign in typed[:most])
    return _BLANK.sub("\ufffd", "".join(shown))
