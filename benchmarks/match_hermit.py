"""Play levels of the computer players of Hermit against each other and print a table.

Usage: python -m benchmarks.match_hermit [--size 6] [--pairs 25] [--seed 1] [--levels 1 2 3 4 5]
       python -m benchmarks.match_hermit --sweep [--pairs 2] [--seed 1]
       python -m benchmarks.match_hermit --novice [--size 6] [--pairs 50] [--seed 1]

The games of a pair are played with swapped seats. A line of the table shows how many games its
level won against each other level, and the processor time of its slowest move, in seconds.

With --sweep the highest level plays against random moves on every size of board instead. With
--novice level 1 plays against random moves and against a simulated beginner, who places the last
block when it can, keeps the other player from placing it next, and otherwise plays any move.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import combinations
from random import Random
from time import process_time

from games.contract import Position
from games.hermit.computer import HIGHEST, choose
from games.hermit.position import FIRST, SECOND, HermitPosition

RANDOM = 0
"""Stands for a player of random moves."""
NOVICE = -1
"""Stands for the simulated beginner."""
_FORESEEABLE = 12
"""With more moves than this, the novice does not look for the last one."""
SIZES = range(2, 13)


def move_of(position: HermitPosition, seat: str, level: int, rng: Random) -> str:
    """Return the move of a level, of the novice, or a random one."""
    moves = list(position.legal_moves(seat))
    if level == RANDOM:
        return rng.choice(moves)
    if level == NOVICE:
        return novice(position, seat, moves, rng)
    return choose(position, seat, level, rng, seconds=60.0).move


def novice(position: HermitPosition, seat: str, moves: list[str], rng: Random) -> str:
    """Return a move that wins at once, or else one after which the opponent cannot win at once."""
    if len(moves) > _FORESEEABLE:
        return rng.choice(moves)
    children = {move: position.copy().play(seat, move) for move in moves}
    wins = [move for move, child in children.items() if child.result() is not None]
    safe = [move for move, child in children.items() if not can_end(child)]
    return rng.choice(wins or safe or moves)


def can_end(position: Position) -> bool:
    """Return whether the next move can be the last one."""
    return any(
        position.copy().play(seat, move).result() is not None
        for seat in position.to_move()
        for move in position.legal_moves(seat)
    )


def play(size: int, levels: Mapping[str, int], rng: Random, slowest: dict[int, float]) -> int:
    """Play a game between the levels of the two seats and return the level that won."""
    position = HermitPosition(size)
    while (result := position.result()) is None:
        (seat,) = position.to_move()
        begun = process_time()
        move = move_of(position, seat, levels[seat], rng)
        slowest[levels[seat]] = max(slowest[levels[seat]], process_time() - begun)
        position.play(seat, move)
    (winner,) = result.winners
    return levels[winner]


def match(size: int, low: int, high: int, pairs: int, seed: int, slowest: dict[int, float]) -> int:
    """Return how many of ``2 * pairs`` games the higher level won."""
    rng = Random(f"{seed} {size} {low} {high}")
    seatings = [{FIRST: low, SECOND: high}, {FIRST: high, SECOND: low}]
    winners = [play(size, seats, rng, slowest) for _ in range(pairs) for seats in seatings]
    return winners.count(high)


def sweep(pairs: int, seed: int) -> None:
    """Print the results of the highest level against random moves on each size of board."""
    total, longest = 0, 0.0
    for size in SIZES:
        slowest = {RANDOM: 0.0, HIGHEST: 0.0}
        won = match(size, RANDOM, HIGHEST, pairs, seed, slowest)
        total, longest = total + won, max(longest, slowest[HIGHEST])
        print(f"{size:2} x {size:<2} {won:4} of {2 * pairs} {slowest[HIGHEST]:12.3f} s", flush=True)
    print(f"all     {total:4} of {2 * pairs * len(SIZES)} {longest:11.3f} s")


def beginner(size: int, pairs: int, seed: int) -> None:
    """Print the results of level 1 against random moves and against the novice."""
    for name, opponent in (("random moves", RANDOM), ("a novice", NOVICE)):
        slowest = {1: 0.0, opponent: 0.0}
        won = match(size, opponent, 1, pairs, seed, slowest)
        print(f"{size} x {size}, level 1 against {name}: {won} of {2 * pairs} won", flush=True)


def table(size: int, levels: list[int], pairs: int, seed: int) -> None:
    """Print the results of each level against each other on one size of board."""
    slowest, won = dict.fromkeys(levels, 0.0), {}
    for low, high in combinations(levels, 2):
        wins = match(size, low, high, pairs, seed, slowest)
        won[high, low], won[low, high] = wins, 2 * pairs - wins
    print(f"{size} x {size}, {2 * pairs} games a pairing")
    print("level   ", *[f"v {level}".rjust(5) for level in levels], "  slowest move")
    for level in levels:
        row = [str(won.get((level, other), "-")).rjust(5) for other in levels]
        print(f"{level:<9}", *row, f"{slowest[level]:12.3f} s", sep=" ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--pairs", type=int, help="25, or 2 with --sweep")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--sweep", action="store_true", help="the highest level, every size")
    parser.add_argument("--novice", action="store_true", help="level 1 against a beginner")
    options = parser.parse_args()
    if options.sweep:
        sweep(options.pairs or 2, options.seed)
    elif options.novice:
        beginner(options.size, options.pairs or 50, options.seed)
    else:
        table(options.size, options.levels, options.pairs or 25, options.seed)


if __name__ == "__main__":
    main()
