"""Play Othello's computer player against itself and against others, and print a table.

Usage: python -m benchmarks.match_othello [--pairs 20] [--plies 8] [--seed 1] [--size 8]
       LEFT:RIGHT ...

A player is one of

    level-1 .. level-6    the site's levels
    time-0.5              the top level's search with so many seconds a move
    cpu-0.5               the same, in seconds of the processor (for a machine that is busy)
    nodes-50000           the same, with so many nodes a move and as many more for the end: the same
                          games again, on a busy machine too
    depth-8               the search to a fixed depth, without solving the end earlier
    mcts-1000             OpenSpiel's MCTS with so many simulations   (pip install open_spiel)
    rust-ab-1.0           rust-reversi's alpha-beta, seconds a move   (pip install rust-reversi)
    rust-mcts-1.0         rust-reversi's MCTS, seconds a move
    novice                a simulated beginner: a corner if there is one, else the move that turns
                          the most discs
    random                any move

The searches take another evaluation than the shipped one after an @: nodes-50000@FILE.npz

Every pair of games begins with the same random moves, played once with each colour. Without
arguments, level 1 meets random moves and the novice, and each other level the one below it. Only
levels, the novice and random moves play on other sizes than 8.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from time import monotonic, perf_counter, process_time
from typing import Any

from games.contract import cell_name, parse_cell
from games.othello.ai.clock import Clock
from games.othello.ai.generic import final_score
from games.othello.ai.openings import after, start
from games.othello.ai.root import Limits, think
from games.othello.ai.weights import EVALUATION
from games.othello.bitboard import bits, flip_mask, geometry, legal_mask
from games.othello.computer import choose
from games.othello.position import OthelloPosition
from games.othello.rules import RULES

CLOCKS: dict[str, Clock] = {"time": monotonic, "cpu": process_time}
# Weights of squares as in many simple programs, for rust-reversi's matrix evaluator.
MATRIX = [
    [100, -20, 10, 5, 5, 10, -20, 100],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [5, -2, -1, -1, -1, -1, -2, 5],
    [5, -2, -1, -1, -1, -1, -2, 5],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [100, -20, 10, 5, 5, 10, -20, 100],
]


@dataclass
class Game:
    """The state of a game: the boards seen by the side to move, and the squares played."""

    own: int
    opponent: int
    n: int = 8
    played: list[int] = field(default_factory=list)
    black_to_move: bool = True

    def moves(self) -> list[int]:
        legal = legal_mask(self.own, self.opponent, geometry(self.n))
        return [bit.bit_length() - 1 for bit in bits(legal)]

    def play(self, square: int) -> None:
        before = self.own
        self.own, self.opponent = after(self.own, self.opponent, 1 << square, self.n)
        self.played.append(square)
        self.black_to_move ^= self.own & before != before


Player = Callable[[Game], int]


def level_player(level: int, seed: int) -> Player:
    rng = Random(seed)

    def move(game: Game) -> int:
        position = OthelloPosition(game.n)
        for square in game.played:
            (seat,) = position.to_move()
            position.play(seat, cell_name(*divmod(square, game.n)))
        (seat,) = position.to_move()
        row, column = parse_cell(choose(position, seat, level, rng, seconds=60.0).move)
        return game.n * row + column

    return move


def novice(seed: int) -> Player:
    """Return a player with a beginner's rules of thumb and no foresight."""
    rng = Random(seed)

    def move(game: Game) -> int:
        moves, last = game.moves(), game.n - 1
        corners = {last * (game.n * row + column) for row in (0, 1) for column in (0, 1)}
        if taken := corners.intersection(moves):
            return rng.choice(sorted(taken))
        board = geometry(game.n)
        turned = {m: flip_mask(game.own, game.opponent, 1 << m, board).bit_count() for m in moves}
        return rng.choice([m for m in moves if turned[m] == max(turned.values())])

    return move


def random_player(seed: int) -> Player:
    rng = Random(seed)
    return lambda game: rng.choice(game.moves())


def search_player(
    limits: Limits, seconds: float, evaluation: Path, clock: Clock = monotonic
) -> Player:
    def move(game: Game) -> int:
        return think(game.own, game.opponent, limits, seconds, clock, evaluation).order[0]

    return move


def own_search(kind: str, number: str, evaluation: Path) -> Player | None:
    """Return the top level's search with the limits of the command line; None without limits."""
    if kind == "depth":
        return search_player(Limits(int(number), solve=int(number)), 600.0, evaluation)
    if kind == "nodes":
        nodes = int(number)
        limits = Limits(60, solve=30, nodes=nodes, end_nodes=nodes)
        return search_player(limits, 600.0, evaluation)
    if kind in CLOCKS:
        return search_player(Limits(60, solve=30), float(number), evaluation, CLOCKS[kind])
    return None


