"""Checks for invisible characters, and for piles of marks that do not fit on a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_HIGHEST_PILE = 3
"""Marks on one letter: as many as any script needs."""
# Invisible characters: Unicode's Default_Ignorable_Code_Point without the categories that names and
# words never admit, and the Braille pattern without dots.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)

_JOINERS = "\u200c\u200d"
_VIRAMA = 9
"""The combining class of signs that take the vowel from a letter."""
# The flags of England, Scotland and Wales: a black flag, and invisible letters of the region.
_FLAG_TAGS = re.compile(
    "(?<=\U0001f3f4)(?:"
    + "|".join(
        "".join(chr(0xE0000 + ord(letter)) for letter in region)
        for region in ("gbeng", "gbsct", "gbwls")
    )
    + ")\U000e007f"
)


def is_mark(character: str) -> bool:
    """Return whether a character is drawn on or around the character before it."""
    return unicodedata.category(character)[0] == "M"


def blank_character(text: str) -> str | None:
    """Return the first invisible letter, mark or sign; None if there is none.

    >>> blank_character('a\u3164b')
    '\u3164'
    """
    found = _BLANK.search(text)
    return found[0] if found else None


def without_joiners(text: str) -> str:
    """Return the text without its legitimate joiners: those between letters, marks or symbols.

    U+200C and U+200D show nothing, but Persian, Sinhala and other scripts need them, and the
    second joins emoji. UAX #31 and RFC 5892 (CONTEXTJ) give rules for each script; this is the
    common part of them. Joiners at the beginning or end, or beside a space or another joiner, stay
    in the text, unless they form the letter before them: those after a virama, as at the end of
    names in Malayalam."""
    kept = [
        character
        for before, character, after in zip(" " + text, text, text[1:] + " ", strict=False)
        if not (character in _JOINERS and _joins(before, after))
    ]
    return "".join(kept)


def _joins(before: str, after: str) -> bool:
    if unicodedata.combining(before) == _VIRAMA and after not in _JOINERS:
        return True
    return _is_drawn(before) and _is_drawn(after)


def _is_drawn(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMS" and not blank_character(character)


def without_flag_tags(text: str) -> str:
    """Return the text without the invisible letters that make a black flag that of a country."""
    return _FLAG_TAGS.sub("", text)


def excess_combining_mark(text: str) -> str | None:
    """Return the first combining mark beyond the number that any script needs; None if there is
    none.

    >>> excess_combining_mark('e\u0301'), excess_combining_mark('e' + '\u0301' * 4)
    (None, '\u0301')
    """
    pile = 0
    for character in text:
        pile = pile + 1 if is_mark(character) else 0
        if pile > _HIGHEST_PILE:
            return character
    return None


def display_excerpt(typed: str, most: int) -> str:
    """Return typed text as a sentence may quote it: its first ``most`` characters.

    U+FFFD stands for invisible characters and for those that reverse the text after them.

    >>> display_excerpt('f\u202e5', 40) == 'f\ufffd5'
    True
    """
    shown = (sign if sign.isprintable() else "\ufffd" for sign in typed[:most])
    return _BLANK.sub("\ufffd", "".join(shown))


_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


def plain_signs(text: str) -> tuple[str, Sequence[int]]:
    """Return a text in the signs of notations, and for each sign its place in the text: full-width
    forms, other dashes and spaces are replaced, and invisible characters are left out.

    >>> plain_signs('\uff26\uff15\u00ad d6')[0]
    'F5 d6'
    """
    if text.isascii():
        return text, range(len(text))
    unseen = {*_UNSEEN.findall(text)}
    plain = {ord(sign): "" if sign in unseen else _plain(sign) for sign in {*text}}
    kept = (
        [at for at, sign in enumerate(text) if sign not in unseen] if unseen else range(len(text))
    )
    return text.translate(plain), kept


def _plain(sign: str) -> str:
    if sign < "\x7f":
        return sign
    if unicodedata.category(sign) in {"Pd", "Zs"} or sign == "\u2212":
        return " " if unicodedata.category(sign) == "Zs" else "-"
    plain = unicodedata.normalize("NFKC", sign)
    return plain if len(plain) == 1 else sign
