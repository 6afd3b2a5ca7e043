"""Measure how well a guesser with another word table understands the spymaster.

    python -m benchmarks.match_codenames [--boards 200] [--language en] [--pictures]

The guesser knows words from one space of the shipped table (``--space glove``), and the spymaster
from the others: a match between two players with the same knowledge would prove nothing. Neither
would boards on which the computer was tuned: those from seed 5000 on (``--first``), and for the top
level from 50000 on. Its guessers never used GloVe (`games/codenames/ai/data/README.md`). Instead,
two tables of ``games.codenames.ai.train.build_semantics`` can be given: SPYMASTER.npz GUESSER.npz.

One team plays alone, on boards of 25 cards with 9 own, 8 of the other team, 7 bystanders and the
assassin. The first guesser is literal: it takes as many cards as the number says, those most like
the clue. The second is the site's operative of level 4, which has a temperament of its own
(``--guessers``). It prints the number of turns of a won game, the share of guesses that found an
own card, the shares of games that ended with the assassin and with the last card of the other team,
and the score: the number of turns, 25 for a lost game. ``--rule usual`` is the rule used by entries
of the Codenames competition of IEEE CoG: the largest number for which all own cards are more like
the clue than any other card.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai.associations import associations
from games.codenames.ai.forms import WordForms
from games.codenames.ai.lexicon import Lexicon, Vocabulary
from games.codenames.ai.listeners import GuessedCards
from games.codenames.ai.operative import Hint, Temperament, next_card
from games.codenames.ai.spymaster import Table, best_clue
from games.codenames.ai.table import Table as Words
from games.codenames.ai.table import table as shipped
from games.codenames.ai.train.build_semantics import WEIGHTS
from games.codenames.cards.pictures import pictures
from games.codenames.cards.word_lists import word_list
from games.codenames.computer import LEVELS, Level, table_of

LOST = 25
KEY = "R" * 9 + "B" * 8 + "-" * 7 + "X"

Floats = NDArray[np.float32]
Rule = Callable[[Floats, Table, list[GuessedCards]], tuple[int, int]]


@dataclass
class Player:
    """A player with one table of words."""

    words: Lexicon
    clues: Vocabulary
    pictures: bool

    def deck(self) -> list[str]:
        return list(pictures() if self.pictures else word_list(self.words.language))

    def name(self, card: str) -> str:
        return pictures()[card].names[self.words.language] if self.pictures else card

    def meaning(self, card: str) -> Floats | None:
        return self.words.picture(card) if self.pictures else self.words.vector(card)

    def likeness(self, rows: NDArray[np.intp], cards: list[str], level: Level) -> Floats:
        """Return the knowledge of the site's spymaster: vectors, and words that belong together."""
        found = self.clues.likeness(
            self.clues.vectors[rows], [self.meaning(card) for card in cards]
        )
        names = [self.name(card) for card in cards]
        tied = associations(self.words.language).bonuses(self.clues.words, names, level.ties)
        return level.likeness(found, tied[rows])

    def hint(self, clue: str, cards: list[str], left: int) -> Hint:
        said = self.words.vector(clue)
        standing = self.clues.standing(said, [self.meaning(card) for card in cards])
        tied = associations(self.words.language).bonus(clue, [self.name(card) for card in cards])
        return Hint(standing + tied, left)

    def most_like(self, clue: str, cards: list[str]) -> str:
        """Return the card that is most like the clue."""
        said = self.words.vector(clue)
        values = [self.meaning(card) for card in cards]
        like = [0.0 if v is None or said is None else float(v @ said) for v in values]
        return max(zip(like, cards, strict=True))[1]


def player(table: Words, language: str, pictures: bool) -> Player:
    words = Lexicon(language, table)
    return Player(words, words.clues(), pictures)


