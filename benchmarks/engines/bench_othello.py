"""Speed of Othello's rules: perft, play-outs, the largest board, the values of a page.

``python -m benchmarks.engines.bench_othello`` compares random games with the class and with states
of OpenSpiel (``pip install open_spiel``), each written as its users write them, in alternating
rounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from functools import partial
from random import Random
from statistics import median
from time import thread_time
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from games.contract import Cell
from games.othello import Othello
from games.othello.bitboard import bits, flip_mask, geometry, legal_mask, perft
from games.othello.position import OthelloPosition

ROUNDS, GAMES = 15, 100


def masks(game: Othello) -> tuple[int, int]:
    return game.mask("N"), game.mask("B")


def halfway(n: int) -> Othello:
    """Return a board half filled by random moves, the same ones in every run."""
    game, rng = Othello(n), Random(7)
    while game.plies() < n * n // 2 and (turn := game.turn()):
        game.move(turn, rng.choice(sorted(game.possible_moves(turn))))
    return game


def play_out(n: int, rng: Random) -> int:
    """Play a random game on masks alone and return the number of moves."""
    board, (own, opponent) = geometry(n), masks(Othello(n))
    plies = 0
    while True:
        moves = legal_mask(own, opponent, board)
        if not moves:
            own, opponent = opponent, own
            moves = legal_mask(own, opponent, board)
            if not moves:
                return plies
        disc = rng.choice(list(bits(moves)))
        flips = flip_mask(own, opponent, disc, board)
        own, opponent = opponent ^ flips, own ^ flips ^ disc
        plies += 1


def play_out_with_the_class(
    n: int, rng: Random, in_order: Callable[[Collection[Cell]], list[Cell]] = sorted
) -> Othello:
    game = Othello(n)
    while turn := game.turn():
        game.move(turn, rng.choice(in_order(game.possible_moves(turn))))
    return game


def play_out_with_open_spiel(game: Any, rng: Random) -> None:
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))


def games_a_second(play: Callable[[Random], object], seed: int) -> float:
    rng, start = Random(seed), thread_time()
    for _ in range(GAMES):
        play(rng)
    return GAMES / (thread_time() - start)


def compare_with_open_spiel() -> None:
    """Print the games a second of processor time, and each rate divided by OpenSpiel's.

    A random move is chosen from a list of the set, or from the sorted set, so that a seed gives the
    same game in every run."""
    try:
        import pyspiel
    except ImportError:
        sys.exit("No comparison: OpenSpiel is not installed (pip install open_spiel).")
    spiel: Any = pyspiel
    players: dict[str, Callable[[Random], object]] = {
        "OpenSpiel": partial(play_out_with_open_spiel, spiel.load_game("othello")),
        "list": partial(play_out_with_the_class, 8, in_order=list),
        "sorted": partial(play_out_with_the_class, 8, in_order=sorted),
    }
    rates = [
        {name: games_a_second(play, seed) for name, play in players.items()}
        for seed in range(ROUNDS)
    ]
    for name in rates[0]:
        ratio = median(rate[name] / rate["OpenSpiel"] for rate in rates)
        print(f"{name:10} {median(rate[name] for rate in rates):6.0f} games/s {ratio:6.2f}")


def replay(moves: list[str]) -> OthelloPosition:
    position = OthelloPosition(8)
    for move in moves:
        (seat,) = position.to_move()
        position.play(seat, move)
    return position


def whole_game() -> list[str]:
    position, rng, moves = OthelloPosition(8), Random(3), []
    while position.to_move():
        (seat,) = position.to_move()
        moves.append(rng.choice(position.legal_moves(seat)))
        position.play(seat, moves[-1])
    return moves


def test_perft_8x8_depth_7(benchmark: BenchmarkFixture) -> None:
    lines = benchmark(perft, *masks(Othello()), geometry(8), 7)
    assert lines == 55092
    benchmark.extra_info["lines per call"] = lines


def test_random_game_on_masks_8x8(benchmark: BenchmarkFixture) -> None:
    assert benchmark(partial(play_out, 8, Random(1))) > 8


def test_random_game_with_the_class_8x8(benchmark: BenchmarkFixture) -> None:
    assert benchmark(partial(play_out_with_the_class, 8, Random(1))).turn() is None


def test_random_game_with_the_class_26x26(benchmark: BenchmarkFixture) -> None:
    game = benchmark(partial(play_out_with_the_class, 26, Random(1)))
    assert game.turn() is None


def test_legal_moves_8x8(benchmark: BenchmarkFixture) -> None:
    game = halfway(8)
    assert benchmark(game.possible_moves, game.turn())


def test_legal_moves_26x26(benchmark: BenchmarkFixture) -> None:
    game = halfway(26)
    assert benchmark(game.possible_moves, game.turn())


def test_legal_moves_of_the_site_26x26(benchmark: BenchmarkFixture) -> None:
    position = OthelloPosition(26)
    position.board = halfway(26)
    (seat,) = position.to_move()
    assert benchmark(position.legal_moves, seat)


def test_stage_8x8(benchmark: BenchmarkFixture) -> None:
    position = OthelloPosition(8)
    position.board = halfway(8)
    (seat,) = position.to_move()
    assert benchmark(position.stage, seat, ()).steps


def test_stage_26x26(benchmark: BenchmarkFixture) -> None:
    position = OthelloPosition(26)
    position.board = halfway(26)
    (seat,) = position.to_move()
    assert benchmark(position.stage, seat, ()).steps


def test_view_8x8(benchmark: BenchmarkFixture) -> None:
    assert benchmark(replay(whole_game()).view, None)["rows"]


def test_replay_of_a_whole_game_8x8(benchmark: BenchmarkFixture) -> None:
    moves = whole_game()
    assert benchmark(replay, moves).board.plies() == len(moves)


if __name__ == "__main__":
    compare_with_open_spiel()
