"""The class `Othello`."""

from __future__ import annotations

import pickle
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import IllegalMove, parse_cell
from games.othello import Othello
from games.othello.engine import InvalidColour, InvalidSize, other

ROOT = Path(__file__).resolve().parents[3]

START = """\
........
........
........
...BN...
...NB...
........
........
........"""

# On 4 x 4: after d2 black has no move and white goes on; after a2 neither side has one.
BLACK_IS_PASSED = ("c4", "d4", "b1", "b4", "d3", "d2")
ENDS_WITH_EMPTIES = (*BLACK_IS_PASSED, "a2")

# A shortest game on 8 x 8: after nine plies white has no disc left.
ALL_WHITE_DISCS_LOST = ("f5", "d6", "c3", "f3", "e3", "f4", "d7", "d3", "g3")


def after(squares: tuple[str, ...], n: int = 8) -> Othello:
    game = Othello(n)
    for square in squares:
        game.move(str(game.turn()), parse_cell(square))
    return game


def state(game: Othello) -> tuple[object, ...]:
    return str(game), game.turn(), game.passes(), game.counts()


# --- the document ------------------------------------------------------------------------


def test_the_game_begins_with_four_discs_in_the_centre() -> None:
    assert str(Othello()) == START


def test_black_begins() -> None:
    assert Othello().turn() == "N"


def test_black_can_choose_among_four_squares_at_the_start() -> None:
    assert Othello().possible_moves("N") == {(2, 3), (3, 2), (4, 5), (5, 4)}


def test_a_move_returns_the_game_itself() -> None:
    game = Othello(6)
    assert game.move("N", (1, 2)).move("B", (3, 1)) is game


def test_a_move_turns_over_enclosed_discs_in_every_direction() -> None:
    game = after(("c4", "e3", "f6", "c6", "e2", "f3", "g4", "f5"))
    enclosed = {(3, 4), (4, 3), (4, 4), (4, 5)}
    assert game.flips("N", (5, 4)) == enclosed
    game.move("N", (5, 4))
    assert all(game.at(cell) == "N" for cell in enclosed | {(5, 4)})


def test_a_player_without_a_move_is_passed_over() -> None:
    game = after(BLACK_IS_PASSED, 4)
    assert game.possible_moves("N") == set()
    assert (game.turn(), game.passes()) == ("B", ((6, "N"),))


def test_the_game_is_over_when_neither_can_move() -> None:
    game = after(ENDS_WITH_EMPTIES, 4)
    assert game.turn() is None
    assert game.possible_moves("N") == game.possible_moves("B") == set()


def test_the_end_itself_is_no_pass() -> None:
    assert after(ENDS_WITH_EMPTIES, 4).passes() == ((6, "N"),)


def test_a_game_without_white_discs_is_over() -> None:
    game = after(ALL_WHITE_DISCS_LOST)
    assert (game.turn(), game.counts(), game.plies()) == (None, (13, 0), 9)
    assert game.score() == (64, 0)


def test_empty_squares_go_to_the_winner() -> None:
    game = after(ENDS_WITH_EMPTIES, 4)
    assert (game.counts(), game.score()) == ((1, 10), (1, 15))


def test_empty_squares_are_shared_when_both_have_as_many_discs() -> None:
    assert Othello(6).score() == (18, 18)


def test_a_copy_is_independent() -> None:
    game = Othello()
    twin = game.copy()
    twin.move("N", (4, 5))
    assert str(game) == START
    assert (game.turn(), twin.turn()) == ("N", "B")


def test_a_copy_counts_moves_from_the_board_with_which_its_game_began() -> None:
    game = Othello.from_text("....\n.BN.\n.NBN\n....", "B")
    assert game.copy().plies() == 0


@pytest.mark.parametrize("n", [8, 34])
def test_a_game_can_be_deeply_copied_and_pickled_without_the_tables_of_its_board(n: int) -> None:
    game = Othello(n)
    game.move("N", min(game.possible_moves("N")))
    pickled = pickle.dumps(game)
    assert len(pickled) < 2_000
    for twin in (deepcopy(game), pickle.loads(pickled)):
        cell = min(twin.possible_moves("B"))
        assert str(twin.move("B", cell)) == str(game.copy().move("B", cell))


