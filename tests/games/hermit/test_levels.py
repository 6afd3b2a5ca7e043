"""The levels of Hermit's computer player, and the positions it refuses."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from benchmarks.match_hermit import NOVICE, RANDOM, match
from games.contract import CannotPlay, Position
from games.hermit.computer import choose, evaluate, regions
from games.hermit.position import HermitPosition
from tests.games.hermit.test_computer import after, reply, winner

# --- levels ------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("size", [4, 5, 12])
def test_a_level_plays_the_same_move_for_the_same_seed(size: int, level: int) -> None:
    position = after(size, "R a1 U", "Y c2 H", "B a4 U")
    first, second = (reply(position, level, Random(3)) for _ in range(2))
    assert first == second
    assert first in position.legal_moves("second")


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_thinking_leaves_the_position_as_it_is(level: int) -> None:
    position = after(4, "R a1 U")
    before = position.view(None), position.to_move()
    reply(position, level, Random(1))
    assert (position.view(None), position.to_move()) == before


@pytest.mark.parametrize("high", [2, 3, 4, 5])
def test_a_level_beats_the_level_below(high: int) -> None:
    games = 24
    first = sum(winner(4, (high, high - 1), Random(seed)) == 0 for seed in range(games // 2))
    second = sum(winner(4, (high - 1, high), Random(seed)) == 1 for seed in range(games // 2))
    assert first + second >= 0.75 * games


@pytest.mark.parametrize("size", [4, 6])
def test_the_first_level_wins_at_most_60_percent_against_a_novice(size: int) -> None:
    won = match(size, NOVICE, 1, 15, 1, {NOVICE: 0.0, 1: 0.0})
    assert 0.2 <= won / 30 <= 0.6


def test_the_first_level_beats_random_moves() -> None:
    assert match(4, RANDOM, 1, 50, 1, {RANDOM: 0.0, 1: 0.0}) > 50


def test_the_first_level_takes_a_win_at_once() -> None:
    chosen = 0
    for seed in range(40):
        position, rng = HermitPosition(4), Random(seed)
        while position.result() is None:
            (seat,) = position.to_move()
            moves = list(position.legal_moves(seat))
            ends = [move for move in moves if position.copy().play(seat, move).result()]
            if 0 < len(ends) < len(moves):
                chosen += 1
                assert reply(position, 1, rng) in ends
            position.play(seat, rng.choice(moves))
    assert chosen >= 5


def test_without_any_time_a_legal_move_is_played_all_the_same() -> None:
    position = after(6, "R a1 U")
    move = choose(position, "second", 5, Random(1), seconds=0.0).move
    assert move in position.legal_moves("second")


# --- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, 11, -1, "3", None, 2.5])
def test_an_unknown_level_is_refused(level: Any) -> None:
    with pytest.raises(CannotPlay, match="no computer player of level"):
        choose(HermitPosition(4), "first", level, Random(1))


def test_another_games_position_is_refused() -> None:
    other = cast(Position, object())
    for refused in (lambda: choose(other, "first", 1, Random(1)), lambda: evaluate(other)):
        with pytest.raises(CannotPlay, match="plays Hermit only"):
            refused()
    with pytest.raises(CannotPlay, match="plays Hermit only"):
        regions(other)


def test_a_seat_that_is_not_to_move_gets_no_move() -> None:
    with pytest.raises(CannotPlay, match="no move to choose"):
        choose(HermitPosition(4), "second", 5, Random(1))


def test_a_game_that_is_over_has_no_move_and_no_values() -> None:
    position = HermitPosition(4).play("first", "resign")
    with pytest.raises(CannotPlay, match="no move to choose"):
        choose(position, "second", 1, Random(1))
    assert evaluate(position) == {}
