"""Play levels of the computer players of Hermit against each other and print a table.

Usage: python -m benchmarks.match_hermit [--size 6] [--pairs 25] [--seed 1] [--levels 1 2 3 4 5]

Each pair of games is played with the seats changed. A line of the table says how many games
the level of the line won against each other level, and how long it thought for its slowest move.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from random import Random
from time import perf_counter

from games.hermit.computer import choose
from games.hermit.position import SEATS, HermitPosition


def play(size: int, levels: dict[str, int], rng: Random, slowest: dict[int, float]) -> int:
    """The level that won a game between the levels of the two seats."""
    position = HermitPosition(size)
    while (result := position.result()) is None:
        (seat,) = position.to_move()
        begun = perf_counter()
        move = choose(position, seat, levels[seat], rng, seconds=60.0).move
        slowest[levels[seat]] = max(slowest[levels[seat]], perf_counter() - begun)
        position.play(seat, move)
    (winner,) = result.winners
    return levels[winner]


def match(size: int, low: int, high: int, pairs: int, seed: int, slowest: dict[int, float]) -> int:
    """How many of ``2 * pairs`` games the higher level won."""
    rng = Random(f"{seed} {size} {low} {high}")
    seatings = [dict(zip(SEATS, order, strict=True)) for order in ((low, high), (high, low))]
    winners = [play(size, seats, rng, slowest) for _ in range(pairs) for seats in seatings]
    return winners.count(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--pairs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    options = parser.parse_args()
    slowest = dict.fromkeys(options.levels, 0.0)
    won = {}
    for low, high in combinations(options.levels, 2):
        wins = match(options.size, low, high, options.pairs, options.seed, slowest)
        won[high, low], won[low, high] = wins, 2 * options.pairs - wins
    print(f"{options.size} x {options.size}, {2 * options.pairs} games a pairing")
    print("level   ", *[f"v {level}".rjust(5) for level in options.levels], "  slowest move")
    for level in options.levels:
        row = [str(won.get((level, other), "-")).rjust(5) for other in options.levels]
        print(f"{level:<9}", *row, f"{slowest[level]:12.3f} s", sep=" ")


if __name__ == "__main__":
    main()
