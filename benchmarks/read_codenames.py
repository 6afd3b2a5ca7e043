"""Let people read clues of the spymaster from the middle of games, and count what they find.

    python -m benchmarks.read_codenames FOLDER --language en [--boards 50] [--first 991000]
    python -m benchmarks.read_codenames FOLDER --language en --score

The first command plays one game on each board with a listener that always finds the cards meant,
and writes ``en.boards``: a clue of the third turn or later with its number and the open cards, and
``en.key``, which readers do not open: the cards meant, the other own cards, and the assassin.
Readers write a line for each clue into ``en.answers``: as many cards as the number says, the surest
first. The second command counts the cards found up to the first wrong one, as in a game, and all
that were meant, and how often the assassin was met.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks.match_codenames import Clue, Floats, Game, Player, levelled, play, player
from games.codenames.ai.listeners import GuessedCards, mean_of
from games.codenames.ai.spymaster import Table, meant
from games.codenames.ai.table import table
from games.codenames.computer import LEVELS

MIDDLE = 3
"""The first turn that counts as the middle of a game."""


@dataclass
class Heard:
    """A clue of a game: its word and number, the open cards, those meant, and the other own."""

    word: str
    cards: list[str]
    meant: list[str]
    own: list[str]


@dataclass
class Perfect:
    """A spymaster's rule and the guesser that knows which cards it means."""

    level: int
    heard: list[Heard] = field(default_factory=list)
    order: list[list[int]] = field(default_factory=list)

    def rule(self, likeness: Floats, cards: Table, guesses: list[GuessedCards]) -> tuple[int, int]:
        row, number = levelled(self.level)(likeness, cards, guesses)
        mean = mean_of(likeness[:, row], LEVELS[self.level].style.shares)
        self.order.append(meant(mean.tolist(), cards.own.tolist(), int(cards.own.sum())))
        return row, number

    def guess(
        self, _guesser: Player, clues: Sequence[Clue], cards: list[str], found: int
    ) -> str | None:
        """Return the next card that the last clue means."""
        if not found:
            own = [cards[place] for place in self.order[-1]]
            left = clues[-1].left
            self.heard.append(Heard(clues[-1].word, sorted(cards), own[:left], own[left:]))
        return self.heard[-1].meant[found] if clues[-1].left else None


def deal(folder: Path, language: str, level: int, seeds: range) -> None:
    """Write a clue of each game, and print how many cards the clues of whole games ask for."""
    giver, games = player(table(), language, pictures=False), list[Game]()
    with (
        (folder / f"{language}.boards").open("w") as boards,
        (folder / f"{language}.key").open("w") as keys,
    ):
        for seed in seeds:
            perfect = Perfect(level)
            games.append(play(seed, giver, giver, level, perfect.rule, perfect.guess))
            clue = Random(seed).choice(perfect.heard[MIDDLE - 1 :] or perfect.heard[-1:])
            (assassin,) = (card for card, square in games[-1].key.items() if square == "X")
            boards.write(f"{clue.word} {len(clue.meant)}: {' '.join(clue.cards)}\n")
            keys.write(f"{' '.join(clue.meant)}\t{' '.join(clue.own)}\t{assassin}\n")
    numbers = [number for game in games for number in game.numbers]
    later = [number for game in games for number in game.numbers[MIDDLE - 1 :]]
    print(
        f"{language}, level {level}: {fmean(numbers):.2f} cards a clue, {fmean(later):.2f} after "
        f"the second, {numbers.count(1) / len(numbers):.0%} for one card, "
        f"{fmean(game.turns for game in games):.1f} turns"
    )


def score(folder: Path, language: str) -> None:
    """Print what the answers found."""
    keys = (folder / f"{language}.key").read_text().splitlines()
    answers = (folder / f"{language}.answers").read_text().splitlines()
    asked = found = own = killed = 0
    for key, answer in zip(keys, answers, strict=True):
        wanted, others, assassin = (set(part.split()) for part in key.split("\t"))
        cards = answer.split()
        asked += len(wanted)
        found += len(wanted & set(cards))
        while cards and cards[0] in wanted | others:
            own += 1
            cards.pop(0)
        killed += cards[:1] == [*assassin]
    print(
        f"{language}: {len(keys)} clues, {found / asked:.0%} of {asked} cards asked for found, "
        f"{own / asked:.0%} own ones before the first wrong card, "
        f"the assassin after {killed} clues"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", default="en")
    parser.add_argument("--level", type=int, default=4, choices=list(LEVELS))
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--first", type=int, default=993_000)
    parser.add_argument("--score", action="store_true")
    arguments = parser.parse_args()
    if arguments.score:
        score(arguments.folder, arguments.language)
    else:
        seeds = range(arguments.first, arguments.first + arguments.boards)
        deal(arguments.folder, arguments.language, arguments.level, seeds)


if __name__ == "__main__":
    main()
