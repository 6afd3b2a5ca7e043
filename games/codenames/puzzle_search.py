"""The search for puzzles of Codenames: clues on which the word spaces that share no text agree, in
the cards that they mean and in the gap to the next one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai.associations import associations, lines, plain
from games.codenames.ai.forms import WordForms
from games.codenames.ai.lexicon import lexicon, vocabulary
from games.codenames.ai.table import DATA
from games.codenames.cards.spelling import bare
from games.codenames.cards.word_lists import word_list
from games.codenames.deal import deal_key
from games.codenames.position import SPYMASTERS, CodenamesPosition
from games.codenames.puzzles import COLUMNS, NEAR, ROWS, expand
from games.contract import ANY_MOVE, Puzzle, Refutation, Turn, cell_name

LANGUAGES: Final = ("en", "nl")

SPACES: Final = 3
"""The first word spaces, which share no text: they must agree."""
GAP: Final = 0.5
"""The smallest gap to the next card, in standard deviations of the likeness of two words."""
CLOSE: Final = 3.0
"""The fit from which a card is near a clue that does not mean it, in the same deviations."""
NUMBERS: Final = (2, 3)
_TIES: Final = 0.8
"""The weight of words that belong together."""

Floats = NDArray[np.float32]


def find(rng: Random, language: str) -> Iterator[Puzzle]:
    """Yield the puzzle with the plainest clue on a board that ``rng`` deals, if it is plain
    enough."""
    cards = rng.sample(list(word_list(language)), ROWS * COLUMNS)
    short = {"cards": ",".join(cards), "key": deal_key(len(cards), rng), "language": language}
    (seat,) = CodenamesPosition(expand(short)).to_move()
    team = {key: team for team, key in SPYMASTERS.items()}[seat]
    own = np.array([square == team for square in short["key"]])
    if found := _plainest(language, cards, own):
        word, number = found
        yield _puzzle(expand(short), f"clue {word} {number}", meant(language, cards, word, number))


def _plainest(
    language: str, cards: Sequence[str], own: NDArray[np.bool_]
) -> tuple[str, int] | None:
    """Return the clue and number with the largest gap in the space where it is smallest."""
    words, forms = vocabulary(language), WordForms(cards, language)
    spaces = likenesses(language, words.vectors, cards)
    mean = spaces.mean(axis=0) + _TIES * associations(language).bonuses(words.words, cards)
    best: tuple[float, str, int] | None = None
    for number in NUMBERS:
        top = np.sort(np.argsort(-mean, axis=1, kind="stable")[:, :number], axis=1)
        inside = np.zeros(mean.shape, bool)
        np.put_along_axis(inside, top, values=True, axis=1)
        least = np.where(inside, spaces, np.inf).min(axis=2)
        gaps = (least - np.where(inside, -np.inf, spaces).max(axis=2)).min(axis=0)
        gaps[~own[top].all(axis=1)] = -np.inf
        for row in np.argsort(-gaps)[:20]:
            if gaps[row] >= GAP and not forms.has(words.bare[row]):
                best = max(best or (0.0, "", 0), (float(gaps[row]), words.words[row], number))
                break
    return best and best[1:]


def likenesses(language: str, vectors: Floats, cards: Sequence[str]) -> Floats:
    """Return the likeness of words (axis 1) and cards (axis 2) in each of the unrelated spaces."""
    meanings = [lexicon(language).vector(card) for card in cards]
    return vocabulary(language).likeness(vectors, meanings)[:SPACES]


def find_in(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[Puzzle]:
    """Yield nothing: the clues of people are theirs."""
    return iter(())


def meant(language: str, cards: Sequence[str], clue: str, number: int) -> list[int]:
    """Return the places of the cards that a clue fits best, the best first."""
    return [int(place) for place in np.argsort(-_fits(language, cards, clue))[:number]]


def _fits(language: str, cards: Sequence[str], clue: str) -> Floats:
    """Return how well a clue fits each card: in all spaces, and by association."""
    bonus = associations(language).bonus(clue, cards)
    fits: Floats = _likeness(language, cards, clue) + _TIES * bonus
    return fits


def _likeness(language: str, cards: Sequence[str], clue: str) -> Floats:
    """Return the mean likeness of a clue and each card."""
    words = vocabulary(language)
    vectors = words.vectors[[words.words.index(clue)]]
    mean: Floats = likenesses(language, vectors, cards)[:, 0].mean(axis=0)
    return mean


def effort(language: str, cards: Sequence[str], clue: str, places: Sequence[int]) -> int:
    """Return how hard a clue is: the smaller the gap after its cards in the mean of the spaces, in
    hundredths of a standard deviation, the harder."""
    fits = _likeness(language, cards, clue)
    others = np.delete(fits, places)
    return 1000 - int(100 * (fits[[*places]].min() - others.max()))


def near(language: str, cards: Sequence[str], clue: str, places: Sequence[int]) -> list[int]:
    """Return the places of the other cards that people name for a clue, or it for them, and of
    those that fit well, the best first."""
    fits, named = _fits(language, cards, clue), set[str]()
    for names, words in topics(language):
        named.update(words if clue in names else names if clue in words else ())
    close = [at for at, card in enumerate(cards) if card in named or fits[at] >= CLOSE]
    return sorted(set(close).difference(places), key=lambda at: -fits[at])


def shared(language: str, clue: str, cards: Sequence[str], places: Sequence[int]) -> str:
    """Return the name of the first topic to which a clue and all cards meant belong; '' if there
    is none. No name is the clue or a card."""
    forms, needed = WordForms([*cards, clue], language), {clue, *(cards[at] for at in places)}
    fitting = (names for names, words in topics(language) if needed.issubset(words))
    return next((names[0] for names in fitting if not forms.has(bare(names[0]))), "")


def topics(language: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the names of each topic and the words that belong to it."""
    for line in lines(DATA / f"topics-{language}.txt"):
        names, _, words = (plain(part).split() for part in line.partition(":"))
        yield names, words


def _puzzle(setup: Mapping[str, Any], move: str, places: Sequence[int]) -> Puzzle:
    cards, language = setup["cards"], setup["language"]
    names = [cell_name(*divmod(place, COLUMNS)) for place in sorted(places)]
    clue = move.split()[1]
    return Puzzle(
        key=f"{language} {clue} {' '.join(sorted(cards))}",
        task="cards",
        setup=setup,
        moves=(move,),
        turns=tuple(
            Turn(right=(name,), refutations=refutations(setup, clue, places)) for name in names
        ),
        effort=effort(language, setup["cards"], clue, places),
        themes=("pair" if len(names) == 2 else "triple",),
        language=language,
        any_order=True,
    )


def refutations(
    setup: Mapping[str, Any], clue: str, places: Sequence[int]
) -> dict[str, Refutation]:
    """Return the notes on wrong cards: whether one is near, and the topic of the cards meant."""
    cards, language = setup["cards"], setup["language"]
    topic = shared(language, clue, cards, places)
    close = near(language, cards, clue, places)
    found = {cell_name(*divmod(at, COLUMNS)): Refutation(verdict=f"{NEAR}{topic}") for at in close}
    return found | ({ANY_MOVE: Refutation(verdict=topic)} if topic else {})
