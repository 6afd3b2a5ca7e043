"""The deal of a game of Codenames: its cards and its key.

The words of a player's pack come from the deck that `games.services.packs` opens.
"""

from __future__ import annotations

from random import Random
from typing import Any

from games.codenames.cards.pictures import pictures
from games.codenames.cards.word_lists import first_fault, languages, split_words, word_list
from games.codenames.engine import ASSASSIN, BYSTANDER, TEAMS, key_fault, other
from games.contract import BadSetup, Deck, Options, Setup, text

TYPED, SPOKEN = "typed", "spoken"
"""The values of the option ``clues``."""
FEWEST_CARDS = 6
"""With fewer cards `key_counts` would leave no bystander."""


def key_counts(cards: int) -> tuple[int, int, int, int]:
    """Return the numbers of squares of the starting team, the other team, bystanders and assassins.

    The starting team gets three eighths of the cards, rounded half up, and the other team one card
    less. One card is the assassin and the rest are bystanders. This gives the published 9/8/7/1 for
    25 cards and 8/7/4/1 for 20, and about a quarter of bystanders on any board."""
    first = (3 * cards + 4) // 8
    return first, first - 1, cards - 2 * first, 1


def deal(options: Options, rng: Random) -> dict[str, Any]:
    """Return the setup of a game from cleaned options. Raises BadSetup.

    ``rows``, ``columns``; ``key``, as `GameBoard` takes it; ``cards``, words or ids of pictures in
    reading order; ``pictures``, whether they are ids; ``language`` of the words, and of clues;
    ``clues_required``."""
    rows, columns = options["rows"], options["columns"]
    if rows * columns < FEWEST_CARDS:
        raise BadSetup("columns", text("A game needs at least %(n)s cards.", n=FEWEST_CARDS))
    return {
        "rows": rows,
        "columns": columns,
        "pictures": options["cards"] == "pictures",
        "cards": _deal_cards(options, rows * columns, rng),
        "key": _typed_key(options, rows * columns) or deal_key(rows * columns, rng),
        "language": _language(options),
        "clues_required": options["clues"] != SPOKEN,
    }


def admit_setup(options: Options, setup: Setup) -> dict[str, Any]:
    """Return the setup of a game from elsewhere. Raises BadSetup."""
    fault = BadSetup("setup", text("These are no cards and key of Codenames."))
    cards, key, language = setup.get("cards"), setup.get("key"), setup.get("language")
    size = options["rows"], options["columns"]
    if (setup.get("rows"), setup.get("columns")) != size or language not in [*languages()]:
        raise fault
    if not isinstance(key, str) or key_fault(key, size[0] * size[1]):
        raise fault
    is_pictures, clues = setup.get("pictures"), setup.get("clues_required")
    if not isinstance(is_pictures, bool) or not isinstance(clues, bool):
        raise fault
    if not isinstance(cards, list) or len(cards) != len(key) or not _are_cards(cards, is_pictures):
        raise fault
    return {
        "rows": size[0],
        "columns": size[1],
        "pictures": is_pictures,
        "cards": cards,
        "key": key,
        "language": language,
        "clues_required": clues,
    }


def _are_cards(cards: list[Any], is_pictures: bool) -> bool:
    """Return whether these can be the cards of one table."""
    if not all(isinstance(card, str) for card in cards) or len(set(cards)) < len(cards):
        return False
    if is_pictures:
        return set(cards) <= set(pictures())
    return all(split_words(card) == [card] for card in cards) and not first_fault(cards)


def deal_key(cards: int, rng: Random) -> str:
    """Return a random key of ``cards`` squares, in the proportions of `key_counts`."""
    first, second, bystanders, assassins = key_counts(cards)
    begins = rng.choice(TEAMS)
    squares = (
        begins * first + other(begins) * second + BYSTANDER * bystanders + ASSASSIN * assassins
    )
    return "".join(rng.sample(squares, len(squares)))


def _typed_key(options: Options, cards: int) -> str:
    """Return the key that the host typed, without line breaks and spaces; '' without one. Raises
    BadSetup."""
    key = "".join(options["own_key"].split()).upper()
    if not key:
        return ""
    fault = key_fault(key, cards)
    if fault is None and not (key.count("R") and key.count("B")):
        fault = text("Each team needs at least one card in the key.")
    if fault:
        raise BadSetup("own_key", fault)
    return key


def _language(options: Options) -> str:
    deck = options["pack"] if options["cards"] == "pack" else None
    language: str = (deck and deck.language) or options["language"]
    return language


def _deal_cards(options: Options, cards: int, rng: Random) -> list[str]:
    if options["cards"] == "own":
        return rng.sample(_own_words(options["own_words"], options["language"], cards), cards)
    if options["cards"] == "pack":
        return _deck(options["pack"], cards).deal(cards, rng)
    if options["cards"] == "pictures":
        return _sample("cards", list(pictures()), cards, rng)
    return _sample("language", list(word_list(options["language"])), cards, rng)


def _sample(option: str, deck: list[str], cards: int, rng: Random) -> list[str]:
    if len(deck) < cards:
        raise BadSetup(
            option,
            text("There are only %(have)s cards; you need %(n)s.", have=len(deck), n=cards),
        )
    return rng.sample(deck, cards)


def _own_words(pasted: str, language: str, cards: int) -> list[str]:
    words = _checked("own_words", pasted, language)
    _check_enough("own_words", len(words), cards)
    return words


def read_pack(pasted: str) -> list[str]:
    """Return the words of a pack from the text that a player typed. Raises BadSetup."""
    return _checked("pack", pasted)


def _deck(deck: Deck | None, cards: int) -> Deck:
    if not deck:
        raise BadSetup("pack", text("Choose a word pack, or make one first."))
    _check_enough("pack", len(deck.texts), cards)
    return deck


def _checked(option: str, pasted: str, language: str = "") -> list[str]:
    words = split_words(pasted, language)
    if fault := first_fault(words):
        raise BadSetup(option, fault)
    return words


def _check_enough(option: str, words: int, cards: int) -> None:
    if words < cards:
        raise BadSetup(
            option,
            text(
                "Your list has %(have)s different words. Add %(n)s more for %(cards)s cards.",
                n=cards - words,
                have=words,
                cards=cards,
            ),
        )
