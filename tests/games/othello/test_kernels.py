"""The compiled kernels of Othello's computer player: they play by the rules and solve exactly."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.othello.ai import table as tables
from games.othello.ai.bits import FULL, centred, final_score, legal_moves, perft, turned
from games.othello.ai.endgame import LIMIT, NODES, SORTED, solve
from games.othello.ai.memory import new_memory
from games.othello.ai.midgame import CERTAIN, search
from games.othello.ai.openings import start
from games.othello.ai.patterns import (
    LANES,
    PHASES,
    SIZE,
    UNIT,
    move_features,
    pass_features,
    set_features,
    square_images,
    static_value,
)
from games.othello.ai.perfect import Solver
from games.othello.ai.root import Limits, think
from games.othello.ai.stable import score_bound, stable_discs
from games.othello.ai.weights import EVALUATION, load
from games.othello.bitboard import bits, flip_mask, geometry, legal_mask
from tests.games.othello.positions import FFO, Published, at_random, minimax
from tests.support.repeats import SOAK, examples

PERFT = {
    8: [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288],
    6: [4, 12, 56, 244, 1364, 7604, 47740, 308716],
    4: [4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540],
}

seeds = st.integers(0, 10**6)
full_boards = given(seed=seeds, empties=st.integers(0, 56))
endings = given(seed=seeds, empties=st.integers(0, 7), n=st.sampled_from([4, 6, 8]))


def solved(own: int, opponent: int, board: int, alpha: int = -64, beta: int = 64) -> int:
    counters = np.array([0, 1 << 60, 0], np.int64)
    keys = np.zeros((64, 34), np.int64)
    return int(solve(own, opponent, board, alpha, beta, tables.new_table(12), keys, counters))


@pytest.mark.parametrize("n", PERFT)
def test_the_kernels_count_the_lines_of_play_that_there_are(n: int) -> None:
    own, opponent = (centred(mask, n) for mask in start(n))
    board = centred((1 << n * n) - 1, n)
    counted = [perft(own, opponent, board, depth) for depth in range(1, len(PERFT[n]) + 1)]
    assert counted == PERFT[n]


@full_boards
def test_the_kernels_find_the_moves_and_flips_of_the_rules(seed: int, empties: int) -> None:
    own, opponent = at_random(8, empties, seed)
    moves = legal_mask(own, opponent, geometry(8))
    assert legal_moves(own, opponent, FULL) == moves
    for move in bits(~(own | opponent) & int(FULL)):
        flips = flip_mask(own, opponent, move, geometry(8))
        assert turned(move.bit_length() - 1, own, opponent) == flips


def test_empty_squares_go_to_the_winner() -> None:
    assert final_score(0b111, 0b1000, FULL) == 62
    assert final_score(0b1, 0b1110, FULL) == -62
    assert final_score(0b11, 0b1100, FULL) == 0


@pytest.mark.parametrize(
    "position", FFO if SOAK else FFO[::3], ids=lambda position: f"FFO {position.number}"
)
def test_a_published_ending_is_solved_to_the_published_score(position: Published) -> None:
    root = think(position.own, position.opponent, Limits(12, solve=20), seconds=600)
    assert root.exact
    assert root.value == UNIT * position.score
    assert root.order[0] in position.best


@endings
@settings(max_examples=examples(150))
def test_the_solver_agrees_with_plain_minimax(seed: int, empties: int, n: int) -> None:
    own, opponent = at_random(n, empties, seed)
    score = minimax(own, opponent, n)
    board = centred((1 << n * n) - 1, n)
    assert solved(centred(own, n), centred(opponent, n), board) == score


@given(seed=seeds, window=st.integers(-10, 10), empties=st.integers(SORTED, 12))
def test_a_narrow_window_tells_on_which_side_of_it_the_score_is(
    seed: int, window: int, empties: int
) -> None:
    own, opponent = at_random(8, empties, seed)
    score = solved(own, opponent, FULL)
    value = solved(own, opponent, FULL, window, window + 1)
    assert (value > window) == (score > window)
    assert value <= score if value > window else value >= score


@given(seed=seeds, empties=st.integers(1, 10))
def test_no_score_is_above_what_the_stable_discs_allow(seed: int, empties: int) -> None:
    own, opponent = at_random(8, empties, seed)
    assert solved(own, opponent, FULL) <= score_bound(own, opponent, FULL)


def test_a_corner_and_the_edge_from_it_on_are_stable() -> None:
    assert stable_discs(0b111, int(FULL) ^ 0b1111, FULL) == 0b111


def test_a_disc_between_empty_squares_is_not_stable() -> None:
    assert stable_discs(1 << 27, int(FULL) ^ (1 << 27), FULL) == 0


@full_boards
def test_features_kept_up_to_date_are_those_of_the_position(seed: int, empties: int) -> None:
    own, opponent = at_random(8, empties, seed)
    features = np.zeros((2, LANES), np.uint16)
    expected = np.zeros((1, LANES), np.uint16)
    for move in bits(legal_mask(own, opponent, geometry(8))):
        flips = flip_mask(own, opponent, move, geometry(8))
        set_features(features, 0, own, opponent)
        move_features(features, 0, move.bit_length() - 1, flips)
        set_features(expected, 0, opponent ^ flips, own | flips | move)
        assert (features[1] == expected[0]).all()
    set_features(features, 0, own, opponent)
    pass_features(features, 0)
    set_features(expected, 0, opponent, own)
    assert (features[1] == expected[0]).all()


@full_boards
def test_mirrored_positions_are_worth_the_same(seed: int, empties: int) -> None:
    own, opponent = at_random(8, empties, seed)
    weights, _ = load()
    values = set()
    for image in range(8):
        features = np.zeros((1, LANES), np.uint16)
        pair = [
            sum(1 << square_images(*divmod(bit.bit_length() - 1, 8))[image] for bit in bits(mask))
            for mask in (own, opponent)
        ]
        set_features(features, 0, *pair)
        values.add(static_value(*pair, features, 0, weights))
    assert len(values) == 1


def test_the_shipped_table_is_whole_and_small() -> None:
    weights, deviations = load()
    assert weights.shape == (PHASES, SIZE)
    assert deviations.shape == (65, 65)
    assert deviations.min() > 0
    assert EVALUATION.stat().st_size < 2_000_000


def test_the_evaluation_prefers_having_a_corner() -> None:
    weights, _ = load()
    rng, gains = Random(1), []
    for _ in range(100):
        own, opponent = at_random(8, 30, rng.randrange(10**6))
        if not (own | opponent) & 1:
            gains.append(_value(own | 1, opponent, weights) - _value(own, opponent | 1, weights))
    assert sum(gains) / len(gains) > 5 * UNIT


def _value(own: int, opponent: int, weights: np.ndarray) -> int:  # type: ignore[type-arg]
    features = np.zeros((1, LANES), np.uint16)
    set_features(features, 0, own, opponent)
    return int(static_value(own, opponent, features, 0, weights))


@given(seed=seeds)
@settings(max_examples=10)
def test_a_search_to_the_end_is_the_solution(seed: int) -> None:
    own, opponent = at_random(8, 14, seed)
    memory = new_memory(*load(), bits=12)
    memory.counters[LIMIT] = 1 << 60
    set_features(memory.features, 0, own, opponent)
    value = search(own, opponent, 60, CERTAIN, -64 * UNIT, 64 * UNIT, 0, memory)
    assert value == UNIT * solved(own, opponent, FULL)


def test_the_table_gives_back_what_was_stored_for_a_position_and_no_other() -> None:
    table = tables.new_table(4)
    tables.store(table, 5, 10, 7, 2, 33, 0, 64, 19)
    data = tables.probe(table, 5, 10)
    assert tables.square_of(data) == 19
    assert tables.lower_of(data) == tables.upper_of(data) == 33
    assert tables.deep_enough(data, 7, 2)
    assert not tables.deep_enough(data, 8, 2)
    assert not tables.deep_enough(data, 7, 3)
    assert all(tables.probe(table, own, 10) == 0 for own in range(6, 200))


def test_a_score_outside_the_window_is_kept_as_a_bound() -> None:
    table = tables.new_table(4)
    tables.store(table, 1, 2, 5, 0, 12, 10, 12, 3)
    assert tables.lower_of(tables.probe(table, 1, 2)) == 12
    assert tables.upper_of(tables.probe(table, 1, 2)) == tables.INFINITE


def test_the_first_player_loses_the_4x4_game_by_ten_discs() -> None:
    found = Solver(4).best(*start(4), seconds=600)
    assert found is not None
    assert found[1] == -10


@given(seed=seeds, n=st.sampled_from([4, 6]))
def test_the_best_move_of_a_small_board_has_the_highest_value(seed: int, n: int) -> None:
    own, opponent = at_random(n, 10, seed, to_move=True)
    solver = Solver(n, bits=12)
    values, best = solver.values(own, opponent, 600), solver.best(own, opponent, 600)
    assert values is not None
    assert best is not None
    assert best[1] == max(values.values()) == values[best[0]]


@pytest.mark.parametrize("seed", range(4))
def test_a_solver_that_is_stopped_gives_the_best_move_it_has_solved(seed: int) -> None:
    own, opponent = at_random(6, 15, seed, to_move=True)
    values = Solver(6).values(own, opponent, seconds=600) or {}
    whole = Solver(6)
    assert whole.best(own, opponent, seconds=600)
    stopped = Solver(6, nodes=int(whole.counters[NODES]) - 1)
    move, score = stopped.best(own, opponent, seconds=600) or (0, 0)
    assert values[move] == score


def test_a_solver_that_has_solved_no_move_gives_none() -> None:
    assert Solver(6, nodes=100).best(*start(6), seconds=600) is None
