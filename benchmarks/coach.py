"""The coach's sentences on games between computers, for reading; and how sure its verdicts are.

``python -m benchmarks.coach KIND --sentences 40`` prints each sentence below the board before
the move, with the values. ``--neighbours`` compares the value of each position with that of the
position after its best move, which is the same with best play.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from statistics import mean, median
from typing import Any

from games.contract import MoveValue, Position, Rules
from games.core.registry import all_rules, computer_module, reasons_module

SECONDS = 1.0
"""The time for a position in an analysis; a benchmark on a busy machine has three times as much."""


def positions_of(rules: Rules, rng: Random) -> Iterator[tuple[Position, str]]:
    """Yield the positions of a game between two levels, each with the move that was played."""
    computer: Any = computer_module(rules.slug)
    position = rules.start(rules.deal(rules.clean({}), rng))
    levels = {spec.key: rng.choice([*rules.ladder][:-1]) for spec in position.seats}
    while seats := position.to_move():
        seat = min(seats)
        move = computer.choose(position, seat, levels[seat], rng, seconds=3 * SECONDS).move
        yield position.copy(), move
        position.play(seat, move)


def print_sentences(rules: Rules, rng: Random, most: int) -> None:
    """Print the coach's sentences on the costly moves of games, until there are enough."""
    computer: Any = computer_module(rules.slug)
    reasons: Any = reasons_module(rules.slug)
    judged = explained = games = 0
    while explained < most:
        games += 1
        for position, played in positions_of(rules, rng):
            if position.why_not_evaluable():
                continue
            values = computer.evaluate(position, seconds=3 * SECONDS)
            best = max(values, key=lambda move: values[move].value)
            if not is_costly(computer, values, best, played):
                continue
            judged += 1
            if reason := reasons.explain(position, best, played, values):
                explained += 1
                print(f"--- {explained}, {min(position.to_move())} to move")
                print(getattr(position, "board", position))
                print(f"{played}: {values[played].shown}; best {best}: {values[best].shown}")
                print(reason.sentence, flush=True)
    print(f"{games} games, {judged} costly moves, {explained} sentences")


def is_costly(computer: Any, values: dict[str, MoveValue], best: str, played: str) -> bool:
    """Return whether a move is at least an inaccuracy."""
    least = computer.INACCURACY if hasattr(computer, "INACCURACY") else computer.MISTAKE / 2
    if not values[best].exact:
        least = max(least, getattr(computer, "NOISE", 0.0))
    known = values[best].known and values[played].known
    return known and values[best].value - values[played].value >= least


def print_neighbours(rules: Rules, rng: Random, games: int) -> None:
    """Print by how much estimates change after the best move, and by how much the estimated loss of
    a move differs from the loss by a search two plies deeper."""
    computer: Any = computer_module(rules.slug)
    changes, count = [], 0
    for _ in range(games):
        for position, _played in positions_of(rules, rng):
            values = computer.evaluate(position, seconds=3 * SECONDS)
            best = max(values, key=lambda move: values[move].value)
            seat = min(position.to_move())
            after = position.copy().play(seat, best)
            if not after.to_move() or values[best].exact:
                continue
            later = computer.evaluate(after, seconds=3 * SECONDS)
            value = max(found.value for found in later.values())
            if not any(found.exact for found in later.values()):
                sign = 1 if seat in after.to_move() else -1
                changes.append(abs(values[best].value - sign * value))
                count += 1
    print(f"{count} pairs: mean {mean(changes):.2f}, median {median(changes):.2f}")
    print(f"at least 2: {sum(change >= 2 for change in changes)}")


def main() -> None:
    """Run the benchmark of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=[slug for slug in all_rules() if reasons_module(slug)])
    parser.add_argument("--sentences", type=int, default=40)
    parser.add_argument("--neighbours", type=int, default=0, metavar="GAMES")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rules, rng = all_rules()[chosen.kind], Random(chosen.seed)
    if chosen.neighbours:
        print_neighbours(rules, rng, chosen.neighbours)
    else:
        print_sentences(rules, rng, chosen.sentences)


if __name__ == "__main__":
    main()
