"""Measure how many of the cards that people meant the operative of a level finds.

    python -m benchmarks.match_codenames_people [--level 4] [--languages en nl] [--show]

The clues are in ``games/codenames/ai/data``, each with the 25 open cards and those it is for. Those
in ``second-<language>.tsv`` are by a person who had seen none of the operative's data, those in
``third-<language>.tsv`` were written before the words for each Dutch card, by the same author,
those in ``fourth-<language>.tsv`` by an author who had seen boards alone, and nothing is tuned with
them. Of those in ``people-<language>.tsv`` the first 60 of a language were looked at while the
operative was made, the last 60 were not. The operative guesses until it stops, errs, or has found
all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from games.codenames.ai.associations import associations, lines
from games.codenames.ai.hearing import standing
from games.codenames.ai.lexicon import lexicon
from games.codenames.ai.operative import Hint, next_card
from games.codenames.ai.table import DATA
from games.codenames.computer import LEVELS

SEEN = 60
"""The clues at the beginning of a file that were looked at."""


@dataclass(frozen=True)
class Clue:
    """A clue of a person: its word, the open cards, and those that it means."""

    word: str
    cards: tuple[str, ...]
    meant: frozenset[str]


def clues(language: str, source: str = "people") -> Iterator[Clue]:
    """Yield the clues of a language's file."""
    cards: tuple[str, ...] = ()
    for line in lines(DATA / f"{source}-{language}.tsv"):
        if line.startswith("= "):
            cards = tuple(line[2:].split())
        else:
            word, meant = line.split("\t")
            yield Clue(word, cards, frozenset(meant.split()))


def found(clue: Clue, language: str, level: int) -> list[str]:
    """Return the cards that the operative selects, the last one perhaps wrong."""
    words = lexicon(language)
    cards, taken = list(clue.cards), list[str]()
    while len(taken) < len(clue.meant) and clue.meant.issuperset(taken):
        heard = standing(clue.word, cards, [words.vector(card) for card in cards], language)
        hint = Hint(heard, len(clue.meant) - len(taken))
        going = bool(taken)
        place = next_card(
            hint, [], LEVELS[level].temperament, Random(0), may_stop=going, found_some=going
        )
        if place is None:
            break
        taken.append(cards.pop(place))
    return taken


def is_known(clue: Clue, language: str) -> bool:
    """Return whether the operative knows the word at all."""
    return (
        associations(language).knows(clue.word) or lexicon(language).vector(clue.word) is not None
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--level", type=int, default=4, choices=list(LEVELS))
    parser.add_argument("--languages", nargs="+", default=["en", "nl"])
    parser.add_argument("--show", action="store_true", help="print each clue with what was taken")
    arguments = parser.parse_args()
    for language in arguments.languages:
        every, second = list(clues(language)), list(clues(language, "second"))
        third, fourth = list(clues(language, "third")), list(clues(language, "fourth"))
        parts = {
            "apart from all data": fourth,
            "written before the words": third,
            "… for several of those cards": [clue for clue in third if len(clue.meant) > 1],
            "a second person": second,
            "… for several cards": [clue for clue in second if len(clue.meant) > 1],
            "not looked at": every[SEEN:],
            "looked at": every[:SEEN],
        }
        for name, part in parts.items():
            report(f"{language}, {name}", part, language, arguments.level, show=arguments.show)


def report(name: str, part: list[Clue], language: str, level: int, *, show: bool) -> None:
    """Print the share of the meant cards that were found, after each clue if asked."""
    hits = meant = wrong = unknown = 0
    for clue in part:
        taken = found(clue, language, level)
        hits += len(clue.meant & set(taken))
        meant += len(clue.meant)
        wrong += bool(set(taken) - clue.meant)
        unknown += not is_known(clue, language)
        if show:
            print(f"  {clue.word} ({', '.join(sorted(clue.meant))}): {', '.join(taken)}")
    print(
        f"{name}: {len(part)} clues, {hits / meant:.0%} of {meant} cards found, "
        f"{wrong} clues with a wrong card, {unknown} unknown words"
    )


if __name__ == "__main__":
    main()
