"""Speed of Othello's rules: perft, play-outs, the largest board, the values of a page."""

from __future__ import annotations

from functools import partial
from random import Random

from pytest_benchmark.fixture import BenchmarkFixture

from games.othello import Othello
from games.othello.bitboard import bits, flip_mask, geometry, legal_mask, perft
from games.othello.position import OthelloPosition


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


def play_out_with_the_class(n: int, rng: Random) -> Othello:
    game = Othello(n)
    while turn := game.turn():
        game.move(turn, rng.choice(sorted(game.possible_moves(turn))))
    return game


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
