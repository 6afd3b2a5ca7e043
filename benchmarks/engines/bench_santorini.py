"""Speed of Santorini's engine and rules: `pytest benchmarks/bench_santorini.py`."""

from __future__ import annotations

from typing import Any

from games.contract import Position
from games.santorini import Santorini
from games.santorini.rules import RULES

START = [(3, 0), (4, 1), (1, 1), (2, 2)]


def placed() -> Position:
    """Return the starting configuration of the document, the first player to move."""
    return RULES.start({"players": 2}).play("p1", "a4 b5").play("p2", "b2 c3")


def perft(position: Position, depth: int) -> int:
    """Return the number of games of ``depth`` turns."""
    (seat,) = position.to_move()
    moves = list(position.legal_moves(seat))
    if depth == 1:
        return len(moves)
    return sum(perft(position.copy().play(seat, move), depth - 1) for move in moves)


def test_a_turn_on_the_board(benchmark: Any) -> None:
    board = Santorini(START)

    def turn_there_and_back() -> None:
        board.move_worker("B", "E").move_worker("B", "W")

    benchmark(turn_there_and_back)


def test_the_legal_turns_of_a_position(benchmark: Any) -> None:
    position = placed()
    assert len(benchmark(lambda: list(position.legal_moves("p1")))) == 38


def test_the_legal_placements(benchmark: Any) -> None:
    position = RULES.start({"players": 2})
    assert len(benchmark(lambda: list(position.legal_moves("p1")))) == 600


def test_perft_of_two_turns(benchmark: Any) -> None:
    assert benchmark(lambda: perft(placed(), 2)) == 2944


def test_the_view_of_a_position(benchmark: Any) -> None:
    position = placed()
    assert len(benchmark(lambda: position.view(None))["rows"]) == 5


def test_replaying_a_game_of_ten_moves(benchmark: Any) -> None:
    moves = RULES.examples["winning"].moves

    def replay() -> Position:
        position = RULES.start({"players": 2})
        for seat, move in moves:
            position.play(seat, move)
        return position

    assert benchmark(replay).to_move() == {"p1"}