def test_possible_moves_can_be_asked_for_the_colour_that_is_not_to_move() -> None:
    assert Othello().possible_moves("B") == {(2, 4), (3, 5), (4, 2), (5, 3)}


# --- counting ------------------------------------------------------------------------------


def lines_by_moving(game: Othello, depth: int) -> int:
    """Return perft through the public methods: a pass is a ply, a finished game is one line."""
    turn = game.turn()
    if depth <= 0 or turn is None:
        return 1
    lines = 0
    for cell in game.possible_moves(turn):
        child = game.copy().move(turn, cell)
        was_passed = len(child.passes()) > len(game.passes())
        lines += lines_by_moving(child, depth - 1 - was_passed)
    return lines


@pytest.mark.parametrize(
    ("n", "depth", "lines"), [(4, 9, 20044), (6, 6, 7604), (8, 6, 8200), (26, 4, 244)]
)
def test_the_class_plays_the_same_number_of_lines(n: int, depth: int, lines: int) -> None:
    assert lines_by_moving(Othello(n), depth) == lines


# --- properties of games -----------------------------------------------------------------------

Play = tuple[int, Random]
games = st.tuples(st.sampled_from([4, 6, 8, 12]), st.randoms(use_true_random=False))


@given(games)
def test_a_move_adds_one_disc_and_changes_the_colour_of_the_flipped_ones(game: Play) -> None:
    n, rng = game
    board = Othello(n)
    while (turn := board.turn()) is not None:
        before = dict(zip("NB", board.counts(), strict=True))
        cell = rng.choice(sorted(board.possible_moves(turn)))
        flipped = len(board.flips(turn, cell))
        board.move(turn, cell)
        now = dict(zip("NB", board.counts(), strict=True))
        assert now[turn] == before[turn] + 1 + flipped
        assert now[other(turn)] == before[other(turn)] - flipped


@given(games)
def test_a_game_of_transposed_moves_is_the_transposed_game(game: Play) -> None:
    n, rng = game
    board, transposed = Othello(n), Othello(n)
    while (turn := board.turn()) is not None:
        assert transposed.turn() == turn
        r, c = rng.choice(sorted(board.possible_moves(turn)))
        board.move(turn, (r, c))
        transposed.move(turn, (c, r))
        columns = zip(*str(board).splitlines(), strict=True)
        assert str(transposed) == "\n".join("".join(column) for column in columns)
    assert transposed.turn() is None


@given(games)
def test_the_player_to_move_has_a_move_and_a_player_passed_over_has_none(game: Play) -> None:
    n, rng = game
    board = Othello(n)
    while (turn := board.turn()) is not None:
        assert board.possible_moves(turn)
        if board.passes() and board.passes()[-1][0] == board.plies():
            assert not board.possible_moves(other(turn))
        board.move(turn, rng.choice(sorted(board.possible_moves(turn))))


@given(games)
def test_a_disc_is_never_placed_on_another(game: Play) -> None:
    n, rng = game
    board = Othello(n)
    while (turn := board.turn()) is not None:
        taken = [(r, c) for r in range(n) for c in range(n) if board.at((r, c))]
        assert not board.possible_moves(turn) & set(taken)
        assert not any(board.flips(turn, cell) for cell in taken)
        with pytest.raises(IllegalMove):
            board.move(turn, rng.choice(taken))
        board.move(turn, rng.choice(sorted(board.possible_moves(turn))))


# --- refusals ----------------------------------------------------------------------------------

NO_MOVE: dict[str, tuple[object, object]] = {
    "a square that flips nothing": ("N", (0, 0)),
    "a square that is taken": ("N", (3, 3)),
    "the colour that is not to move": ("B", (2, 4)),
    "an unknown colour": ("X", (4, 5)),
    "both colours": ("NB", (4, 5)),
    "no colour": (None, (4, 5)),
    "a colour in lower case": ("n", (4, 5)),
    "a colour that cannot be hashed": ([], (4, 5)),
    "a row above the board": ("N", (-4, 5)),
    "a row below the board": ("N", (8, 5)),
    "a far column": ("N", (4, 10**6)),
    "a column that would wrap to the next row": ("N", (3, 13)),
    "a number for a square": ("N", 37),
    "a name for a square": ("N", "f5"),
    "a list": ("N", [4, 5]),
    "one coordinate": ("N", (4,)),
    "three coordinates": ("N", (4, 5, 0)),
    "letters for coordinates": ("N", ("4", "5")),
    "foreign digits": ("N", ("٤", "٥")),
    "fractions": ("N", (4.0, 5.0)),
    "nothing": ("N", None),
}


