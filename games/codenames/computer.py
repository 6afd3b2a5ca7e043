"""The computer players of Codenames: spymasters that give clues, and operatives that guess.

The meanings of words come from ``ai/data``, and `games.codenames.ai` chooses by them. Each seat
plays from its own `CodenamesPosition.view`, so that only spymasters know the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai.associations import associations
from games.codenames.ai.forms import WordForms
from games.codenames.ai.lexicon import Lexicon, Vocabulary, lexicon
from games.codenames.ai.listeners import GuessedCards
from games.codenames.ai.operative import Hint, Temperament, close_cards, logits, next_card
from games.codenames.ai.spymaster import ClueStyle, Table, best_clue, meant
from games.codenames.ai.table import Vector
from games.codenames.cards.pictures import pictures
from games.codenames.position import SPYMASTERS
from games.codenames.stages import STOP, UNKNOWN
from games.contract import CannotPlay, Choice, Position, SeatKey, Text, text

Floats = NDArray[np.float32]

TIES = np.float32(1 / 3)
"""The weight of `Associations` for spymasters, relative to that for operatives."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """The strength of a level.

    A spymaster chooses among the ``words`` commonest words in a ``style``. Selecting the assassin,
    or the last card of the other team, counts as a loss of ``assassin`` turns; ``other`` and
    ``bystander`` are the losses for other cards of the other team and for bystanders. Operatives
    guess by ``temperament``.
    """

    words: int
    assassin: float
    style: ClueStyle
    temperament: Temperament
    other: float = 1.0
    bystander: float = 0.6


CLOSE = 1.0
"""The likeness, in standard deviations, by which a card may fall short of those that were meant."""
MOST_CLOSE = 2

GAPS = (0.0, 0.3, 0.6, 1.2)
"""The lead of the meant cards over cards of others, for clues for 1, 2, 3, and 4 or more."""

LEVELS: Mapping[int, Level] = {
    1: Level(
        words=600,
        assassin=10.0,
        style=ClueStyle(trust=1.9, most=3),
        temperament=Temperament(noise=1.7),
    ),
    2: Level(
        words=1_200,
        assassin=16.0,
        style=ClueStyle(trust=1.4, most=2),
        temperament=Temperament(noise=0.7),
    ),
    3: Level(
        words=2_200,
        assassin=13.0,
        style=ClueStyle(trust=1.4, most=3, urgency=1.0),
        temperament=Temperament(noise=0.2, memory=0.1, clear=0.8),
    ),
    4: Level(
        words=10_000,
        assassin=32.0,
        style=ClueStyle(trust=1.5, candidates=40, most=4, lean=0.4, urgency=1.0, gaps=GAPS),
        temperament=Temperament(memory=0.1, doubt=0.12, clear=0.7),
    ),
}


def choose(
    position: Position, seat: SeatKey, level: int, rng: Random, *, seconds: float = 10.0
) -> Choice:
    """Return a clue or a guess, at a level of 1 (easiest) to 4.

    Raises CannotPlay for another level, for a seat that is not to move, and for a language without
    a vocabulary."""
    if level not in LEVELS:
        raise CannotPlay(text("There is no level %(level)s: choose 1 to 4.", level=level))
    if seat not in position.to_move():
        raise CannotPlay(text("It is not this player's turn."))
    view = position.view(seat)
    if seat in SPYMASTERS.values():
        return _clue(view, seat.partition("-")[0], LEVELS[level])
    return _guess(view, seat.partition("-")[0], LEVELS[level], rng)


# --- the cards ------------------------------------------------------------------------------


def _cells(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the cards, in reading order."""
    return [cell for row in view["rows"] for cell in row]


