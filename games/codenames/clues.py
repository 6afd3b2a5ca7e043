"""Clues of spymasters: one word and a number, ``clue ocean 3``."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from games.codenames.cards.spelling import bare
from games.codenames.cards.word_lists import shown_character, strange_character
from games.codenames.related import is_compound, is_form
from games.contract import BadNotation, Text, text

MAX_CLUE = 30
UNLIMITED = "unlimited"
NUMBERS = (*string.digits, UNLIMITED)

_BETWEEN_WORDS = re.compile(r"[\s./&-]+")
_JOINERS = "-'’"
_SPECIMENS = ("hint", "clue", "word")
_IDEOGRAPHS = range(0x4E00, 0x9FFF)


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
    clue = read_clue(unicodedata.normalize("NFC", move))
    _check_letters(clue.word)
    return clue


def read_clue(move: str) -> Clue:
    """Return the clue of a stored move, whose word was judged when it was given. Raises
    BadNotation."""
    steps = move.split(" ")
    if len(steps) > 1 and steps[0] == "clue" and steps[-1] in NUMBERS:
        _check_is_one(steps[1:-1])
    if len(steps) == 2 and steps[0] == "clue":
        raise BadNotation(text("Choose for how many cards your clue is."))
    if len(steps) != 3 or steps[0] != "clue" or not steps[1]:
        raise BadNotation(text("A clue is one word and a number, e.g. “clue ocean 3”."))
    _, word, number = steps
    if number not in NUMBERS:
        raise BadNotation(text("The number of a clue is 0 to 9 or unlimited."))
    return Clue(word, number)


def _check_is_one(words: Sequence[str]) -> None:
    """Refuse an empty clue, and several words. Raises BadNotation."""
    if not any(words):
        raise BadNotation(text("Type a word for your clue."))
    if len(words) > 1:
        raise BadNotation(text("A clue is one word, without spaces."))


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


def clue_is_card(card: str) -> Text:
    """Return the refusal of a clue that is a card."""
    return text("“%(card)s” is one of the cards on the table.", card=card)


def clue_is_form(clue: str, card: str) -> Text:
    """Return the refusal of a form of a card."""
    return text(
        "“%(clue)s” is a form of “%(card)s”, one of the cards on the table.", clue=clue, card=card
    )


def clue_is_part(clue: str, card: str) -> Text:
    """Return the refusal of a part of a card."""
    return text(
        "“%(clue)s” is part of “%(card)s”, one of the cards on the table.", clue=clue, card=card
    )


def clue_contains(clue: str, card: str) -> Text:
    """Return the refusal of a word that is put together with a card."""
    return text(
        "“%(clue)s” contains “%(card)s”, one of the cards on the table.", clue=clue, card=card
    )


def fault_beside(clue: Clue, table: Iterable[str], language: str) -> Text | None:
    """Return why a clue may not be given beside the words that are still on the table; None if it
    may. It may be no card, no form of one, no part of one, and no compound with one."""
    said = bare(clue.word, language)
    for card in table:
        lying = bare(card, language)
        if said == lying:
            return clue_is_card(card)
        if said in _words_of(card, language):
            return clue_is_part(clue.word, card)
        if is_form(said, lying, language):
            return clue_is_form(clue.word, card)
        if said in lying and is_compound(lying, said, language):
            return clue_is_part(clue.word, card)
        if lying in said and is_compound(said, lying, language):
            return clue_contains(clue.word, card)
    return None


@lru_cache(maxsize=4096)
def _words_of(card: str, language: str) -> frozenset[str]:
    """Return the bare words of a card."""
    return frozenset(bare(part, language) for part in _BETWEEN_WORDS.split(card))


def specimen(table: Iterable[str], is_legal: Callable[[str, Iterable[str]], bool]) -> str:
    """Return a word that is a legal clue beside these words.

    There always is one: 64 cards of at most 24 characters leave some ideograph unused."""
    words = list(table)
    return next(word for word in _candidates() if is_legal(word, words))


def _candidates() -> Iterator[str]:
    return chain(_SPECIMENS, string.ascii_lowercase, map(chr, _IDEOGRAPHS))
