"""The Santorini class: the document's example, its refusals, and counts of positions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import IllegalMove
from games.santorini import Santorini

START = [(3, 0), (4, 1), (1, 1), (2, 2)]
DIRECTIONS = {
    "N": (-1, 0),
    "NE": (-1, 1),
    "E": (0, 1),
    "SE": (1, 1),
    "S": (1, 0),
    "SW": (1, -1),
    "W": (0, -1),
    "NW": (-1, -1),
}
NONSENSE: list[Any] = ["", "n", "NN", "north", "EN", None, 0, (0, 1), [], {}]


def state(board: Santorini) -> tuple[Any, ...]:
    heights = tuple(board.height((r, c)) for r in range(5) for c in range(5))
    return dict(board.workers), heights, board.winning_worker()


def tower(board: Santorini, worker: str, direction: str, parts: int) -> Santorini:
    for _ in range(parts):
        board.build_tower(worker, direction)
    return board


def climbed() -> Santorini:
    """Return a board on which A has climbed from d2 over e1 and d1 to the third level on e2."""
    board = Santorini([(3, 1), (0, 4), (0, 0), (0, 2)])
    tower(board, "A", "SW", 1)
    tower(board, "A", "W", 2)
    tower(board, "A", "S", 3)
    return board.move_worker("A", "SW").move_worker("A", "N").move_worker("A", "SE")


def test_the_example_of_the_document() -> None:
    board = Santorini(START)
    assert str(board) == "00000\n0C000\n00D00\nA0000\n0B000"
    assert board.workers == {"A": (3, 0), "B": (4, 1), "C": (1, 1), "D": (2, 2)}
    assert board.winning_worker() is None
    assert board.level("B") == 0
    assert str(board.move_worker("B", "E")) == "00000\n0C000\n00D00\nA0000\n00B00"
    assert str(board.build_tower("B", "W")) == "00000\n0C000\n00D00\nA0000\n01B00"
    assert board.level("B") == board.level("C") == 0
    board.move_worker("C", "SW").build_tower("C", "E")
    assert str(board) == "00000\n00000\nC1D00\nA0000\n01B00"
    assert board.level("C") == 0
    with pytest.raises(AssertionError, match=r"^invalid move$"):
        board.move_worker("A", "W")


@pytest.mark.parametrize(("depth", "turns"), [(1, 38), (2, 2944), (3, 140387)])
def test_the_number_of_games_of_a_few_turns(depth: int, turns: int) -> None:
    assert perft(Santorini(START), "AB", "CD", depth) == turns


def perft(board: Santorini, mine: str, theirs: str, depth: int) -> int:
    total = 0
    for worker in mine:
        for move, _ in board.moves(worker):
            builds = [build for build, _ in board.builds_after(worker, move)]
            if depth == 1:
                total += len(builds)
                continue
            for build in builds:
                child = board.copy().move_worker(worker, move).build_tower(worker, build)
                total += perft(child, theirs, mine, depth - 1)
    return total


def test_the_workers_are_a_dictionary_that_follows_the_game() -> None:
    board = Santorini(START)
    workers = board.workers
    assert type(workers) is dict
    board.move_worker("A", "N")
    assert workers["A"] == (2, 0)


@pytest.mark.parametrize("count", [4, 6, 8])
def test_workers_get_letters_in_the_order_of_the_sequence(count: int) -> None:
    cells = [(i // 5, i % 5) for i in range(count)]
    assert Santorini(tuple(cells)).workers == dict(zip("ABCDEFGH", cells, strict=False))


@pytest.mark.parametrize(
    "positions",
    [
        [],
        START[:3],
        [*START, (0, 0)],
        [*START, *START],
        [(i // 5, i % 5) for i in range(10)],
        [*START[:3], START[0]],
        [*START[:3], (5, 0)],
        [*START[:3], (0, -1)],
        [*START[:3], (0, "a")],
        [*START[:3], (0, 1.0)],
        [*START[:3], (True, 0)],
        [*START[:3], (0, False)],
        [*START[:3], (0, 1, 2)],
        [*START[:3], None],
        None,
        4,
        "abcd",
        {1: 2, 3: 4, 5: 6, 7: 8},
    ],
)
def test_invalid_starting_positions_are_refused(positions: Any) -> None:
    with pytest.raises(AssertionError, match=r"^invalid workers$"):
        Santorini(positions)


@pytest.mark.parametrize("letter", [None, 1, ["E"], {"E"}, np.array(["E", "F"])])
def test_a_worker_has_a_letter(letter):
    board = Santorini(START)
    with pytest.raises(AssertionError, match="invalid workers"):
        board.place_worker(letter, (4, 4))
    assert str(board) == str(Santorini(START))


REFUSED_MOVES: list[tuple[str, Callable[[], Santorini], str, str]] = [
    ("off the grid", lambda: Santorini(START), "A", "W"),
    ("off the corner", lambda: Santorini([(0, 0), *START[1:]]), "A", "NW"),
    ("onto a worker", lambda: Santorini(START), "A", "SE"),
    ("two levels up", lambda: tower(Santorini(START), "A", "N", 2), "A", "N"),
    ("three levels up", lambda: tower(Santorini(START), "A", "N", 3), "A", "N"),
    ("onto a dome", lambda: tower(Santorini(START), "A", "N", 4), "A", "N"),
    (
        "onto a dome from the third level",
        lambda: tower(climbed(), "A", "E", 4),
        "A",
        "E",
    ),
    ("a worker that is not there", lambda: Santorini(START), "E", "N"),
]


@pytest.mark.parametrize(
    ("make", "worker", "direction"),
    [case[1:] for case in REFUSED_MOVES],
    ids=[case[0] for case in REFUSED_MOVES],
)
def test_a_forbidden_move_is_refused_and_changes_nothing(
    make: Callable[[], Santorini], worker: str, direction: str
) -> None:
    board = make()
    before = state(board)
    with pytest.raises(IllegalMove, match=r"^invalid move$"):
        board.move_worker(worker, direction)
    assert state(board) == before


REFUSED_BUILDS: list[tuple[str, Callable[[], Santorini], str, str]] = [
    ("off the grid", lambda: Santorini(START), "A", "SW"),
    ("onto a worker", lambda: Santorini(START), "A", "SE"),
    ("onto a dome", lambda: tower(Santorini(START), "A", "E", 4), "A", "E"),
    ("a worker that is not there", lambda: Santorini(START), "H", "N"),
]


@pytest.mark.parametrize(
    ("make", "worker", "direction"),
    [case[1:] for case in REFUSED_BUILDS],
    ids=[case[0] for case in REFUSED_BUILDS],
)
def test_a_forbidden_build_is_refused_and_changes_nothing(
    make: Callable[[], Santorini], worker: str, direction: str
) -> None:
    board = make()
    before = state(board)
    with pytest.raises(IllegalMove, match=r"^invalid build$"):
        board.build_tower(worker, direction)
    assert state(board) == before


@pytest.mark.parametrize("argument", NONSENSE)
def test_nonsense_is_refused_and_changes_nothing(argument: Any) -> None:
    board = Santorini(START)
    before = state(board)
    for method in (board.move_worker, board.build_tower):
        with pytest.raises(AssertionError, match=r"^invalid (move|build)$"):
            method("A", argument)
        with pytest.raises(AssertionError, match=r"^invalid (move|build)$"):
            method(argument, "E")
    with pytest.raises(AssertionError, match=r"^invalid worker$"):
        board.level(argument)
    assert state(board) == before


def test_refusals_survive_python_without_assertions() -> None:
    program = (
        "from games.santorini import Santorini\n"
        f"board = Santorini({START})\n"
        "calls = [lambda: board.move_worker('A', 'W'), lambda: board.build_tower('A', 'SE'),\n"
        "         lambda: board.level('Z'), lambda: Santorini([(0, 0)] * 4)]\n"
        "for call in calls:\n"
        "    try:\n"
        "        call()\n"
        "    except AssertionError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout.splitlines() == [
        "invalid move",
        "invalid build",
        "invalid worker",
        "invalid workers",
    ]


def test_a_worker_may_jump_down_any_number_of_levels() -> None:
    board = climbed()
    assert board.level("A") == 3
    assert board.move_worker("A", "E").level("A") == 0


def test_a_worker_standing_on_a_tower_hides_its_level() -> None:
    board = tower(Santorini(START), "A", "N", 1).move_worker("A", "N")
    assert str(board).splitlines()[2] == "A0D00"
    assert board.level("A") == 1


def test_four_parts_are_a_complete_tower() -> None:
    assert str(tower(Santorini(START), "A", "N", 4)).splitlines()[2] == "40D00"


def test_a_block_of_any_level_can_be_built_from_the_ground() -> None:
    board = Santorini(START)
    for height in range(1, 5):
        assert board.build_tower("A", "N").height((2, 0)) == height


def test_the_worker_on_a_third_level_wins() -> None:
    assert climbed().winning_worker() == "A"


def test_the_first_worker_on_a_third_level_stays_the_winner() -> None:
    board = climbed().move_worker("A", "E")
    assert board.winning_worker() == "A"
    board = Santorini([(4, 1), (4, 0), (0, 0), (0, 2)])
    tower(board, "A", "N", 1)
    tower(board, "A", "NE", 2)
    tower(board, "A", "E", 3)
    board.move_worker("A", "N").move_worker("A", "E").move_worker("A", "S").move_worker("A", "E")
    board.move_worker("B", "NE").move_worker("B", "E").move_worker("B", "S")
    assert board.level("B") == 3
    assert board.winning_worker() == "A"


def test_any_worker_may_move_and_build_at_any_time() -> None:
    board = Santorini(START)
    board.move_worker("A", "N").move_worker("A", "N").build_tower("D", "E").build_tower("B", "W")
    assert str(board) == "00000\nAC000\n00D10\n00000\n1B000"


def test_a_copy_is_independent() -> None:
    board = Santorini(START)
    before = state(board)
    board.copy().move_worker("A", "N").build_tower("A", "E")
    assert state(board) == before


class Model:
    """The document's sentences, space by space, in dictionaries."""

    def __init__(self, positions: list[tuple[int, int]]) -> None:
        self.workers = dict(zip("ABCDEFGH", positions, strict=False))
        self.heights = {(r, c): 0 for r in range(5) for c in range(5)}
        self.winner: str | None = None

    def beside(self, worker: str, direction: str) -> tuple[int, int]:
        (r, c), (dr, dc) = self.workers[worker], DIRECTIONS[direction]
        return r + dr, c + dc

    def is_open(self, cell: tuple[int, int]) -> bool:
        return self.heights.get(cell, 4) < 4 and cell not in self.workers.values()

    def move(self, worker: str, direction: str) -> bool:
        cell, here = self.beside(worker, direction), self.workers[worker]
        if not self.is_open(cell) or self.heights[cell] > self.heights[here] + 1:
            return False
        self.workers[worker] = cell
        if self.heights[cell] == 3 and self.winner is None:
            self.winner = worker
        return True

    def build(self, worker: str, direction: str) -> bool:
        cell = self.beside(worker, direction)
        if not self.is_open(cell):
            return False
        self.heights[cell] += 1
        return True


