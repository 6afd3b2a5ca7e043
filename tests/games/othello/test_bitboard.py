"""The bit masks and lines of Othello: perft, and the rule square by square as a check."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.othello import Othello
from games.othello.bitboard import bits, flip_mask, geometry, legal_mask, perft
from games.othello.lines import LARGEST_TABLE
from tests.support.repeats import SOAK


def start_masks(n: int) -> tuple[int, int]:
    game = Othello(n)
    return game.mask("N"), game.mask("B")


@pytest.mark.parametrize(
    ("n", "lines"),
    [
        (4, [4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540]),
        (6, [4, 12, 56, 244, 1364, 7604, 47740, 308716]),
        (8, [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]),
    ],
)
def test_perft_counts_the_known_number_of_lines(n: int, lines: list[int]) -> None:
    own, opponent = start_masks(n)
    # The last depth takes as long as all others; the compiled kernels count it in each run.
    lines = lines if SOAK else lines[:-1]
    counted = [perft(own, opponent, geometry(n), depth) for depth in range(1, len(lines) + 1)]
    assert counted == lines


DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
SYMMETRIES: dict[str, Callable[[int, int, int], tuple[int, int]]] = {
    "transpose": lambda n, r, c: (c, r),
    "left and right": lambda n, r, c: (r, n - 1 - c),
    "top and bottom": lambda n, r, c: (n - 1 - r, c),
    "half turn": lambda n, r, c: (n - 1 - r, n - 1 - c),
    "quarter turn": lambda n, r, c: (c, n - 1 - r),
}

Cells = frozenset[tuple[int, int]]


def to_mask(n: int, cells: Cells) -> int:
    return sum(1 << r * n + c for r, c in cells)


def to_cells(n: int, mask: int) -> Cells:
    return frozenset(divmod(bit.bit_length() - 1, n) for bit in bits(mask))


def walked_flips(own: Cells, opponent: Cells, cell: tuple[int, int]) -> Cells:
    """Return the discs that a disc on ``cell`` turns over, by walking square by square."""
    flips: set[tuple[int, int]] = set()
    for dr, dc in DIRECTIONS:
        line = []
        r, c = cell[0] + dr, cell[1] + dc
        while (r, c) in opponent:
            line.append((r, c))
            r, c = r + dr, c + dc
        if (r, c) in own:
            flips.update(line)
    return frozenset(flips)


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, Cells, Cells]:
    """Return a size and any discs of both colours, reachable in a game or not."""
    n = draw(st.sampled_from([4, 6, 8, 10, 14, 26]))
    squares = draw(st.lists(st.sampled_from("..NBB"), min_size=n * n, max_size=n * n))
    own, opponent = (
        frozenset(divmod(i, n) for i, square in enumerate(squares) if square == colour)
        for colour in "NB"
    )
    return n, own, opponent


@given(boards())
def test_the_legal_moves_are_the_empty_squares_that_flip_something(
    board: tuple[int, Cells, Cells],
) -> None:
    n, own, opponent = board
    empty = {(r, c) for r in range(n) for c in range(n)} - own - opponent
    expected = {cell for cell in empty if walked_flips(own, opponent, cell)}
    legal = legal_mask(to_mask(n, own), to_mask(n, opponent), geometry(n))
    assert to_cells(n, legal) == expected


@given(boards())
def test_the_flips_are_those_found_by_walking(board: tuple[int, Cells, Cells]) -> None:
    n, own, opponent = board
    masks = to_mask(n, own), to_mask(n, opponent)
    for disc in bits(geometry(n).full & ~(masks[0] | masks[1])):
        (cell,) = to_cells(n, disc)
        flips = to_cells(n, flip_mask(*masks, disc, geometry(n)))
        assert flips == walked_flips(own, opponent, cell)


def assert_the_class_follows_the_rule(n: int, own: Cells, opponent: Cells) -> None:
    squares = {**dict.fromkeys(own, "N"), **dict.fromkeys(opponent, "B")}
    rows = ["".join(squares.get((r, c), ".") for c in range(n)) for r in range(n)]
    game = Othello.from_text("\n".join(rows), "N")
    assert str(game).splitlines() == rows
    assert game.counts() == (len(own), len(opponent))
    empty = {(r, c) for r in range(n) for c in range(n)} - own - opponent
    flips = {cell: walked_flips(own, opponent, cell) for cell in empty}
    assert {cell: game.flips("N", cell) for cell in empty} == flips
    assert game.possible_moves("N") == {cell for cell in empty if flips[cell]}


@given(boards())
def test_the_class_has_the_moves_and_flips_found_by_walking(
    board: tuple[int, Cells, Cells],
) -> None:
    assert_the_class_follows_the_rule(*board)


@pytest.mark.parametrize("n", [LARGEST_TABLE, LARGEST_TABLE + 2])
@pytest.mark.parametrize("squares", ["..NBB", "NBBBBBBBBB."], ids=["open", "long runs"])
def test_large_boards_follow_the_rule_with_and_without_tables(n: int, squares: str) -> None:
    rng = Random(n)
    discs = {(r, c): rng.choice(squares) for r in range(n) for c in range(n)}
    own, opponent = (
        frozenset(cell for cell, disc in discs.items() if disc == colour) for colour in "NB"
    )
    assert_the_class_follows_the_rule(n, own, opponent)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@settings(max_examples=20)
@given(board=boards())
def test_a_turned_or_mirrored_board_has_the_turned_or_mirrored_moves(
    symmetry: str, board: tuple[int, Cells, Cells]
) -> None:
    n, own, opponent = board

    def image(cells: Cells) -> Cells:
        return frozenset(SYMMETRIES[symmetry](n, r, c) for r, c in cells)

    legal = to_cells(n, legal_mask(to_mask(n, own), to_mask(n, opponent), geometry(n)))
    of_image = legal_mask(to_mask(n, image(own)), to_mask(n, image(opponent)), geometry(n))
    assert to_cells(n, of_image) == image(legal)
