"""Play a level of Codenames' computer players against simulated beginners, and print a table.

Usage: python -m benchmarks.match_codenames_novice [--games 100] [--language en] [--seed 1]
       [--rivals novice random] [--levels 1 2 3 4]

A level takes both seats of one team, and rivals take those of the other; the level plays red in one
game and blue in the next. A novice gives a clue for one card at a time, the word of a beginner's
vocabulary most like it, and takes the card most like a clue. A random rival gives any word and
takes any card. Both use the word vectors of the site's computers, so novices understand each other
better than people would.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from random import Random
from typing import Any

from games.codenames.ai.lexicon import Vocabulary, lexicon
from games.codenames.computer import LEVELS, choose
from games.codenames.position import OPERATIVES, SIDES
from games.codenames.rules import RULES
from games.codenames.stages import STOP
from games.contract import MoveError, Position

VOCABULARY = 1_200
"""The number of commonest words in a novice's vocabulary."""
TEAMS = tuple(SIDES.values())

Cell = Mapping[str, Any]
Player = Callable[[Position, str, Random], str]
"""Returns the move of a seat."""


def of_level(level: int) -> Player:
    return lambda position, seat, rng: choose(position, seat, level, rng, seconds=60.0).move


def novice(position: Position, seat: str, rng: Random) -> str:
    """Return a clue for one card, the card most like a clue, or a stop after that."""
    view = position.view(seat)
    if seat not in OPERATIVES.values():
        return _clue_for(position, seat, rng.choice(_own(view, seat)), view["language"])
    if _has_guessed(view):
        return STOP
    said = lexicon(view["language"]).vector(view["clue"]["word"])
    like = {cell["name"]: _likeness(said, cell, view["language"]) for cell in _covered(view)}
    return str(max(like, key=like.__getitem__))


def at_random(position: Position, seat: str, rng: Random) -> str:
    """Return a clue of any word for one card, any card, or a stop after that."""
    view = position.view(seat)
    if seat not in OPERATIVES.values():
        words = _vocabulary(view["language"]).words
        return _first_allowed(position, seat, rng.sample(words, 50))
    return STOP if _has_guessed(view) else str(rng.choice(_covered(view))["name"])


RIVALS: Mapping[str, Player] = {"novice": novice, "random": at_random}


@cache
def _vocabulary(language: str) -> Vocabulary:
    return lexicon(language).clues()


def _covered(view: Mapping[str, Any]) -> list[Cell]:
    return [cell for row in view["rows"] for cell in row if not cell["selected"]]


def _own(view: Mapping[str, Any], seat: str) -> list[Cell]:
    return [cell for cell in _covered(view) if cell["square"] == seat[0].upper()]


def _has_guessed(view: Mapping[str, Any]) -> bool:
    return bool(view["may_stop"] and view["turns"][-1]["guesses"])


def _clue_for(position: Position, seat: str, card: Cell, language: str) -> str:
    words, known = _vocabulary(language), lexicon(language).vector(card["card"])
    if known is None:
        return _first_allowed(position, seat, words.words)
    like = words.vectors[:VOCABULARY] @ known
    return _first_allowed(position, seat, (words.words[place] for place in (-like).argsort()))


def _likeness(said: Any, cell: Cell, language: str) -> float:
    card = lexicon(language).vector(cell["card"])
    return 0.0 if said is None or card is None else float(said @ card)


def _first_allowed(position: Position, seat: str, words: Iterable[str]) -> str:
    """Return a clue of the first word that the rules let the seat give."""
    for word in words:
        try:
            position.copy().play(seat, f"clue {word} 1")
        except MoveError:
            continue
        return f"clue {word} 1"
    raise SystemExit("no word is allowed as a clue")


def play(level: int, rival: str, side: str, language: str, seed: int) -> str:
    """Return the side that wins a game in which the level plays ``side``."""
    rng = Random(seed)
    options = RULES.clean({"clues": "typed", "language": language})
    position = RULES.start(RULES.deal(options, rng))
    players = {team: of_level(level) if team == side else RIVALS[rival] for team in TEAMS}
    while (result := position.result()) is None:
        (seat,) = position.to_move()
        position.play(seat, players[seat.partition("-")[0]](position, seat, rng))
    return next(seat for seat in sorted(result.winners)).partition("-")[0]


def won(level: int, rival: str, games: int, language: str = "en", seed: int = 1) -> int:
    """Return how many games a level wins."""
    sides = [TEAMS[game % 2] for game in range(games)]
    return sum(
        play(level, rival, side, language, 1000 * seed + game) == side
        for game, side in enumerate(sides)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--language", default="en")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rivals", nargs="+", default=list(RIVALS), choices=list(RIVALS))
    parser.add_argument("--levels", type=int, nargs="+", default=[1], choices=list(LEVELS))
    arguments = parser.parse_args()
    for level in arguments.levels:
        for rival in arguments.rivals:
            count = won(level, rival, arguments.games, arguments.language, arguments.seed)
            print(f"level {level} against {rival}: {count} of {arguments.games} won", flush=True)


if __name__ == "__main__":
    main()
