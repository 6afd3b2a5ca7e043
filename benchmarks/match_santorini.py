"""Play the levels of Santorini's computer player against each other, and print a table.

Usage: python -m benchmarks.match_santorini [--games 50] [--players 2] [--seed 1] LEFT:RIGHT ...

A player is level-1 .. level-6, or random. Without arguments each level meets the one below.

Two players: games come in pairs that begin with the same placements, played once with each
colour. Placements are drawn at random and kept if a search of 20,000 nodes calls them even
(45 to 55 per cent), so that a pair is not decided before it begins. Three or four players: one
plays LEFT and the others RIGHT, from placements of their own, each seat having its turn; then
LEFT would win one game in three or four if it were no better.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import exp, sqrt
from random import Random
from time import process_time

from games.contract import Position
from games.santorini.ai.evaluation import UNIT
from games.santorini.ai.root import Budget, think
from games.santorini.ai.seen import see
from games.santorini.computer import LEVELS, choose
from games.santorini.position import SEATS, SantoriniPosition

Player = Callable[[Position, str], str]


def player(name: str, seed: int) -> Player:
    """The player that a name on the command line stands for."""
    rng = Random(seed)
    if name == "random":
        return lambda position, seat: rng.choice(list(position.legal_moves(seat)))
    kind, _, number = name.partition("-")
    if kind != "level" or not number.isdigit():
        raise SystemExit(f"no player is called {name}")
    level = int(number)
    return lambda position, seat: choose(position, seat, level, rng, seconds=60.0).move


def even_placements(rng: Random) -> Iterator[Position]:
    """Games of two in which both have placed, neither with much of an advantage."""
    while True:
        position = SantoriniPosition(2)
        for seat in SEATS[:2]:
            position.play(seat, rng.choice(position.legal_moves(seat)))
        state = see(position.view(None)).two_player_state()
        (best, *_) = think(state, Budget(20_000, 60.0))
        if 0.45 <= 1 / (1 + exp(-best.value / UNIT)) <= 0.55:
            yield position


@dataclass
class Score:
    """The games of one player against another, and the processor's time of each."""

    games: int = 0
    won: int = 0
    turns: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    slowest: float = 0.0

    def play(self, position: Position, players: tuple[Player, Player], left: str) -> None:
        """Play one game to its end; ``left`` is the seat of the first player."""
        while position.result() is None:
            (seat,) = position.to_move()
            side = int(seat != left)
            begin = process_time()
            move = players[side](position, seat)
            spent = process_time() - begin
            self.seconds[side] += spent
            self.turns[side] += 1
            self.slowest = max(self.slowest, spent)
            position.play(seat, move)
        result = position.result()
        self.games += 1
        self.won += result is not None and left in result.winners

    def row(self, left: str, right: str) -> str:
        """A line of the table."""
        share = self.won / self.games
        error = 1.96 * sqrt(share * (1 - share) / self.games)
        mean = [1000 * self.seconds[i] / max(self.turns[i], 1) for i in range(2)]
        return (
            f"{left:9} {right:9} {self.won:4} / {self.games:<4} {100 * share:5.0f} % "
            f"± {100 * error:3.0f} {mean[0]:9.1f} {mean[1]:9.1f} {1000 * self.slowest:9.0f}"
        )


def match(left: str, right: str, games: int, players: int, seed: int) -> Score:
    """Play a number of games between two players."""
    score, rng = Score(), Random(seed)
    sides = player(left, seed), player(right, seed + 1)
    starts = even_placements(rng)
    while score.games < games:
        if players > 2:
            for seat in SEATS[:players]:
                score.play(SantoriniPosition(players), sides, seat)
            continue
        start = next(starts)
        for seat in SEATS[:2]:
            score.play(start.copy(), sides, seat)
    return score


def main() -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("matches", nargs="*", metavar="LEFT:RIGHT")
    options = parser.parse_args()
    ladder = [f"level-{n}:level-{n - 1}" for n in sorted(LEVELS)[1:]]
    print("left      right        won              ±95 %  ms/left  ms/right   slowest ms")
    for pairing in options.matches or ["level-1:random", *ladder]:
        left, _, right = pairing.partition(":")
        score = match(left, right, options.games, options.players, options.seed)
        print(score.row(left, right), flush=True)


if __name__ == "__main__":
    main()
