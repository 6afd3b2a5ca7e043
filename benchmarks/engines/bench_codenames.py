"""Speed of Codenames: a deal, a whole game on the largest board, a page, and computer players.

The words of the computer players are loaded before the clock starts."""

from __future__ import annotations

from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from games.codenames import GameBoard
from games.codenames.computer import choose
from games.codenames.deal import deal_key
from games.codenames.rules import RULES
from games.contract import Position, Setup


def dealt() -> Setup:
    return RULES.deal(RULES.clean({"rows": 8, "columns": 8, "clues": "typed"}), Random(1))


def longest_game(setup: Setup) -> list[tuple[str, str]]:
    """Return the moves of a game in which each team finds one of its spies in each turn."""
    position, played = RULES.start(setup), []
    while position.to_move():
        (seat,) = position.to_move()
        moves = list(position.legal_moves(seat))
        if not moves[0].startswith("clue"):
            moves = [own_card(position, seat)] if moves[-1] != "stop" else ["stop"]
        played.append((seat, moves[0]))
        position.play(*played[-1])
    return played


def own_card(position: Position, seat: str) -> str:
    cells = [cell for row in position.view("red-spymaster")["rows"] for cell in row]
    square = "R" if seat.startswith("red") else "B"
    own = [cell for cell in cells if cell["square"] == square and not cell["selected"]]
    return str(own[0]["name"])


def test_select_all_but_the_last_card(benchmark: BenchmarkFixture) -> None:
    key = deal_key(64, Random(1))
    cells = [divmod(index, 8) for index, square in enumerate(key) if square in "-R"]

    def play() -> GameBoard:
        board = GameBoard(8, 8, key)
        for r, c in cells[:-1]:
            if not board.isover():
                board.select(r, c)
        return board

    assert benchmark(play).remaining("B") > 0


def test_deal(benchmark: BenchmarkFixture) -> None:
    assert len(benchmark(dealt)["cards"]) == 64


def test_replay_the_longest_game(benchmark: BenchmarkFixture) -> None:
    setup = dealt()
    moves = longest_game(setup)

    def replay() -> Position:
        position = RULES.start(setup)
        for seat, move in moves:
            position.play(seat, move)
        return position

    assert benchmark(replay).result() is not None


def test_view(benchmark: BenchmarkFixture) -> None:
    position = RULES.start(dealt())
    assert len(benchmark(position.view, "red-operatives")["rows"]) == 8


def test_stage(benchmark: BenchmarkFixture) -> None:
    position = RULES.start(dealt())
    (seat,) = position.to_move()
    position.play(seat, "clue zzz 3")
    (seat,) = position.to_move()
    assert len(benchmark(position.stage, seat, ()).steps) == 64


@pytest.mark.parametrize("side", [5, 8])
@pytest.mark.parametrize("language", ["en", "nl"])
def test_clue(benchmark: BenchmarkFixture, language: str, side: int) -> None:
    size = {"rows": side, "columns": side, "language": language, "clues": "typed"}
    position = RULES.start(RULES.deal(RULES.clean(size), Random(1)))
    (seat,) = position.to_move()
    choose(position, seat, 4, Random(1))
    clue = benchmark(lambda: choose(position, seat, 4, Random(1)))
    assert clue.move.startswith("clue ")


def test_guess(benchmark: BenchmarkFixture) -> None:
    position = RULES.start(dealt())
    (seat,) = position.to_move()
    position.play(seat, choose(position, seat, 4, Random(1)).move)
    (seat,) = position.to_move()
    guess = benchmark(lambda: choose(position, seat, 4, Random(1)))
    assert guess.move in position.legal_moves(seat)