@pytest.mark.parametrize(("colour", "position"), NO_MOVE.values(), ids=NO_MOVE.keys())
def test_an_invalid_move_is_refused_and_changes_nothing(colour: object, position: object) -> None:
    game = Othello()
    before = state(game)
    with pytest.raises(AssertionError, match=r"^invalid move$") as refusal:
        game.move(colour, position)  # type: ignore[arg-type]
    assert isinstance(refusal.value, IllegalMove)
    assert state(game) == before


def test_truth_values_are_refused_even_where_their_numbers_make_a_legal_move() -> None:
    game = Othello(4)
    assert (0, 1) in game.possible_moves("N")
    with pytest.raises(IllegalMove):
        game.move("N", (False, True))


@pytest.mark.parametrize("colour", ["N", "B"])
def test_nothing_can_be_placed_after_the_end(colour: str) -> None:
    game = after(ENDS_WITH_EMPTIES, 4)
    before = state(game)
    with pytest.raises(IllegalMove):
        game.move(colour, (0, 0))
    assert state(game) == before


@pytest.mark.parametrize("n", [3, 5, 7, 9, 2, 1, 0, -1, -8, 1001])
def test_a_board_of_an_impossible_size_is_refused(n: int) -> None:
    with pytest.raises(InvalidSize, match="invalid size"):
        Othello(n)


@pytest.mark.parametrize("n", [10**9, 10**30])
def test_a_board_that_no_memory_can_hold_is_refused(n: int) -> None:
    with pytest.raises(InvalidSize, match="no memory for so many squares"):
        Othello(n)


@pytest.mark.parametrize("n", ["8", "٨", 8.0, None, True, [8], (8,)])
def test_a_size_that_is_no_number_is_refused(n: object) -> None:
    with pytest.raises(InvalidSize):
        Othello(n)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [4, 6, 26, 28, 100, 1002])
def test_any_even_size_has_four_moves_at_the_start(n: int) -> None:
    game = Othello(n)
    assert len(game.possible_moves("N")) == len(game.possible_moves("B")) == 4


@pytest.mark.parametrize("colour", ["X", "", "NB", "n", None, 1, []])
def test_a_question_about_an_unknown_colour_is_refused(colour: str) -> None:
    game = Othello()
    for question in (game.possible_moves, game.mask, lambda c: game.flips(c, (4, 5))):
        with pytest.raises(InvalidColour, match="invalid colour"):
            question(colour)


@pytest.mark.parametrize("position", [(-1, 0), (0, 8), (10**6, 0), "a1", None, (1, 2, 3)])
def test_a_question_about_a_square_off_the_board_is_refused(position: tuple[int, int]) -> None:
    game = Othello()
    for question in (game.at, lambda p: game.flips("N", p)):
        with pytest.raises(IllegalMove):
            question(position)


def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_illegal_moves_are_refused_when_python_drops_assert_statements() -> None:
    program = (
        "from games.othello import Othello\n"
        "for play in (lambda: Othello(7),\n"
        "             lambda: Othello().move('N', (0, 0)),\n"
        "             lambda: Othello().move('B', (2, 4)),\n"
        "             lambda: Othello().possible_moves('X')):\n"
        "    try:\n"
        "        play()\n"
        "    except AssertionError as error:\n"
        "        print(str(error)[:14])\n"
    )
    run = run_python("-O", "-c", program)
    assert run.stdout.splitlines() == [
        "invalid size: ",
        "invalid move",
        "invalid move",
        "invalid colour",
    ]


def test_the_class_comes_without_django() -> None:
    program = "import sys; from games.othello import Othello; sys.exit('django' in sys.modules)"
    assert run_python("-c", program).returncode == 0
