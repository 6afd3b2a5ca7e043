"""The word lists and pictures as games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from games.codenames.cards.pictures import pictures
from games.codenames.cards.word_lists import languages, word_list
from games.codenames.deal import deal_key

ROWS, COLUMNS = 4, 5


def shipped_games() -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield boards on which each word of each language lies, and each picture."""
    for language in languages():
        yield from _boards(word_list(language), language, pictures=False)
    yield from _boards([*pictures()], "en", pictures=True)


def _boards(
    cards: Sequence[str], language: str, *, pictures: bool
) -> Iterator[tuple[dict[str, Any], list[str]]]:
    count = ROWS * COLUMNS
    for place in range(0, len(cards), count):
        yield (
            {
                "rows": ROWS,
                "columns": COLUMNS,
                "cards": [*cards, *cards[:count]][place : place + count],
                "key": deal_key(count, Random(place)),
                "language": language,
                "pictures": pictures,
                "clues_required": True,
            },
            [],
        )
