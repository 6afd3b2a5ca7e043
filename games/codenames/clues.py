"""Clues of spymasters: one word and a number, ``clue ocean 3``."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from games.codenames.cards.word_lists import folded, shown_character, strange_character
from games.contract import BadNotation, IllegalMove, text

MAX_CLUE = 30
UNLIMITED = "unlimited"
NUMBERS = (*string.digits, UNLIMITED)

_JOINERS = "-'’"
_SPECIMENS = ("hint", "clue", "word")
_IDEOGRAPHS = range(0x4E00, 0x9FFF)
_ACCENTS = re.compile("[\u0300-\u036f]")


@dataclass(frozen=True, slots=True)
class Clue:
    """A word and a number of cards; ``number`` is one of NUMBERS."""

    word: str
    number: str

    @property
    def guesses(self) -> int | None:
        """Return the number of guesses that the clue allows, None for no limit.

        The published rules allow one more than its number, and any number after zero or
        unlimited."""
        return None if self.number in {"0", UNLIMITED} else int(self.number) + 1


def parse_clue(move: str) -> Clue:
    """Return the clue of a move ``clue <word> <number>``. Raises BadNotation with the fault."""
    steps = unicodedata.normalize("NFC", move).split(" ")
    if len(steps) != 3 or steps[0] != "clue":
        raise BadNotation(text("A clue is one word and a number, e.g. “clue ocean 3”."))
    _, word, number = steps
    if number not in NUMBERS:
        raise BadNotation(text("The number of a clue is 0 to 9 or unlimited."))
    _check_letters(word)
    return Clue(word, number)


def _check_letters(word: str) -> None:
    if len(word) > MAX_CLUE:
        raise BadNotation(text("A clue can have at most %(most)s letters.", most=MAX_CLUE))
    if strange := strange_character(word, _JOINERS):
        raise BadNotation(
            text(
                "A clue can’t contain “%(character)s”, only letters.",
                character=shown_character(strange),
            )
        )
    if not (word[0].isalpha() and word[-1] not in _JOINERS):
        raise BadNotation(text("Hyphens and apostrophes are only allowed between letters."))


@lru_cache(maxsize=4096)
def bare(word: str) -> str:
    """Return a word in lower case and without accents, hyphens, spaces and wide letter forms."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded(word)))
    return folded(re.sub(r"[\s.'’-]", "", plain)) or folded(word)


def check_against_table(clue: Clue, table: Iterable[str]) -> None:
    """Refuse a clue that is, contains, or is part of a word that is still on the table.

    Raises IllegalMove. ``table`` holds the words of the cards that nobody has selected yet.
    """
    said = bare(clue.word)
    for card in table:
        lying = bare(card)
        if said == lying:
            raise IllegalMove(text("“%(card)s” is one of the cards on the table.", card=card))
        if said in lying:
            raise IllegalMove(
                text(
                    "“%(clue)s” is part of “%(card)s”, one of the cards on the table.",
                    clue=clue.word,
                    card=card,
                )
            )
        if lying in said:
            raise IllegalMove(
                text(
                    "“%(clue)s” contains “%(card)s”, one of the cards on the table.",
                    clue=clue.word,
                    card=card,
                )
            )


def specimen(table: Iterable[str]) -> str:
    """Return a word that is a legal clue beside these words.

    There always is one: 64 cards of at most 24 characters leave some ideograph unused."""
    words = list(table)
    return next(word for word in _candidates() if _is_legal(word, words))


def _candidates() -> Iterator[str]:
    return chain(_SPECIMENS, string.ascii_lowercase, map(chr, _IDEOGRAPHS))


def _is_legal(word: str, table: Iterable[str]) -> bool:
    try:
        check_against_table(Clue(word, "1"), table)
    except IllegalMove:
        return False
    return True
