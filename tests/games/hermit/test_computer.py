"""The computer players of Hermit: exact values, perfect play, and levels."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.hermit import Hermit
from games.hermit.ai.solver import Solver, regions_of
from games.hermit.computer import choose, evaluate, regions, values_of_regions
from games.hermit.counting import is_mirrored
from games.hermit.position import HermitPosition
from tests.support.repeats import SOAK

LONG = 600.0
"""Seconds that no search here reaches, however busy the machine."""


def after(size: int, *moves: str) -> HermitPosition:
    position = HermitPosition(size)
    for move in moves:
        (seat,) = position.to_move()
        position.play(seat, move)
    return position


def reply(position: HermitPosition, level: int, rng: Random) -> str:
    (seat,) = position.to_move()
    return choose(position, seat, level, rng, seconds=LONG).move


def winner(size: int, levels: tuple[int, int], rng: Random) -> int:
    """Return 0 if the first seat won a game between two levels, 1 if the second did."""
    position = HermitPosition(size)
    while (result := position.result()) is None:
        level = levels["second" in position.to_move()]
        (seat,) = position.to_move()
        position.play(seat, reply(position, level, rng))
    return int("second" in result.winners)


# --- Grundy values -----------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "value"), [(1, 1), (2, 1), (3, 4), (4, 0)])
def test_an_empty_board_has_the_grundy_value_counted_elsewhere(n: int, value: int) -> None:
    solver = Solver(100_000, seconds=LONG)
    assert solver.sum_of_values(regions_of(Hermit(n))) == value


@cache
def value_by_definition(board: str) -> int:
    """Return the least value to which no move leads, over all moves on the whole board."""
    position = board_of(board)
    options = {str(position.copy().move(*move)) for move in position.possible_moves()}
    values = {value_by_definition(option) for option in options}
    return next(value for value in range(100) if value not in values)


def board_of(printed: str) -> Hermit:
    rows = printed.split("\n")
    board = Hermit(len(rows))
    for r, row in enumerate(rows):
        for c, colour in enumerate(row.split()):
            if colour != ".":  # square by square: past `move`, which would see a touching half
                board.blocks[colour] |= board.bit((r, c))
    for colour, mask in board.blocks.items():
        board.halo[colour] = board.neighbourhood(mask)
    return board


@st.composite
def endings(draw: st.DrawFn) -> HermitPosition:
    """Return a position of any size up to 6 with at most ten moves left."""
    position = HermitPosition(draw(st.integers(2, 6)))
    rng = Random(draw(st.integers(0, 10**6)))
    most = draw(st.integers(1, 10))
    while len(position.board.possible_moves()) > most:
        (seat,) = position.to_move()
        position.play(seat, rng.choice(position.legal_moves(seat)))
    return position


@given(endings())
def test_the_values_of_the_regions_add_up_to_the_value_by_definition(
    position: HermitPosition,
) -> None:
    found = Solver(100_000, seconds=LONG).sum_of_values(regions_of(position.board))
    assert found == value_by_definition(str(position.board))


@given(st.integers(0, 10**6))
def test_the_values_of_whole_small_boards_are_those_by_definition(seed: int) -> None:
    position, rng = HermitPosition(3), Random(seed)
    for _ in range(2):
        (seat,) = position.to_move()
        position.play(seat, rng.choice(position.legal_moves(seat)))
    found = Solver(100_000, seconds=LONG).sum_of_values(regions_of(position.board))
    assert found == value_by_definition(str(position.board))


@given(endings())
def test_a_position_is_lost_exactly_when_its_value_is_zero(position: HermitPosition) -> None:
    lost = Solver(100_000, seconds=LONG).is_lost(regions_of(position.board))
    assert lost == (value_by_definition(str(position.board)) == 0)


def test_an_empty_board_of_five_is_won_by_the_first_player() -> None:
    assert Solver(100, seconds=LONG).is_lost(regions_of(Hermit(5))) is False  # the value, 1, takes
    # ten seconds: benchmarks/engines/bench_hermit.py asks for it


def test_a_solver_without_nodes_says_that_it_does_not_know() -> None:
    solver = Solver(3)
    assert solver.is_lost(regions_of(Hermit(6))) is None
    assert solver.value(regions_of(Hermit(6))[0]) is None


def test_a_solver_stops_at_the_number_of_its_nodes() -> None:
    solver = Solver(50_000, seconds=LONG)
    solver.is_lost(regions_of(Hermit(6)))
    assert -10 < solver.nodes_left <= 0


# --- regions -----------------------------------------------------------------------------------


def test_the_regions_are_the_squares_that_depend_on_each_other() -> None:
    position = after(4, "R a1 H", "B c1 U", "Y c2 U", "R b4 U", "Y c4 H", "R d2 V", "B a3 H")
    assert values_of_regions(position) == [(("a2",), 1), (("a4",), 1)]


def test_a_region_ends_where_no_colour_fits_on_both_sides() -> None:
    position = after(2, "R a1 U")
    assert values_of_regions(position) == [(("b1", "a2", "b2"), 0)]


@given(endings())
def test_the_regions_hold_every_square_where_a_block_fits_once(position: HermitPosition) -> None:
    names = [name for cells, _ in values_of_regions(position, seconds=LONG) for name in cells]
    rows = position.view(None)["rows"]
    assert sorted(names) == sorted(cell["name"] for row in rows for cell in row if cell["allowed"])


def test_the_regions_of_an_analysis_say_their_values() -> None:
    found = regions(after(4, "R a1 H", "B c1 U", "Y c2 U", "R b4 U", "Y c4 H", "R d2 V", "B a3 H"))
    assert [(region.cells, str(region.value)) for region in found] == [
        (("a2",), "Grundy value 1"),
        (("a4",), "Grundy value 1"),
    ]


@pytest.mark.parametrize("position", [HermitPosition(6), after(2, "R a1 U")])
def test_a_board_that_has_not_fallen_apart_has_no_regions(position: HermitPosition) -> None:
    assert regions(position) == []


def test_a_region_too_wide_to_be_searched_has_no_value() -> None:
    ((cells, value),) = values_of_regions(HermitPosition(12))
    assert len(cells) == 144
    assert value is None


# --- the mirror --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3, 5, 7, 9, 11])
def test_the_highest_level_opens_in_the_centre_of_an_odd_board(size: int) -> None:
    centre = f"{'abcdefghijk'[size // 2]}{size // 2 + 1}"
    assert reply(HermitPosition(size), 5, Random(1)).split()[1:] == [centre, "U"]


@settings(max_examples=20)
@given(st.sampled_from([3, 5, 7]), st.integers(0, 10**6))
def test_a_block_beside_the_centre_always_leaves_room_for_its_image(size: int, seed: int) -> None:
    board, rng = Hermit(size).move("R", (size // 2, size // 2), "U"), Random(seed)
    while moves := sorted(board.possible_moves()):
        assert is_mirrored(board)
        colour, cell, placement = rng.choice(moves)
        image = [(size - 1 - r, size - 1 - c) for r, c in board.positions(cell, placement)]
        board.move(colour, cell, placement).move(colour, min(image), placement)


def test_an_even_board_is_not_mirrored_while_a_block_fits_in_its_middle() -> None:
    assert not is_mirrored(Hermit(4))


@pytest.mark.parametrize("size", [3, 5, 7, 9, 11] if SOAK else [3, 5, 7])
def test_the_mirror_wins_against_random_moves(size: int) -> None:
    assert [winner(size, (5, 1), Random(seed)) for seed in range(2)] == [0, 0]


@pytest.mark.parametrize("size", [3, 5])
def test_the_mirror_wins_against_itself(size: int) -> None:
    assert winner(size, (5, 5), Random(7)) == 0


# --- perfect play ------------------------------------------------------------------------------


def test_the_highest_level_never_loses_a_four_by_four_game_as_second_player() -> None:
    assert [winner(4, (level, 5), Random(level)) for level in (1, 2, 3, 4, 5)] == [1] * 5


@given(endings(), st.integers(0, 99))
def test_a_forced_win_is_found(position: HermitPosition, seed: int) -> None:
    if value_by_definition(str(position.board)) != 0:
        left = position.copy()
        (seat,) = left.to_move()
        left.play(seat, choose(position, seat, 5, Random(seed), seconds=LONG).move)
        assert value_by_definition(str(left.board)) == 0


@given(endings())
def test_a_move_is_said_to_win_exactly_when_it_leaves_the_value_zero(
    position: HermitPosition,
) -> None:
    for move, value in evaluate(position, seconds=LONG).items():
        left = position.copy()
        (seat,) = left.to_move()
        nimber = value_by_definition(str(left.play(seat, move).board))
        assert value.exact
        assert (value.value > 0) == (nimber == 0)
        verb = "loses" if nimber else "wins"
        assert (str(value.shown), str(value.detail)) == (verb, f"{verb}, Grundy value {nimber}")


def test_every_legal_move_is_evaluated() -> None:
    position = after(4, "R b2 U")
    assert set(evaluate(position, seconds=LONG)) == set(position.legal_moves("second"))


def test_a_winning_move_says_why_it_wins() -> None:
    values = evaluate(HermitPosition(3), seconds=LONG)
    assert "rotated 180°" in str(values["R b2 U"].why)
    last = evaluate(after(2, "R a1 H", "Y a2 U"), seconds=LONG)
    assert str(last["B b2 U"].why) == "It’s the last block that fits."


def test_the_first_of_lost_moves_leaves_most_to_solve() -> None:
    position = after(3, "R b2 U")
    values = evaluate(position, seconds=LONG)
    left = [
        sum(part.weight for part in regions_of(position.copy().play("second", move).board))
        for move in values
    ]
    assert left[0] == max(left) > min(left)
    why = "Every move loses against perfect play. This one is the hardest to answer."
    assert {str(value.why) for value in values.values()} == {why}


def test_the_values_of_moves_that_are_not_solved_are_not_known() -> None:
    values = evaluate(HermitPosition(8)).values()
    assert {value.known for value in values} == {False}


def test_the_values_of_moves_that_are_solved_are_known() -> None:
    values = evaluate(HermitPosition(3), seconds=LONG).values()
    assert {value.known for value in values} == {True}


def test_moves_of_a_board_too_large_are_not_said_to_be_solved() -> None:
    values = evaluate(HermitPosition(8))
    assert {(value.exact, str(value.shown)) for value in values.values()} == {(False, "not solved")}


@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_a_large_board_is_exact_as_soon_as_little_is_left(size: int) -> None:
    position, rng = HermitPosition(size), Random(size)
    while len(moves := list(position.legal_moves(*position.to_move()))) > 60:
        position.play(*position.to_move(), rng.choice(moves))
    values = evaluate(position, seconds=LONG)
    assert len(regions(position)) > 1
    assert {value.exact for value in values.values()} == {True}


def fallen_apart() -> HermitPosition:
    """Return a board of 10 by 10, won by the side to move, with five regions. Each can be solved,
    but together they weigh more than a level's limit."""
    return at_random(moves=22, seed=10)


def at_random(*, moves: int, seed: int) -> HermitPosition:
    """Return a board of 10 by 10 after that many random moves."""
    position, rng = HermitPosition(10), Random(seed)
    for _ in range(moves):
        (seat,) = position.to_move()
        position.play(seat, rng.choice(position.legal_moves(seat)))
    return position


def test_small_regions_are_solved_beside_those_that_take_too_long() -> None:
    found = values_of_regions(at_random(moves=19, seed=4), seconds=LONG)
    assert [value for _, value in found] == [None, 1, 1, 2, None]


def value_of(position: HermitPosition) -> int | None:
    return Solver(400_000, seconds=LONG).sum_of_values(regions_of(position.board))


def test_the_highest_level_keeps_the_win_on_a_board_of_many_small_regions() -> None:
    position = fallen_apart()
    (seat,) = position.to_move()
    assert value_of(position) != 0
    assert value_of(position.play(seat, reply(position, 5, Random(1)))) == 0


def test_every_move_is_solved_on_a_board_of_many_small_regions() -> None:
    values = evaluate(fallen_apart(), seconds=LONG).values()
    assert {value.exact for value in values} == {True}
