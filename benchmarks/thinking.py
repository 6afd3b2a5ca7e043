"""Time the computer players in all phases of games, on boards of all sizes, and print a table.

Usage: python -m benchmarks.thinking [--positions 10] [--only SLUG ...] [--seed 1]

Level 1 plays games against itself. From each game one position is drawn from each third of its
moves, the very first position among them, and every level chooses a move there, limited by its
nodes alone. A cell of the table is the processor time of the slowest move of a phase, and the level
that took it. `benchmarks.ladders` has the boards.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import TypeVar

from benchmarks.levels import Table, of_level, tables
from games.contract import Position
from games.core.registry import all_rules

PHASES = ("beginning", "middle", "end")
T = TypeVar("T")


@dataclass(frozen=True, order=True)
class Spent:
    """The processor time of a move, in seconds, and the level that chose it."""

    seconds: float = 0.0
    level: int = 0

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s (level {self.level})"


def positions_of(table: Table, rng: Random) -> Sequence[Position]:
    """Return the positions of a game that level 1 plays against itself."""
    position, beginner, found = table.start(rng), of_level(table.slug, 1), list[Position]()
    while position.result() is None:
        found.append(position.copy())
        seat = min(position.to_move())
        position.play(seat, beginner(position, seat, rng))
    return found


def third_of(positions: Sequence[T], phase: int) -> Sequence[T]:
    """Return the positions of a phase, at least one."""
    first, end = (len(positions) * bound // len(PHASES) for bound in (phase, phase + 1))
    return positions[first : max(end, first + 1)]


def spent_on(position: Position, slug: str, level: int, rng: Random) -> Spent:
    """Return the time of one move."""
    seat = min(position.to_move())
    begun = thread_time()
    of_level(slug, level)(position.copy(), seat, rng)
    return Spent(thread_time() - begun, level)


def slowest(table: Table, count: int, seed: int) -> list[Spent]:
    """Return the slowest move of each phase."""
    levels = all_rules()[table.slug].ladder
    found = [Spent()] * len(PHASES)
    for number in range(count):
        rng = Random(f"{seed} {table.name} {number}")
        played = positions_of(table, rng)
        for phase in range(len(PHASES)):
            drawn = rng.choice(third_of(played, phase)) if phase or number else played[0]
            moves = [spent_on(drawn, table.slug, level, rng) for level in levels]
            found[phase] = max(found[phase], *moves)
    return found


def main() -> None:
    """Read the command line, and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--positions", type=int, default=10, help="of each phase")
    parser.add_argument("--only", nargs="+", default=sorted(all_rules()), choices=all_rules())
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"| slowest move | {' | '.join(PHASES)} |\n|{'---|' * (len(PHASES) + 1)}")
    for table in (table for slug in arguments.only for table in tables(slug, "BOARDS")):
        cells = " | ".join(map(str, slowest(table, arguments.positions, arguments.seed)))
        print(f"| {table.name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
