"""The computer players of Codenames: spymasters that give clues, and operatives that guess.

The meanings of words come from ``ai/data``, and `games.codenames.ai` chooses by them. Each seat
plays from its own `CodenamesPosition.view`, so that only spymasters know the key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai import race
from games.codenames.ai.associations import Ties, associations
from games.codenames.ai.forms import WordForms
from games.codenames.ai.hearing import standing
from games.codenames.ai.lexicon import Lexicon, Vocabulary, lexicon, vocabulary
from games.codenames.ai.listeners import GuessedCards, mean_of
from games.codenames.ai.operative import Hint, Temperament, close_cards, logits, next_card
from games.codenames.ai.spymaster import ClueStyle, Table, best_clue, meant
from games.codenames.ai.table import Vector
from games.codenames.ai.word_table import word_table as word_table
from games.codenames.cards.pictures import pictures
from games.codenames.position import SPYMASTERS
from games.codenames.stages import STOP, UNKNOWN
from games.contract import CannotPlay, Choice, Position, SeatKey, Text, text

Floats = NDArray[np.float32]


FAINT = Ties(symbol=0.75, naming=1.0, named=1.0, weakly=0.5, shared=0.25)
"""A third of the bonuses for operatives."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """The strength of a level.

    A spymaster chooses among the ``words`` commonest words in a ``style``. Selecting the assassin,
    or the last card of the other team, counts as a loss of ``assassin`` turns; ``other`` and
    ``bystander`` are the losses for other cards of the other team and for bystanders. In a
    ``race``, cards are worth what they add to the probability of winning at this score: a card of
    the other team costs by it, ``other`` more or less, and the assassin ``assassin`` lost games.
    ``ties`` are the bonuses of words that belong together. A likeness x of vectors counts as
    ``fading`` log(1 + x) if that is given, since the last of it says little. Operatives guess by
    ``temperament``.
    """

    words: int
    assassin: float
    style: ClueStyle
    temperament: Temperament
    other: float = 1.0
    bystander: float = 0.6
    race: bool = False
    ties: Ties = FAINT
    fading: float = 0.0

    def but(self, style: Mapping[str, Any], **temperament: float) -> Level:
        """Return the level with another style, and perhaps another temperament."""
        changed = replace(self.temperament, **temperament)
        return replace(self, style=replace(self.style, **style), temperament=changed)

    def likeness(self, vectors: Floats, tied: Floats) -> Floats:
        """Return the likeness of clues and cards in each space (axis 0), as listeners take it."""
        if not self.fading:
            return vectors + tied
        return np.float32(self.fading) * np.log1p(np.maximum(vectors, 0)) + tied


CLOSE = 1.0
"""The likeness, in standard deviations, by which a card may fall short of those that were meant."""
MOST_CLOSE = 2

SHARES = (0.3, 0.15, 0.42, 0.13)
"""The weight of each space of words in the guesses of people."""

_FIRST: Mapping[int, Level] = {
    1: Level(
        words=600,
        assassin=10.0,
        style=ClueStyle(trust=1.9, most=3),
        temperament=Temperament(noise=2.0),
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
        assassin=1.0,
        style=ClueStyle(
            trust=3.0,
            candidates=40,
            most=3,
            lean=0.2,
            urgency=1.0,
            dread=0.6,
            shares=SHARES,
        ),
        temperament=Temperament(memory=0.1, doubt=0.12, clear=0.7),
        other=-0.3,
        bystander=0.0,
        race=True,
        ties=Ties(symbol=0.6, naming=2.2, named=1.4, weakly=0.7, shared=0.5),
        fading=2.6,
    ),
}
"""The levels that there were first."""

HIGHEST = 4

LEVELS: Mapping[int, Level] = {
    **_FIRST,
    5: _FIRST[3].but({"trust": 1.65}),
    6: _FIRST[4].but({"trust": 2.4, "most": 2}),
    7: _FIRST[4].but({"trust": 5.0, "most": 5}, noise=1.0),
    8: _FIRST[4].but({}, noise=0.8),
}


def choose(
    position: Position, seat: SeatKey, level: int, rng: Random, *, seconds: float = 10.0
) -> Choice:
    """Return a clue or a guess, at a level of `LEVELS`.

    Raises CannotPlay for another level, for a seat that is not to move, and for a language without
    a vocabulary."""
    if level not in LEVELS:
        raise CannotPlay(text("There is no level %(level)s: choose 1 to 8.", level=level))
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


def _clue(view: Mapping[str, Any], side: str, level: Level) -> Choice:
    cards, words = _covered(view), vocabulary(view["language"])
    table = table_of([cell["square"] for cell in cards], side[0].upper(), level)
    meanings = _meanings(cards, lexicon(view["language"]))
    allowed = np.array(list(_allowed(view, words, side, level.words)), np.intp)
    likeness = level.likeness(
        words.likeness(words.vectors[: level.words], meanings),
        _tied(view, words, cards, level.ties)[: level.words],
    )
    belief = level.style.belief(_guesses(view, side, level), len(words.spaces))
    found = best_clue(likeness[:, allowed], table, level.style, belief)
    if found is None:
        raise CannotPlay(text("The computer can’t think of another clue."))
    word, number = allowed[found[0]], found[1]
    mean = mean_of(likeness[:, word], level.style.shares)
    places = meant(mean.tolist(), table.own.tolist(), number)
    close = _close(mean, places)
    note = _note([cards[at]["card"] for at in places], [cards[at]["card"] for at in close])
    return Choice(move=f"clue {words.words[word]} {number}", note=note)


def _tied(
    view: Mapping[str, Any], words: Vocabulary, cards: Sequence[Mapping[str, Any]], ties: Ties
) -> Floats:
    """Return how much each word (axis 0) and card (axis 1) belong together."""
    names = [_name(cell, view["language"]) for cell in cards]
    bonus: Floats = associations(view["language"]).bonuses(words.words, names, ties)
    return bonus


def table_of(squares: Sequence[str], own: str, level: Level) -> Table:
    """Return the covered cards with these squares, as the spymaster of a level sees them."""
    is_own = np.array([square == own for square in squares])
    worth = race.worth(*_score(squares, own)) if level.race else None
    return Table(is_own, costs(squares, own, level), worth)


def _score(squares: Sequence[str], own: str) -> tuple[int, int]:
    """Return the numbers of cards that the team and the other one have to find, at least one."""
    return squares.count(own), max(1, sum(square not in (own, "-", "X") for square in squares))


def _guesses(view: Mapping[str, Any], side: str, level: Level) -> Iterator[GuessedCards]:
    """Yield the cards that the team selected after each of its clues, up to the clue's number."""
    left = _cells(view)
    for turn in view["turns"]:
        places = {cell["name"]: at for at, cell in enumerate(left)}
        taken = [places[name] for name in turn["guesses"]]
        if turn["team"] == side and turn["clue"] and taken:
            likeness = likeness_of(turn["clue"]["word"], left, view["language"], level)
            number = turn["clue"]["number"]
            about = int(number) if number.isdigit() else 0
            if likeness is not None:
                yield GuessedCards(likeness, taken[:about])
        left = [cell for at, cell in enumerate(left) if at not in taken]


