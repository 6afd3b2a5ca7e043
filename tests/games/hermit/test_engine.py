"""The classes Hermit and Kluizenaar behave as the game's document says."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.hermit import Hermit, Kluizenaar
from tests.support.repeats import SOAK

OPENING = [
    ("R", (0, 0), "H"),
    ("B", (0, 2), "U"),
    ("Y", (1, 2), "U"),
    ("R", (3, 1), "U"),
    ("Y", (3, 2), "H"),
    ("R", (1, 3), "V"),
    ("B", (2, 0), "H"),
]


class Touchy:
    """An object that raises when it is compared."""

    def __eq__(self, other: object) -> bool:
        raise ValueError(other)

    __hash__ = None  # type: ignore[assignment]


NONSENSE_COLOURS = ["G", "r", "", "RY", None, 0, ["R"], "٣", np.array(["R", "Y"]), Touchy()]
NONSENSE_PLACEMENTS = ["D", "u", "", "UH", None, 1, ["U"], "٣", np.array(["U", "H"]), Touchy()]
NONSENSE_CELLS = [
    None,
    7,
    "a1",
    "٣٣",
    ("0", "0"),
    ("٣", 0),
    [0, 0],
    (0,),
    (0, 0, 0),
    (0.0, 0),
    (True, 0),
    (0, False),
    {(0, 0)},
    np.array([0, 0]),
    Touchy(),
]
NONSENSE_SIZES = [0, -1, True, False, 4.0, "4", "٣", None, (4,), np.array([4]), 10**10, 10**30]


def hermit_after(n: int, moves: list[Any]) -> Hermit:
    board = Hermit(n)
    for move in moves:
        board.move(*move)
    return board


# --- the document's game -----------------------------------------------------------------------


def test_a_board_is_printed_with_a_dot_for_each_empty_square() -> None:
    assert str(Hermit(3)) == ". . .\n. . .\n. . ."


def test_blocks_are_printed_as_the_letters_of_their_colours() -> None:
    assert str(hermit_after(4, OPENING)) == "R R B .\n. . Y R\nB B . R\n. R Y Y"


def test_a_dutch_board_is_printed_the_same() -> None:
    board = Kluizenaar(4)
    for move in OPENING:
        board.zet(*move)
    assert str(board) == "R R B .\n. . Y R\nB B . R\n. R Y Y"


@pytest.mark.parametrize(
    ("placement", "squares"),
    [("U", {(1, 2)}), ("H", {(1, 2), (1, 3)}), ("V", {(1, 2), (2, 2)})],
)
def test_a_placement_covers_its_squares_in_both_languages(
    placement: str, squares: set[tuple[int, int]]
) -> None:
    assert Hermit(4).positions((1, 2), placement) == squares
    assert Kluizenaar(4).posities((1, 2), placement) == squares


@pytest.mark.parametrize("cell", [(0, 0), (3, 3), (-1, 7), (99, 99)])
def test_positions_looks_at_neither_the_size_nor_the_blocks(cell: tuple[int, int]) -> None:
    r, c = cell
    assert hermit_after(4, OPENING).positions(cell, "H") == {(r, c), (r, c + 1)}


def test_a_square_is_valid_until_a_block_lies_on_it_or_its_colour_beside_it() -> None:
    board = Hermit(4).move("R", (0, 0), "H")
    valid = {(r, c) for r, c in product(range(4), repeat=2) if board.isvalid("R", (r, c))}
    assert valid == {(0, 3), (1, 3)} | set(product((2, 3), range(4)))


def test_another_colour_may_lie_beside_a_block_but_not_on_it() -> None:
    board = Hermit(4).move("R", (0, 0), "H")
    assert not board.isvalid("Y", (0, 1))
    assert board.isvalid("Y", (0, 2))


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (4, 0), (0, 4)])
def test_a_square_off_the_board_is_not_valid_in_either_language(cell: tuple[int, int]) -> None:
    assert Hermit(4).isvalid("R", cell) is False
    assert Kluizenaar(4).isgeldig("R", cell) is False


def test_a_move_returns_the_game_itself() -> None:
    board = Hermit(4)
    assert board.move("R", (0, 0), "H") is board
    dutch = Kluizenaar(4)
    assert dutch.zet("R", (0, 0), "H") is dutch


def test_the_last_moves_of_the_documents_game_are_found() -> None:
    board = hermit_after(4, OPENING)
    assert board.possible_moves() == {("Y", (1, 0), "U"), ("Y", (3, 0), "U")}
    board.move("Y", (3, 0), "U")
    assert board.possible_moves() == {("Y", (1, 0), "U")}
    board.move("Y", (1, 0), "U")
    assert board.possible_moves() == set()


def test_the_dutch_class_finds_the_same_moves() -> None:
    board = Kluizenaar(4)
    for move in OPENING:
        board.zet(*move)
    assert board.mogelijke_zetten() == {("Y", (1, 0), "U"), ("Y", (3, 0), "U")}


@pytest.mark.parametrize(("n", "count"), [(1, 3), (2, 24), (4, 120), (12, 1224)])
def test_an_empty_board_has_every_placement_in_every_colour(n: int, count: int) -> None:
    assert len(Hermit(n).possible_moves()) == count  # 3 (n² + 2 n (n - 1))


# --- refusals ----------------------------------------------------------------------------------

ILLEGAL = [
    ("R", (1, 2), "V"),  # touches the red block at a corner
    ("Y", (0, 1), "U"),  # on a block
    ("Y", (1, 3), "H"),  # over the right edge
    ("Y", (3, 3), "V"),  # over the lower edge
    ("Y", (4, 0), "U"),
    ("Y", (-1, 0), "V"),
    ("Y", (0, -1), "H"),
]


@pytest.mark.parametrize("move", ILLEGAL)
def test_an_illegal_move_is_refused_and_changes_nothing(move: Any) -> None:
    board = Hermit(4).move("R", (0, 0), "H")
    before = str(board), board.possible_moves()
    with pytest.raises(AssertionError, match=r"\Ainvalid move\Z"):
        board.move(*move)
    assert (str(board), board.possible_moves()) == before


@pytest.mark.parametrize("move", ILLEGAL)
def test_an_illegal_move_is_refused_in_dutch_and_changes_nothing(move: Any) -> None:
    board = Kluizenaar(4).zet("R", (0, 0), "H")
    before = str(board), board.mogelijke_zetten()
    with pytest.raises(AssertionError, match=r"\Aongeldige zet\Z"):
        board.zet(*move)
    assert (str(board), board.mogelijke_zetten()) == before


NONSENSE_MOVES = [
    *[(colour, (0, 0), "U") for colour in NONSENSE_COLOURS],
    *[("R", cell, "U") for cell in NONSENSE_CELLS],
    *[("R", (0, 0), placement) for placement in NONSENSE_PLACEMENTS],
]


@pytest.mark.parametrize("move", NONSENSE_MOVES)
def test_a_move_that_means_nothing_is_refused_and_changes_nothing(move: Any) -> None:
    board = Hermit(4)
    with pytest.raises(AssertionError, match=r"\Ainvalid move\Z"):
        board.move(*move)
    assert str(board) == str(Hermit(4))


@pytest.mark.parametrize("colour", NONSENSE_COLOURS)
def test_no_square_is_valid_for_an_unknown_colour(colour: Any) -> None:
    assert Hermit(4).isvalid(colour, (0, 0)) is False


@pytest.mark.parametrize("cell", NONSENSE_CELLS)
def test_a_cell_that_is_no_pair_of_integers_is_not_valid(cell: Any) -> None:
    assert Hermit(4).isvalid("R", cell) is False


@pytest.mark.parametrize("cell", NONSENSE_CELLS)
def test_positions_refuses_a_cell_that_is_no_pair_of_integers(cell: Any) -> None:
    with pytest.raises(AssertionError, match="invalid move"):
        Hermit(4).positions(cell, "U")


@pytest.mark.parametrize("placement", NONSENSE_PLACEMENTS)
def test_positions_refuses_an_unknown_placement(placement: Any) -> None:
    with pytest.raises(AssertionError, match="ongeldige zet"):
        Kluizenaar(4).posities((0, 0), placement)


@pytest.mark.parametrize("size", NONSENSE_SIZES)
def test_a_board_without_a_proper_size_is_refused(size: Any) -> None:
    with pytest.raises(AssertionError, match="invalid size"):
        Hermit(size)
    with pytest.raises(AssertionError, match="ongeldige afmeting"):
        Kluizenaar(size)


def test_illegal_moves_are_refused_when_python_optimises() -> None:
    program = (
        "from games.hermit import Hermit\n"
        "board = Hermit(2).move('R', (0, 0), 'U')\n"
        "try:\n"
        "    board.move('R', (1, 1), 'U')\n"
        "except AssertionError as error:\n"
        "    print(error)\n"
        "print(board)\n"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout == "invalid move\nR .\n. .\n"


# --- counting, and properties ------------------------------------------------------------------


def positions_by_blocks(n: int, most: int) -> list[int]:
    """Return the numbers of distinct boards with 0, 1, 2, … and less than ``most`` blocks."""
    counts: list[int] = []
    layer = {str(Hermit(n)): Hermit(n)}
    while layer:
        counts.append(len(layer))
        if len(counts) == most:
            break
        boards = [board.copy().move(*m) for board in layer.values() for m in board.possible_moves()]
        layer = {str(board): board for board in boards}
    return counts


@pytest.mark.parametrize(
    ("n", "counts"),
    [(1, [1, 3]), (2, [1, 24, 96, 48]), (3, [1, 63, 1128, 7200, 17199, 15402, 4788, 480, 18])],
)
def test_the_distinct_positions_are_as_many_as_counted_elsewhere(n: int, counts: list[int]) -> None:
    # One more than there are, so that boards beyond the last number are found; SOAK=1 counts all
    # 46,000 boards of size 3.
    most = len(counts) + 1 if SOAK else 4
    assert positions_by_blocks(n, most) == counts[:most]


def moves_by_definition(board: Hermit) -> set[Any]:
    """Return the legal moves by the definition in the document, square by square."""
    return {
        (colour, cell, placement)
        for colour in "RYB"
        for cell in [(r, c) for r in range(board.n) for c in range(board.n)]
        for placement in "UHV"
        if all(board.isvalid(colour, square) for square in board.positions(cell, placement))
    }


@st.composite
def boards(draw: st.DrawFn) -> Hermit:
    """Return a board of any size up to 7 somewhere in a game."""
    board = Hermit(draw(st.integers(1, 7)))
    for _ in range(draw(st.integers(0, 12))):
        moves = sorted(board.possible_moves())
        if not moves:
            break
        board.move(*draw(st.sampled_from(moves)))
    return board


@given(boards())
def test_the_possible_moves_are_those_whose_squares_are_all_valid(board: Hermit) -> None:
    assert board.possible_moves() == moves_by_definition(board)


@given(boards(), st.data())
def test_a_move_is_accepted_exactly_when_it_is_possible(board: Hermit, data: st.DataObject) -> None:
    numbers = st.integers(-1, board.n)
    move = data.draw(
        st.tuples(st.sampled_from("RYB"), st.tuples(numbers, numbers), st.sampled_from("UHV"))
    )
    possible = move in board.possible_moves()
    try:
        board.move(*move)
    except AssertionError:
        assert not possible
    else:
        assert possible


@given(boards())
def test_blocks_of_one_colour_never_touch(board: Hermit) -> None:
    for colour in "RYB":
        rows = str(board).split("\n")
        squares = {
            (r, c // 2) for r, row in enumerate(rows) for c, x in enumerate(row) if x == colour
        }
        for r, c in squares:
            beside = squares & set(product((r - 1, r, r + 1), (c - 1, c, c + 1))) - {(r, c)}
            assert len(beside) <= 1  # the other half of the same block
            assert all(r == other_r or c == other_c for other_r, other_c in beside)


@given(boards())
def test_a_copy_is_independent(board: Hermit) -> None:
    before = str(board)
    twin = board.copy()
    for move in list(twin.possible_moves())[:1]:
        twin.move(*move)
    assert str(board) == before