def part_of(whole: Words, names: Sequence[str]) -> Words:
    """Return the shipped table with some of its spaces, which get the weight of all together.

    It equals the table that ``build_semantics`` makes of these spaces alone.
    """
    part, spaces = copy(whole), dict(zip(WEIGHTS, whole.spaces, strict=True))
    factor = np.sqrt(sum(WEIGHTS.values()) / sum(WEIGHTS[name] for name in names))
    kept = [whole.vectors[:, spaces[name]] for name in names]
    part.vectors = np.float32(factor) * np.hstack(kept)
    ends = [0, *accumulate(part.shape[1] for part in kept)]
    part.spaces = tuple(map(slice, ends, ends[1:]))
    part.usual_length = float(np.median(np.linalg.norm(part.vectors, axis=1)))
    return part


def usual(likeness: Floats, table: Table, guesses: list[GuessedCards]) -> tuple[int, int]:
    """Return the clue with the largest number for which every own card is above all others; among
    equal ones the clearest."""
    logits = likeness.mean(axis=0)
    own = -np.sort(-logits[:, table.own], axis=1)
    bar = logits[:, ~table.own].max(axis=1, keepdims=True)
    numbers = (own > bar).sum(axis=1)
    most = max(1, int(numbers.max()))
    rows = np.flatnonzero(numbers == numbers.max())
    return int(rows[own[rows, most - 1].argmax()]), most


def levelled(level: int) -> Rule:
    def rule(likeness: Floats, table: Table, guesses: list[GuessedCards]) -> tuple[int, int]:
        style = LEVELS[level].style
        found = best_clue(likeness, table, style, style.belief(guesses, len(likeness)))
        assert found is not None
        return found

    return rule


@dataclass
class Game:
    """One team's game on one board."""

    key: dict[str, str]
    turns: int = 0
    ended: str = ""
    guesses: int = 0
    hits: int = 0
    numbers: list[int] = field(default_factory=list)

    def select(self, card: str) -> bool:
        """Turn the card and return whether it is an own one."""
        square = self.key.pop(card)
        self.guesses += 1
        self.hits += square == "R"
        if square == "X":
            self.ended = "assassin"
        elif square not in self.key.values() and square in "RB":
            self.ended = "won" if square == "R" else "other team"
        return square == "R"


@dataclass
class Clue:
    """A clue, and the number of its own cards that are still to be found."""

    word: str
    left: int


Guess = Callable[[Player, Sequence[Clue], list[str], int], str | None]
"""Returns the next card of a guesser, or None to stop, from all clues so far and the number of
cards found in this turn."""


def literal(guesser: Player, clues: Sequence[Clue], cards: list[str], found: int) -> str | None:
    """Take as many cards as the number says, the most like the clue first."""
    return guesser.most_like(clues[-1].word, cards) if clues[-1].left else None


def operative(temperament: Temperament) -> Guess:
    def guess(guesser: Player, clues: Sequence[Clue], cards: list[str], found: int) -> str | None:
        *earlier, now = (guesser.hint(clue.word, cards, clue.left) for clue in clues)
        sure = {"may_stop": found > 0, "found_some": found > 0}
        place = next_card(now, earlier, temperament, Random(0), **sure)
        return None if place is None else cards[place]

    return guess


GUESSERS = {"literal": literal, "operative": operative(LEVELS[4].temperament)}


def play(
    seed: int, spymaster: Player, guesser: Player, level: int, rule: Rule, guess: Guess
) -> Game:
    rng = Random(seed)
    squares = rng.sample(KEY, len(KEY))
    cards = rng.sample(spymaster.deck(), len(KEY))
    game, used = Game(dict(zip(cards, squares, strict=True))), set[str]()
    guesses: list[GuessedCards] = []
    clues: list[Clue] = []
    while not game.ended:
        game.turns += 1
        cards = list(game.key)
        forms = WordForms(map(spymaster.name, cards), spymaster.words.language)
        words = spymaster.clues.words[: LEVELS[level].words]
        free = [
            n
            for n, word in enumerate(words)
            if word not in used and not forms.has(spymaster.clues.bare[n])
        ]
        table = table_of([*game.key.values()], "R", LEVELS[level])
        likeness = spymaster.likeness(np.array(free), cards, LEVELS[level])
        row, number = rule(likeness, table, guesses)
        clues.append(Clue(words[free[row]], number))
        game.numbers.append(number)
        used.add(clues[-1].word)
        taken = turn(game, guesser, clues, guess)
        guesses.append(
            GuessedCards(likeness[:, row], [cards.index(card) for card in taken[:number]])
        )
    return game


