"""The clue of the day: a visitor is the spymaster, and three listeners take cards."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from games.codenames.ai.forms import basic_forms
from games.codenames.cards.spelling import folded
from games.codenames.clues import fault_beside, parse_clue
from games.contract import BadNotation, WordTask, text


def _read(typed: str, cards: Sequence[str], language: str) -> list[str]:
    clue = parse_clue(f"clue {' '.join(typed.split())} 1")
    if fault := fault_beside(clue, cards, language):
        raise BadNotation(fault)
    plain = unicodedata.normalize("NFC", folded(clue.word))
    return list(dict.fromkeys(basic_forms(plain, language)))


WORD_TASK: Final = WordTask(
    title=text("The clue of the day"),
    task=text("Give one clue for these four cards."),
    languages=("en", "nl"),
    listeners=(
        text("The team: all that belongs together"),
        text("The reader: words that stand together in texts"),
        text("The dictionary: words that explain each other"),
    ),
    read=_read,
)
