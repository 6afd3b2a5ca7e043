"""The steps of the course are proved, and so is each of their sentences, by the counting of
`test_puzzle_proofs`."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from games.contract import Position
from games.hermit.puzzles import PUZZLES
from games.hermit.rules import RULES
from tests.games.hermit.test_puzzle_proofs import (
    Part,
    formed,
    is_lost,
    lengths,
    moves,
    parts_of,
    places,
)
from tests.support.puzzles import after, legal

STEPS = {lesson.title.message: lesson for lesson in PUZZLES.course}


def start(title: str) -> Position:
    return STEPS[title].puzzle.position(RULES.start)


def played(title: str, move: str = "") -> Part:
    """Return the places that are left after a move, by default the right one."""
    return places(after(start(title), move or STEPS[title].puzzle.turns[0].right[0]))


def upside_down(part: Part, size: int) -> Part:
    return frozenset((colour, size - 1 - r, size - 1 - c) for colour, r, c in part)


def nimber(part: Part) -> int:
    values = set()
    for rest in moves(part):
        value = 0
        for other in parts_of(rest):
            value ^= nimber(other)
        values.add(value)
    return min(set(range(len(values) + 1)) - values)


@pytest.mark.parametrize("title", STEPS)
def test_one_move_alone_wins_in_each_turn_of_a_step(title: str) -> None:
    position = start(title)
    for turn in STEPS[title].puzzle.turns:
        won = [move for move in legal(position) if is_lost(places(after(position, move)))]
        assert won == list(turn.right)
        for move in (*turn.right, *turn.replies):
            position = after(position, move)


def test_there_are_ten_steps() -> None:
    assert len(STEPS) == 10


def test_no_block_fits_after_the_last_one() -> None:
    assert lengths(played("The last block")) == {0}


@pytest.mark.parametrize("title", ["Count to two", "Lying or upright", "Three colours"])
def test_two_blocks_are_left_in_the_steps_that_count(title: str) -> None:
    assert lengths(played(title)) == {2}


def test_the_upright_blocks_in_place_of_the_lying_one_leave_an_odd_number() -> None:
    title = "Lying or upright"
    assert lengths(played(title, "R b1 U")) == lengths(played(title, "R c1 U")) == {3}


def test_the_other_colours_in_the_corner_leave_one_block() -> None:
    assert lengths(played("Three colours", "Y a3 U")) == {1}
    assert lengths(played("Three colours", "B a3 U")) == {1}


def test_the_board_of_the_centre_is_the_same_upside_down() -> None:
    before, left = places(start("Take the centre")), played("Take the centre")
    assert before == upside_down(before, 5)
    assert left == upside_down(left, 5)


def test_the_board_is_the_same_upside_down_but_for_the_block_that_is_to_be_copied() -> None:
    puzzle = STEPS["Copy each block"].puzzle
    position = RULES.start(puzzle.setup)
    for move in puzzle.moves[:-1]:
        position = after(position, move)
    assert puzzle.moves[-1] == "Y e2 U"
    for move in ("", "Y e2 U", "Y a4 U", "R a2 U", "R e4 U"):
        position = after(position, move) if move else position
        is_same = places(position) == upside_down(places(position), 5)
        assert is_same == (move not in {"Y e2 U", "R a2 U"})


def test_the_row_that_is_cut_is_red_alone_and_leaves_two_regions_of_one_block() -> None:
    before = places(start("Cut a row"))
    assert {(colour, row) for colour, row, _ in before} == {("R", 2)}
    assert [lengths(part) for part in parts_of(played("Cut a row"))] == [{1}, {1}]


def images(part: Part, names: str = "RYB") -> set[Part]:
    """Return a region in all turned and reflected forms, with other names for its colours."""
    return {formed(part, names, *form) for form in product((1, -1), (1, -1), (1, -1))}


def test_one_region_is_cut_into_halves_that_are_equal_but_for_a_turn_and_two_colours() -> None:
    assert len([*parts_of(places(start("Equal halves")))]) == 1
    first, second = parts_of(played("Equal halves"))
    assert second in images(first, "YRB")


def test_the_regions_of_equal_numbers_differ_in_any_form_and_colours() -> None:
    first, second = parts_of(played("Regions have numbers"))
    assert nimber(first) == nimber(second) == 2
    assert all(second not in images(first, "".join(names)) for names in permutations("RYB"))


def test_three_regions_have_the_numbers_one_two_and_three() -> None:
    assert sorted(map(nimber, parts_of(played("One, two, three")))) == [1, 2, 3]
