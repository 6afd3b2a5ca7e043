"""The search for puzzles of Codenames: clues on which several word spaces agree, in the cards that
they mean and in the gap to the next one; docs/benchmarks.md says how independent the spaces are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Final

import numpy as np

from games.codenames.ai.lexicon import lexicon
from games.codenames.cards.word_lists import word_list
from games.codenames.clues import parse_clue
from games.codenames.computer import choose, vocabulary
from games.codenames.deal import deal_key
from games.codenames.position import SPYMASTERS, CodenamesPosition
from games.codenames.puzzles import COLUMNS, ROWS, expand
from games.contract import CannotPlay, Puzzle, Turn, cell_name

LANGUAGES: Final = ("en", "nl")

SPACES: Final = 3
"""Word spaces that must agree."""
GAP: Final = 0.5
"""The smallest gap to the next card, in standard deviations of the likeness of two words."""
_LEVEL: Final = 4


def find(rng: Random, language: str) -> Iterator[Puzzle]:
    """Yield a puzzle if the best clue on a board that ``rng`` deals is plain enough."""
    cards = rng.sample(list(word_list(language)), ROWS * COLUMNS)
    short = {"cards": ",".join(cards), "key": deal_key(len(cards), rng), "language": language}
    position = CodenamesPosition(expand(short))
    (seat,) = position.to_move()
    try:
        clue = choose(position, seat, _LEVEL, rng).move
    except CannotPlay:
        return
    if puzzle := _puzzle(expand(short), seat, clue):
        yield puzzle


def find_in(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[Puzzle]:
    """Yield nothing: the clues of people are theirs."""
    return iter(())


def meant(language: str, cards: Sequence[str], clue: str, number: int, space: int) -> set[int]:
    """Return the cards that a clue means in one word space, none if the gap to the next is
    small."""
    if lexicon(language).vector(clue) is None:
        return set()
    likeness = _likeness(language, cards, clue)[space]
    order = np.argsort(-likeness, kind="stable")
    ranked = likeness[order]
    if ranked[number - 1] - ranked[number] < GAP:
        return set()
    return {int(place) for place in order[:number]}


def effort(language: str, cards: Sequence[str], clue: str, number: int) -> int:
    """Return how hard a clue is: the smaller the gap after its cards in the mean of the spaces, in
    hundredths of a standard deviation, the harder."""
    ranked = -np.sort(-_likeness(language, cards, clue).mean(axis=0))
    return 1000 - int(100 * (ranked[number - 1] - ranked[number]))


def _likeness(language: str, cards: Sequence[str], clue: str) -> Any:
    words = lexicon(language)
    vector, cards_of = words.vector(clue), [words.vector(card) for card in cards]
    return vocabulary(language).likeness(np.asarray(vector)[None], cards_of)[:, 0]


def _puzzle(setup: Mapping[str, Any], seat: str, move: str) -> Puzzle | None:
    clue, team = parse_clue(move), {key: team for team, key in SPYMASTERS.items()}[seat]
    number, cards, language = int(clue.number), setup["cards"], setup["language"]
    if number not in {2, 3}:
        return None
    spaces = range(len(vocabulary(language).spaces))
    found = [meant(language, cards, clue.word, number, space) for space in spaces]
    agreed = [
        group[0]
        for group in combinations(found, SPACES)
        if group[0] and all(other == group[0] for other in group)
    ]
    if not agreed or any(setup["key"][place] != team for place in agreed[0]):
        return None
    names = [cell_name(*divmod(place, COLUMNS)) for place in sorted(agreed[0])]
    return Puzzle(
        key=f"{language} {clue.word} {' '.join(sorted(cards))}",
        task="cards",
        setup=setup,
        moves=(move,),
        turns=tuple(Turn(right=(name,)) for name in names),
        effort=effort(language, cards, clue.word, number),
        themes=("pair" if number == 2 else "triple",),
        language=language,
        any_order=True,
    )