def _covered(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the cards that have not been selected, in reading order."""
    return [cell for cell in _cells(view) if not cell["selected"]]


def _meanings(cells: Sequence[Mapping[str, Any]], words: Lexicon) -> list[Vector | None]:
    return [
        words.picture(cell["picture"]) if cell["picture"] else words.vector(cell["card"])
        for cell in cells
    ]


# --- spymasters -----------------------------------------------------------------------------


@cache
def vocabulary(language: str) -> Vocabulary:
    return lexicon(language).clues()


def _clue(view: Mapping[str, Any], side: str, level: Level) -> Choice:
    cards, words = _covered(view), vocabulary(view["language"])
    table = _table(cards, side, level)
    meanings = _meanings(_cells(view), lexicon(view["language"]))
    covered = [at for at, cell in enumerate(_cells(view)) if not cell["selected"]]
    allowed = np.array(list(_allowed(view, words, side, level.words)), np.intp)
    likeness = words.likeness(words.vectors[: level.words], [meanings[at] for at in covered])
    likeness += _tied(view, words, covered)[: level.words]
    belief = level.style.belief(_guesses(view, side, meanings), len(words.spaces))
    found = best_clue(likeness[:, allowed], table, level.style, belief)
    if found is None:
        raise CannotPlay(text("The computer can’t think of another clue."))
    word, number = allowed[found[0]], found[1]
    places = meant(likeness[:, word].mean(axis=0).tolist(), table.own.tolist(), number)
    close = _close(likeness[:, word].mean(axis=0), places)
    note = _note([cards[at]["card"] for at in places], [cards[at]["card"] for at in close])
    return Choice(move=f"clue {words.words[word]} {number}", note=note)


def _tied(view: Mapping[str, Any], words: Vocabulary, places: Sequence[int]) -> Floats:
    """Return how much each word (axis 0) and card (axis 1) belong together."""
    names = [_name(_cells(view)[at], view["language"]) for at in places]
    bonus: Floats = TIES * associations(view["language"]).bonuses(words.words, names)
    return bonus


def _table(cards: Sequence[Mapping[str, Any]], side: str, level: Level) -> Table:
    squares, own = [cell["square"] for cell in cards], side[0].upper()
    return Table(np.array([square == own for square in squares]), costs(squares, own, level))


def _guesses(
    view: Mapping[str, Any], side: str, meanings: Sequence[Vector | None]
) -> Iterator[GuessedCards]:
    """Yield the cards that the team selected after each of its clues, up to the clue's number."""
    known, words = vocabulary(view["language"]), lexicon(view["language"])
    tied = associations(view["language"])
    names = [cell["name"] for cell in _cells(view)]
    left = list(range(len(names)))
    for turn in view["turns"]:
        taken = [names.index(name) for name in turn["guesses"]]
        clue = words.vector(turn["clue"]["word"]) if turn["clue"] else None
        if turn["team"] == side and clue is not None and taken:
            likeness = known.likeness(clue[None], [meanings[at] for at in left])[:, 0]
            called = [_name(_cells(view)[at], view["language"]) for at in left]
            likeness += TIES * tied.bonus(turn["clue"]["word"], called)
            number = turn["clue"]["number"]
            about = int(number) if number.isdigit() else 0
            yield GuessedCards(likeness, [left.index(at) for at in taken[:about]])
        left = [at for at in left if at not in taken]


def costs(squares: Iterable[str], own: str, level: Level) -> Floats:
    """Return the loss, in turns, of selecting each card that is not in ``own``. The last card of
    the other team costs as much as the assassin, since it ends the game too."""
    foreign = [square for square in squares if square != own]
    last = sum(square not in "-X" for square in foreign) == 1
    other = level.assassin if last else level.other
    known = {"X": level.assassin, "-": level.bystander}
    return np.array([known.get(square, other) for square in foreign], np.float32)


def _allowed(view: Mapping[str, Any], words: Vocabulary, side: str, count: int) -> Iterator[int]:
    """Yield the indices of the words that are legal and sensible clues here.

    The team has not given them before, and they are neither a form nor a part of a word on the
    table or of the name of a picture."""
    used = {turn["clue"]["word"] for turn in view["turns"] if turn["clue"] and turn["team"] == side}
    names = [_name(cell, view["language"]) for cell in _covered(view)]
    forms = WordForms(names, view["language"])
    for number, word in enumerate(words.words[:count]):
        if word not in used and not forms.has(words.bare[number]):
            yield number


def _name(cell: Mapping[str, Any], language: str) -> str:
    """Return the word on a card, or the name of its picture in the language of the clues."""
    if not cell["picture"]:
        return str(cell["card"])
    known = pictures().get(cell["picture"])
    return known.names.get(language, "") if known else ""


def _close(likeness: Floats, places: Sequence[int]) -> list[int]:
    """Return the cards that a clue was not for, and which it fits nearly as well."""
    bar = min(float(likeness[at]) for at in places) - CLOSE
    others = (int(at) for at in np.argsort(-likeness) if at not in places and likeness[at] >= bar)
    return list(others)[:MOST_CLOSE]


def _note(cards: Sequence[str | Text], close: Sequence[str | Text]) -> Text:
    """Return the note of a clue: the cards that it was for, and others that were close."""
    if close:
        return text("Meant: %(cards)s. Close: %(close)s.", cards=listed(cards), close=listed(close))
    return text("Meant: %(cards)s.", cards=listed(cards))


def listed(cards: Sequence[str | Text]) -> str | Text:
    """Return the names of some cards, at least one, as a list in words."""
    named: str | Text = cards[0]
    for card in cards[1:-1]:
        named = text("%(cards)s, %(card)s", cards=named, card=card)
    if len(cards) > 1:
        named = text("%(cards)s and %(card)s", cards=named, card=cards[-1])
    return named


# --- operatives -----------------------------------------------------------------------------


def _guess(view: Mapping[str, Any], side: str, level: Level, rng: Random) -> Choice:
    if view["clue"] is None:
        return Choice(move=STOP)
    if not view["may_stop"] and view["clues_required"] and not knows(view):
        return Choice(move=UNKNOWN)
    cards = _covered(view)
    *earlier, now = hints(view, side)
    found_some = bool(view["turns"][-1]["guesses"])
    place = next_card(
        now, earlier, level.temperament, rng, may_stop=view["may_stop"], found_some=found_some
    )
    if place is None:
        return Choice(move=STOP)
    others = close_cards(logits(now, earlier, level.temperament.memory), place)
    weighed = [cards[at]["name"] for at in (place, *others[:1])] if others else []
    return Choice(move=cards[place]["name"], weighed=tuple(weighed))


def knows(view: Mapping[str, Any]) -> bool:
    """Return whether the word of the present clue means anything to a computer."""
    word, language = view["clue"]["word"], view["language"]
    return associations(language).knows(word) or lexicon(language).vector(word) is not None


def hints(view: Mapping[str, Any], side: str) -> Iterator[Hint]:
    """Yield a hint about the covered cards for each clue of the team, the present clue last."""
    cards = _meanings(_covered(view), lexicon(view["language"]))
    known, words = vocabulary(view["language"]), lexicon(view["language"])
    tied = associations(view["language"])
    names = [_name(cell, view["language"]) for cell in _covered(view)]
    for turn in view["turns"]:
        if turn["team"] == side and turn["clue"]:
            word = turn["clue"]["word"]
            standing = known.standing(words.vector(word), cards) + tied.bonus(word, names)
            # A clue for 0 warns of the cards that it fits.
            none = turn["clue"]["number"] == "0"
            yield Hint(-standing if none else standing, _left(turn, side))


def _left(turn: Mapping[str, Any], side: str) -> int | None:
    """Return the number of cards of a clue that are still to be found, None after 'unlimited'."""
    number = turn["clue"]["number"]
    if not number.isdigit():
        return None
    found = sum(card["square"] == side[0].upper() for card in turn["found"])
    return max(0, int(number) - found)
