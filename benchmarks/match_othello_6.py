"""Check that Othello's top level plays 6x6 perfectly, and how long that takes it.

Usage: python -m benchmarks.match_othello_6 [--games 200] [--seed 1]

First every position is solved in which the shipped opening lines end, whatever the opponent plays,
and those are counted that take longer than the site lets a computer think. Then games against
random moves: none may end worse for the top level than the score of the last line it followed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from time import process_time

from games.contract import Position
from games.othello.ai.openings import DATA, Pair, after, best_moves, canonical, mask_of, start
from games.othello.ai.perfect import Solver
from games.othello.bitboard import bits, geometry, legal_mask
from games.othello.computer import LEVELS, choose
from games.othello.position import OthelloPosition

N = 6
BOARD = geometry(N)
TOP = max(LEVELS)
CAP = 8.0
"""Seconds that the site gives a computer for a move."""


def ends(own: int, opponent: int) -> Iterator[Pair]:
    """The positions of the side to move, which follows the lines, in which they have ended."""
    known = best_moves(own, opponent, N)
    if not known:
        yield own, opponent
    for best in known:
        yield from answered(*after(own, opponent, best, N))


def answered(own: int, opponent: int) -> Iterator[Pair]:
    """The same after every move of the side to move, the opponent of who follows the lines."""
    for move in bits(legal_mask(own, opponent, BOARD)):
        yield from ends(*after(own, opponent, move, N))


def time_the_ends() -> None:
    """Solve where the lines end and print how long it took."""
    first = start(N)
    images = {canonical(*pair, N)[0] for pair in (*ends(*first), *answered(*first))}
    spent = []
    for own, opponent in sorted(images):
        begun = process_time()
        Solver(N).best(own, opponent, 600.0)
        spent.append((process_time() - begun, N * N - (own | opponent).bit_count()))
    slowest, empties = max(spent)
    mean = sum(seconds for seconds, _ in spent) / len(spent)
    late = sum(seconds > CAP for seconds, _ in spent)
    print(f"{len(spent)} positions solved, {mean:.2f} s of processor each, the slowest", end=" ")
    print(f"{slowest:.2f} s ({empties} empty squares); {late} took more than {CAP} s", flush=True)


def scores() -> dict[Pair, int]:
    """The score of each line, by the least image of its position."""
    lines = (DATA / f"openings-{N}.txt").read_text(encoding="utf-8").splitlines()
    known = {}
    for played, _, best in (line.partition(":") for line in lines if not line.startswith("#")):
        own, opponent = start(N)
        for name in played.split():
            own, opponent = after(own, opponent, mask_of(name, N), N)
        known[canonical(own, opponent, N)[0]] = int(best.split()[1])
    return known


def play(top: str, known: dict[Pair, int], rng: Random) -> tuple[int, int]:
    """A game of the top level against random moves: its score, and what was promised."""
    position: Position = OthelloPosition(N)
    promised, pair = -N * N, start(N)
    while position.to_move():
        (seat,) = position.to_move()
        if seat == top:
            promised = max(promised, known.get(canonical(*pair, N)[0], promised))
            move = choose(position, seat, TOP, rng, seconds=60.0).move
        else:
            move = rng.choice(list(position.legal_moves(seat)))
        position.play(seat, move)
        pair = after(*pair, mask_of(move, N), N)
    counts = position.view(None)["score"]
    return int(2 * counts[top] - sum(counts.values())), promised


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    time_the_ends()
    known, worse = scores(), 0
    for number in range(options.games):
        score, promised = play(("black", "white")[number % 2], known, Random(options.seed + number))
        worse += score < promised
    print(f"{options.games} games against random moves, {worse} worse than the score of their line")
    assert not worse


if __name__ == "__main__":
    main()
