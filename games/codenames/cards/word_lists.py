"""Words for cards: the lists of the game, and lists that players paste.

A list is a file ``words/<language>.txt``: first line ``# `` and the language's own name, then one
word a line, with a ``·`` where it may be hyphenated; lines that begin with ``#`` are comments. A
new language is a new file.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType

from games.codenames.cards.spelling import folded
from games.contract import (
    Text,
    blank_character,
    excess_combining_mark,
    is_mark,
    text,
    without_joiners,
)

MAX_WORD = 24
"""Characters of the longest own word that fits on a card on a phone."""

_FOLDER = Path(__file__).parent / "words"
_SEPARATORS = re.compile("[\n\r\v\f\x85\u2028\u2029\t,;]+")
_REMARK = re.compile(r"^[\ufeff \t]*#.*$", re.MULTILINE)
# The number of a word in a table, such as its rank or how often it was counted.
_NUMBER = re.compile(
    r"^[\ufeff ]*[0-9]+ *(?=\t)|(?<=\t) *[0-9]+(?:[.,][0-9]+)* *(?=[\t\r]|$)", re.MULTILINE
)
# A mark of a list before a word.
_BULLET = re.compile(r"^(?:(?:\(?\d{1,3}[.)]|[-–—*•‣◦·+]) +)+(?=\S)")
# Letters of Arabic and of the scripts of India and its neighbours, which have joiners inside words.
_JOINED = re.compile("[\u0600-\u08ff\u0900-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]")
_BREAK = "·"
_INSIDE = " -'’./&"


@cache
def languages() -> Mapping[str, str]:
    """Return the native name of each language with a list, by code and in order of codes."""
    names = {path.stem: _lines(path)[0].lstrip("# ") for path in sorted(_FOLDER.glob("*.txt"))}
    return MappingProxyType(names)


@cache
def word_list(language: str) -> tuple[str, ...]:
    """Return the words of a language's list. Raises KeyError for a language without one."""
    if language not in languages():
        raise KeyError(language)
    return tuple(line.replace(_BREAK, "") for line in _words(language))


@cache
def syllables(language: str) -> Mapping[str, str]:
    """Return the hyphenated form of each word in a language's list; empty without a list."""
    lines = _words(language) if language in languages() else ()
    found = {line.replace(_BREAK, ""): line.replace(_BREAK, "\u00ad") for line in lines}
    return MappingProxyType(found)


def _words(language: str) -> list[str]:
    lines = _lines(_FOLDER / f"{language}.txt")
    return [line for line in lines if line and not line.startswith("#")]


def _lines(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]


def split_words(pasted: str, language: str = "") -> list[str]:
    """Return the words of a pasted list in order, each once and in its first spelling.

    Commas, semicolons, tabs and line breaks separate words; spaces of any kind belong to a word
    ('ice cream'). Marks of lists ('1.', '-', '•'), byte order marks, lines that begin with '#' and
    numbers beside a tab are left out; an array in JSON is read, too. Words that differ only in
    case, ligatures or Unicode composition count as one."""
    found: dict[str, str] = {}
    for part in _parts(unicodedata.normalize("NFC", pasted)):
        spaced = " ".join(part.replace("\ufeff", " ").split())
        if word := _BULLET.sub("", spaced):
            found.setdefault(folded(word, language), word)
    return list(found.values())


def _parts(pasted: str) -> list[str]:
    if pasted.lstrip("\ufeff \r\n").startswith("["):
        with suppress(ValueError, RecursionError):
            read = json.loads(pasted.strip("\ufeff \r\n"))
            return [part for part in read if isinstance(part, str)]
    return _SEPARATORS.split(_NUMBER.sub("", _REMARK.sub("", pasted)))


def strange_character(word: str, inside: str) -> str | None:
    """Return the first character that is no letter, no mark and not in ``inside``; None if there is
    none.

    That excludes markup, control characters and bidirectional formatting. Invisible letters, and
    more marks on a letter than any script needs, count as strange too. Joiners are admitted between
    letters of scripts that need them."""
    if fault := blank_character(word) or excess_combining_mark(word):
        return fault
    drawn = without_joiners(word) if _JOINED.search(word) else word
    return next((character for character in drawn if not _may_stand(character, inside)), None)


def _may_stand(character: str, inside: str) -> bool:
    return unicodedata.category(character)[0] in "LM" or character in inside


def shown_character(character: str) -> str:
    """Return a character as a sentence may quote it: itself, or its code point (``U+202E``)."""
    visible = character.isprintable() and not (is_mark(character) or blank_character(character))
    return character if visible else f"U+{ord(character):04X}"


def word_fault(word: str) -> Text | None:
    """Return why a word cannot be on a card, None if it can."""
    shown = "".join(shown_character(character) for character in word[:MAX_WORD])
    if strange := strange_character(word, _INSIDE + "0123456789"):
        return text(
            "Cards can’t contain “%(character)s” (in “%(word)s”).",
            character=shown_character(strange),
            word=shown,
        )
    if len(word) > MAX_WORD:
        return text(
            "“%(word)s…” is too long for a card: at most %(most)s characters.",
            word=shown,
            most=MAX_WORD,
        )
    if not any(character.isalnum() for character in word):
        return text("“%(word)s” has no letters.", word=shown)
    return None


def first_fault(words: Iterable[str]) -> Text | None:
    """Return the fault of the first faulty word, None if all words can be on cards."""
    return next(filter(None, map(word_fault, words)), None)
