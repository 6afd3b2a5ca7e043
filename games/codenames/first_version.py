"""Games of version 1 of the rules, which refused each clue that shared all letters of a card."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from games.codenames.clues import Clue, clue_contains, clue_is_card, clue_is_part
from games.codenames.position import CodenamesPosition
from games.contract import IllegalMove

_ACCENTS = re.compile("[\u0300-\u036f]")


class FirstPosition(CodenamesPosition):
    """A position of a game that began under version 1."""

    @property
    def _may_pass_unknown_word(self) -> bool:
        return False

    def check_clue(self, clue: Clue, table: Iterable[str]) -> None:
        """Refuse a clue that is, contains, or is part of a word on the table. Raises
        IllegalMove."""
        said = _bare(clue.word)
        for card in table:
            lying = _bare(card)
            if said == lying:
                raise IllegalMove(clue_is_card(card))
            if said in lying:
                raise IllegalMove(clue_is_part(clue.word, card))
            if lying in said:
                raise IllegalMove(clue_contains(clue.word, card))


def _bare(word: str) -> str:
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", _folded(word)))
    return _folded(re.sub(r"[\s.'’-]", "", plain)) or _folded(word)


def _folded(word: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold())
