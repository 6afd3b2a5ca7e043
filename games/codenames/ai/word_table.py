"""The table of a day: the cards that listeners take for each word that a visitor may give."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai import listeners
from games.codenames.ai.associations import associations, symbols
from games.codenames.ai.forms import WordForms
from games.codenames.ai.lexicon import Lexicon, lexicon
from games.codenames.ai.table import table
from games.codenames.cards.spelling import bare
from games.codenames.cards.word_lists import word_list
from games.contract import WordTable

CARDS: Final = 25
MEANT: Final = 4
SHOWN: Final = 6
MOST_WORDS: Final = 12_000
SOLUTIONS: Final = 30
"""The clearest clues of a table, of which one decides the cards that are meant."""
_LEAN: Final = 0.6
_READER, _DICTIONARY = 0, 1
"""The spaces on which two listeners lean: texts, and words that explain each other."""

Floats = NDArray[np.float32]


def word_table(language: str, rng: Random) -> WordTable:
    """Return a task whose four cards have a clear clue, and how each listener takes each word."""
    cards, lexemes = rng.sample(list(word_list(language)), CARDS), lexicon(language)
    common = lexemes.clues()
    words = tuple(dict.fromkeys([*common.words, *_words(lexemes)]))[:MOST_WORDS]
    found = [(word, row) for word in words if (row := lexemes.vector(word)) is not None]
    spelled, rows = tuple(word for word, _ in found), np.array([row for _, row in found])
    meanings = [lexemes.vector(card) for card in cards]
    team = common.standings(rows, meanings) + associations(language).bonuses(spelled, cards)
    leaning = listeners.logits(common.likeness(rows, meanings), 1.0, _LEAN)
    taken = [np.argsort(-each, axis=1) for each in (team, leaning[_READER], leaning[_DICTIONARY])]
    orders = {
        word: [order[place, :SHOWN].tolist() for order in taken]
        for place, word in enumerate(spelled)
    }
    clear = _clearest(team[: len(common.words)], common.words, cards, language)
    meant = sorted(orders[rng.choice(clear)][0][:MEANT])
    return WordTable(cards=cards, meant=meant, orders=orders, common=set(common.words))


def _words(lexemes: Lexicon) -> Iterable[str]:
    """Return further words of known meaning, the commonest first."""
    if lexemes.language == "en":
        return (word for word in table().rank if word.isalpha())
    return (*lexemes.glossary, *symbols(lexemes.language))


def _clearest(team: Floats, words: tuple[str, ...], cards: list[str], language: str) -> list[str]:
    """Return the legal words after whose four best cards the largest gap follows."""
    ranked, forms = -np.sort(-team, axis=1), WordForms(cards, language)
    gaps = ranked[:, MEANT - 1] - ranked[:, MEANT]
    legal = (words[place] for place in np.argsort(-gaps) if not forms.has(bare(words[place])))
    return [word for word, _ in zip(legal, range(SOLUTIONS), strict=False)]