def open_spiel_player(simulations: int, seed: int) -> Player:
    import pyspiel

    spiel: Any = pyspiel
    game_type = spiel.load_game("othello")
    evaluator = spiel.RandomRolloutEvaluator(1, seed)
    bot = spiel.MCTSBot(game_type, evaluator, 2.0, simulations, 1000, True, seed, False)

    def move(game: Game) -> int:
        state = game_type.new_initial_state()
        for square in game.played:
            if state.legal_actions() == [64]:
                state.apply_action(64)
            state.apply_action(square)
        if state.legal_actions() == [64]:
            state.apply_action(64)
        return int(bot.step(state))

    return move


def rust_player(kind: str, seconds: float) -> Player:
    import rust_reversi as rust

    search: Any
    if kind == "ab":
        search = rust.AlphaBetaSearch(rust.MatrixEvaluator(MATRIX), 60, 10_000)
    else:
        search = rust.MctsSearch(10**9, 1.0, 10)

    def move(game: Game) -> int:
        board = rust.Board()
        turn = rust.Turn.BLACK if game.black_to_move else rust.Turn.WHITE
        board.set_board(game.own, game.opponent, turn)
        # rust-reversi counts squares from the other end of the mask.
        return 63 - int(search.get_move_with_timeout(board, round(1000 * seconds)))

    return move


def player(name: str, seed: int) -> Player:
    """Return the player for a name on the command line."""
    name, _, file = name.partition("@")
    kind, _, number = name.rpartition("-")
    if found := own_search(kind, number, Path(file) if file else EVALUATION):
        return found
    if number in {"novice", "random"}:
        return novice(seed) if number == "novice" else random_player(seed)
    if kind == "level":
        return level_player(int(number), seed)
    if kind == "mcts":
        return open_spiel_player(int(number), seed)
    if kind in {"rust-ab", "rust-mcts"}:
        return rust_player(kind.removeprefix("rust-"), float(number))
    raise SystemExit(f"no player is called {name}")


@dataclass
class Score:
    """The games of one player against another."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    discs: int = 0
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    moves: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, discs: int) -> None:
        self.won += discs > 0
        self.drawn += discs == 0
        self.lost += discs < 0
        self.discs += discs

    def row(self, name: str) -> str:
        games = self.won + self.drawn + self.lost
        percent = 100 * (self.won + self.drawn / 2) / games
        spent = [a / max(b, 1) for a, b in zip(self.seconds, self.moves, strict=True)]
        return (
            f"{name:28} {games:5}  {self.won:4} {self.drawn:4} {self.lost:4}  {percent:5.1f} %"
            f"  {self.discs / games:+6.1f}  {spent[0]:8.3f} {spent[1]:8.3f}"
        )


def opening(plies: int, rng: Random, n: int = 8) -> list[int]:
    """Return random moves that do not end the game."""
    while True:
        game = Game(*start(n), n)
        for _ in range(plies):
            if not (moves := game.moves()):
                break
            game.play(rng.choice(moves))
        if game.moves():
            return game.played


def play(
    black: Player,
    white: Player,
    first: Sequence[int],
    clock: Callable[[bool, float], None],
    n: int = 8,
) -> int:
    """Play a game and return the score of black; the winner gets the empty squares."""
    game = Game(*start(n), n)
    for square in first:
        game.play(square)
    while game.moves():
        begun, is_black = perf_counter(), game.black_to_move
        square = (black if is_black else white)(game)
        clock(is_black, perf_counter() - begun)
        game.play(square)
    score = final_score(game.own, game.opponent, geometry(n))
    return score if game.black_to_move else -score


def match(left: str, right: str, pairs: int, plies: int, seed: int, n: int = 8) -> Score:
    """Play ``2 * pairs`` games between two players."""
    score, rng = Score(), Random(f"{seed} openings")
    for pair in range(pairs):
        first = opening(plies, rng, n)
        for left_is_black in (True, False):
            players = [player(left, seed + pair), player(right, seed + pair)]

            def clock(is_black: bool, seconds: float, left_is_black: bool = left_is_black) -> None:
                who = 0 if is_black == left_is_black else 1
                score.seconds[who] += seconds
                score.moves[who] += 1

            black, white = players if left_is_black else players[::-1]
            discs = play(black, white, first, clock, n)
            score.add(discs if left_is_black else -discs)
    return score


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("matches", nargs="*", metavar="LEFT:RIGHT")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--plies", type=int, default=8, help="random moves a game begins with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=8)
    options = parser.parse_args()
    beginner = ["level-1:random", "level-1:novice"]
    ladder = [f"level-{above}:level-{level}" for level, above in pairwise(RULES.ladder)]
    print(f"{'left : right':28} games   won draw lost    score   discs  s/move left  right")
    for pairing in options.matches or beginner + ladder:
        left, _, right = pairing.partition(":")
        score = match(left, right, options.pairs, options.plies, options.seed, options.size)
        print(score.row(f"{left} : {right}"), flush=True)


if __name__ == "__main__":
    main()