def likeness_of(
    word: str, cells: Sequence[Mapping[str, Any]], language: str, level: Level
) -> Floats | None:
    """Return the likeness of a clue and each card (axis 1) in each space (axis 0); None for a word
    without a meaning."""
    words = lexicon(language)
    clue = words.vector(word)
    if clue is None:
        return None
    likeness = vocabulary(language).likeness(clue[None], _meanings(cells, words))[:, 0]
    names = [_name(cell, language) for cell in cells]
    return level.likeness(likeness, associations(language).bonus(word, names, level.ties))


def costs(squares: Sequence[str], own: str, level: Level) -> Floats:
    """Return the loss, in turns, of selecting each card that is not in ``own``. The last card of
    the other team costs as much as the assassin, since it ends the game too."""
    score = _score(squares, own)
    other, assassin = level.other, level.assassin
    if level.race:
        other, assassin = other + race.loss(*score), assassin * race.ruin(*score)
    known = {"X": assassin, "-": level.bystander}
    lost = assassin if score[1] == 1 else other
    return np.array([known.get(square, lost) for square in squares if square != own], np.float32)


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
    language = view["language"]
    cards = _meanings(_covered(view), lexicon(language))
    names = [_name(cell, language) for cell in _covered(view)]
    for turn in view["turns"]:
        if turn["team"] == side and turn["clue"]:
            heard = standing(turn["clue"]["word"], names, cards, language)
            # A clue for 0 warns of the cards that it fits.
            none = turn["clue"]["number"] == "0"
            yield Hint(-heard if none else heard, _left(turn, side))


def _left(turn: Mapping[str, Any], side: str) -> int | None:
    """Return the number of cards of a clue that are still to be found, None after 'unlimited'."""
    number = turn["clue"]["number"]
    if not number.isdigit():
        return None
    found = sum(card["square"] == side[0].upper() for card in turn["found"])
    return max(0, int(number) - found)
