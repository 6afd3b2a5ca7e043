"""Check that Othello's top level plays 6x6 perfectly, and measure its time.

Usage: python -m benchmarks.match_othello_6 [--games 200] [--seed 1] [--ends COUNT]

First it solves every position at the end of the shipped opening lines, for all moves of the
opponent (or COUNT of them, drawn at random, those with most empty squares first), and counts those
that the level's nodes do not suffice for. Then it plays games against random moves: none may end
worse for the top level than the score of the last line it followed. Times are processor times.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from time import process_time

from games.contract import Position
from games.othello.ai.endgame import STOP
from games.othello.ai.openings import DATA, Pair, after, best_moves, canonical, mask_of, start
from games.othello.ai.perfect import Solver
from games.othello.bitboard import bits, geometry, legal_mask
from games.othello.computer import SOLVER_NODES, choose
from games.othello.position import OthelloPosition
from games.othello.rules import RULES

N = 6
BOARD = geometry(N)
TOP = [*RULES.ladder][-1]


def ends(own: int, opponent: int) -> Iterator[Pair]:
    """Yield the positions in which the lines end; the side to move follows the lines."""
    known = best_moves(own, opponent, N)
    if not known:
        yield own, opponent
    for best in known:
        yield from answered(*after(own, opponent, best, N))


def answered(own: int, opponent: int) -> Iterator[Pair]:
    """Yield the positions of `ends` after every move of the side that does not follow the lines."""
    for move in bits(legal_mask(own, opponent, BOARD)):
        yield from ends(*after(own, opponent, move, N))


def drawn_ends(count: int | None, rng: Random) -> list[Pair]:
    """Return the ends of the lines, one for all images of a position: all, or some with most empty
    squares."""
    first = start(N)
    images = sorted({canonical(*pair, N)[0] for pair in (*ends(*first), *answered(*first))})
    if count is None:
        return images
    rng.shuffle(images)
    return sorted(images, key=lambda pair: (pair[0] | pair[1]).bit_count())[:count]


def time_the_ends(positions: list[Pair]) -> None:
    """Solve the ends of the lines with the level's nodes, and print the times."""
    spent, unsolved = [], 0
    for own, opponent in positions:
        begun, solver = process_time(), Solver(N, nodes=SOLVER_NODES)
        solver.best(own, opponent, 600.0)
        unsolved += bool(solver.counters[STOP])
        spent.append((process_time() - begun, N * N - (own | opponent).bit_count()))
    slowest, empties = max(spent)
    mean = sum(seconds for seconds, _ in spent) / len(spent)
    print(f"{len(spent)} positions, {mean:.2f} s of processor time each, the slowest", end=" ")
    print(f"{slowest:.2f} s ({empties} empty squares); {unsolved} not solved", flush=True)


def scores() -> dict[Pair, int]:
    """Return the score of each line by the least image of its position."""
    lines = (DATA / f"openings-{N}.txt").read_text(encoding="utf-8").splitlines()
    known = {}
    for played, _, best in (line.partition(":") for line in lines if not line.startswith("#")):
        own, opponent = start(N)
        for name in played.split():
            own, opponent = after(own, opponent, mask_of(name, N), N)
        known[canonical(own, opponent, N)[0]] = int(best.split()[1])
    return known


def play(top: str, known: dict[Pair, int], rng: Random) -> tuple[int, int, float]:
    """Play a game of the top level against random moves; return its score, the score of the
    last line, and the seconds of its slowest move."""
    position: Position = OthelloPosition(N)
    promised, pair, slowest = -N * N, start(N), 0.0
    while position.to_move():
        (seat,) = position.to_move()
        if seat == top:
            promised = max(promised, known.get(canonical(*pair, N)[0], promised))
            begun = process_time()
            move = choose(position, seat, TOP, rng, seconds=60.0).move
            slowest = max(slowest, process_time() - begun)
        else:
            move = rng.choice(list(position.legal_moves(seat)))
        position.play(seat, move)
        pair = after(*pair, mask_of(move, N), N)
    counts = position.view(None)["score"]
    return int(2 * counts[top] - sum(counts.values())), promised, slowest


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ends", type=int, help="solve only so many")
    options = parser.parse_args()
    time_the_ends(drawn_ends(options.ends, Random(options.seed)))
    known, worse, slowest = scores(), 0, 0.0
    for number in range(options.games):
        top = ("black", "white")[number % 2]
        score, promised, longest = play(top, known, Random(options.seed + number))
        worse, slowest = worse + (score < promised), max(slowest, longest)
    print(
        f"{options.games} games against random moves, {worse} worse than the score of their line,"
    )
    print(f"the slowest move {slowest:.2f} s")
    assert not worse


if __name__ == "__main__":
    main()
