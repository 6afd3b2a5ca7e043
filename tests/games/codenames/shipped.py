"""The word lists and pictures as games, and words that no computer knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from games.codenames.cards.pictures import pictures
from games.codenames.cards.word_lists import languages, word_list
from games.codenames.deal import deal_key

ROWS, COLUMNS = 4, 5

STRANGE = {
    "no words": " ".join(f"qx{chr(97 + n)}z{chr(97 + n)}" for n in range(25)),
    "two letters": "ei ui as el os ai ra zo nu ja ga en er de in op om uw me ze we je al af na",
    "German": "Schmetterling Größe Eisenbahn Übung Fußball Handschuh Zug Löffel Äpfel Brücke "
    "Teller Öl Straße Wolke Käse Mühle Zahnarzt Hähnchen Kirsche Vogel Uhr Bär Füße Ofen Türe",
    "Greek": "θάλασσα ήλιος ψάρι πλοίο βουνό σπίτι γάτα σκύλος μήλο ψωμί νερό φωτιά άνεμος δέντρο "
    "πόρτα παράθυρο τραπέζι καρέκλα βιβλίο μολύβι δρόμος τρένο γέφυρα φύλλο κόκκινο",
}


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