CELLS = st.tuples(st.integers(0, 4), st.integers(0, 4))
STARTS = st.sampled_from([4, 6, 8]).flatmap(
    lambda n: st.lists(CELLS, min_size=n, max_size=n, unique=True)
)
ACTIONS = st.lists(
    st.tuples(st.booleans(), st.sampled_from("ABCD"), st.sampled_from(sorted(DIRECTIONS))),
    max_size=150,
)


def accepted(call: Callable[..., Any], *arguments: str) -> bool:
    try:
        call(*arguments)
    except AssertionError:
        return False
    return True


@given(STARTS, ACTIONS)
def test_the_board_agrees_with_a_model_of_single_spaces(
    positions: list[tuple[int, int]], actions: list[tuple[bool, str, str]]
) -> None:
    board, model = Santorini(positions), Model(positions)
    for moving, worker, direction in actions:
        method, expected = (
            (board.move_worker, model.move) if moving else (board.build_tower, model.build)
        )
        assert accepted(method, worker, direction) == expected(worker, direction)
        assert state(board) == (
            model.workers,
            tuple(model.heights.values()),
            model.winner,
        )


@given(STARTS, ACTIONS)
def test_the_listed_moves_are_the_accepted_ones(
    positions: list[tuple[int, int]], actions: list[tuple[bool, str, str]]
) -> None:
    board = Santorini(positions)
    for moving, worker, direction in actions:
        accepted(board.move_worker if moving else board.build_tower, worker, direction)
    for worker in board.workers:
        moves = {move for move, _ in board.moves(worker)}
        assert moves == {d for d in DIRECTIONS if accepted(board.copy().move_worker, worker, d)}
        for move in moves:
            child = board.copy().move_worker(worker, move)
            builds = {build for build, _ in board.builds_after(worker, move)}
            assert builds == {
                d for d in DIRECTIONS if accepted(child.copy().build_tower, worker, d)
            }
            assert builds