def turn(game: Game, guesser: Player, clues: list[Clue], guess: Guess) -> list[str]:
    """Guess until the guesser stops, finds a card that is not an own one, or has taken one card
    more than the number. Return the taken cards."""
    taken: list[str] = []
    for _ in range(clues[-1].left + 1):
        card = guess(guesser, clues, list(game.key), len(taken))
        if card is None:
            break
        taken.append(card)
        if not game.select(card) or game.ended:
            break
        clues[-1].left = max(0, clues[-1].left - 1)
    return taken


def report(name: str, games: list[Game], seconds: float) -> None:
    ends = Counter(game.ended for game in games)
    won = [game.turns for game in games if game.ended == "won"]
    score = (sum(won) + LOST * (len(games) - len(won))) / len(games)
    precision = sum(game.hits for game in games) / sum(game.guesses for game in games)
    asked, later = (
        fmean(number for game in games for number in game.numbers[first:]) for first in (0, 2)
    )
    print(
        f"{name}: score {score:.1f}, turns of a won game {sum(won) / max(1, len(won)):.1f}, "
        f"{asked:.2f} cards a clue, {later:.2f} after the second, "
        f"precision {precision:.0%}, assassin {ends['assassin'] / len(games):.1%}, "
        f"other team {ends['other team'] / len(games):.1%}, "
        f"{1000 * seconds / sum(game.turns for game in games):.0f} ms a turn"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("spymaster", type=Path, nargs="?")
    parser.add_argument("guesser", type=Path, nargs="?")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--language", default="en")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first board")
    parser.add_argument("--rule", choices=["levels", "usual"], default="levels")
    parser.add_argument("--levels", type=int, nargs="+", default=[4])
    parser.add_argument("--guessers", choices=GUESSERS, nargs="+", default=list(GUESSERS))
    parser.add_argument("--space", choices=WEIGHTS, default="glove", help="what the guesser knows")
    parser.add_argument("--trust", type=float)
    parser.add_argument("--assassin", type=float)
    arguments = parser.parse_args()
    if arguments.guesser is None:
        others = [name for name in WEIGHTS if name != arguments.space]
        tables = [part_of(shipped(), others), part_of(shipped(), [arguments.space])]
    else:
        tables = [Words(arguments.spymaster), Words(arguments.guesser)]
    spymaster, guesser = (player(table, arguments.language, arguments.pictures) for table in tables)
    seeds = range(arguments.first, arguments.first + arguments.boards)
    for level in arguments.levels:
        change(level, arguments.trust, arguments.assassin)
        rule = usual if arguments.rule == "usual" else levelled(level)
        for name in arguments.guessers:
            began, guess = perf_counter(), GUESSERS[name]
            games = [play(seed, spymaster, guesser, level, rule, guess) for seed in seeds]
            report(f"{arguments.rule} {level}, {name}", games, perf_counter() - began)


def change(level: int, trust: float | None, assassin: float | None) -> None:
    """Replace values of the level, to try others."""
    was = LEVELS[level]
    style = replace(was.style, trust=was.style.trust if trust is None else trust)
    fear = was.assassin if assassin is None else assassin
    LEVELS[level] = replace(was, style=style, assassin=fear)  # type: ignore[index]


if __name__ == "__main__":
    main()
