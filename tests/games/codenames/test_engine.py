"""The game board of Codenames: the document's example, its refusals, and the recorded runs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.classes.recording import find_exercise, read_record
from games.codenames import GameBoard
from games.codenames.deal import deal_key

KEY = "RRBBBRBRRBB-XR-B-RR-"


def board() -> GameBoard:
    return GameBoard(4, 5, KEY)


def ended() -> GameBoard:
    return board().select(2, 2)


def state(game: GameBoard) -> tuple[Any, ...]:
    turn = None if game.isover() else game.turn()
    return str(game), turn, game.winner(), game.remaining("R"), game.remaining("B")


@st.composite
def boards(draw: st.DrawFn) -> GameBoard:
    rows, columns = draw(st.integers(2, 8)), draw(st.integers(2, 8))
    return GameBoard(rows, columns, deal_key(rows * columns, Random(draw(st.integers()))))


# --- the document's example ------------------------------------------------------------


def test_no_card_shows_its_colour_at_the_start() -> None:
    assert str(board()) == "\n".join(["? ? ? ? ?"] * 4)


def test_the_team_with_more_squares_begins() -> None:
    assert board().turn() == "R"
    assert GameBoard(4, 5, KEY.translate(str.maketrans("RB", "BR"))).turn() == "B"


def test_the_game_of_the_document() -> None:
    game = board()
    assert str(game.select(2, 3)) == "? ? ? ? ?\n? ? ? ? ?\n? ? ? R ?\n? ? ? ? ?"
    assert game.turn() == "R"
    assert game.stop().turn() == "B"
    assert not game.isover()
    assert str(game.select(2, 1)) == "? ? ? ? ?\n? ? ? ? ?\n? - ? R ?\n? ? ? ? ?"
    assert game.turn() == "R"
    assert str(game.select(3, 4)) == "? ? ? ? ?\n? ? ? ? ?\n? - ? R ?\n? ? ? ? -"
    assert game.turn() == "B"
    game.select(1, 1).select(3, 0).select(0, 2).stop()
    assert str(game) == "? ? B ? ?\n? B ? ? ?\n? - ? R ?\nB ? ? ? -"
    assert game.turn() == "R"
    assert str(game.select(2, 2)) == "? ? B ? ?\n? B ? ? ?\n? - X R ?\nB ? ? ? -"
    assert game.isover()


# --- turns and the end -----------------------------------------------------------------


def test_the_turn_goes_over_to_the_team_whose_spy_was_selected() -> None:
    assert board().select(0, 2).turn() == "B"


def test_a_stop_ends_the_turn_without_a_card() -> None:
    assert board().stop().stop().turn() == "R"


def test_the_assassin_loses_the_game_for_the_team_that_selects_it() -> None:
    assert board().select(2, 2).winner() == "B"
    assert board().stop().select(2, 2).winner() == "R"


def test_a_team_wins_when_its_last_spy_is_found() -> None:
    game = GameBoard(2, 2, "RRBX").select(0, 0)
    assert not game.isover()
    assert game.select(0, 1).winner() == "R"


def test_a_team_can_find_the_last_spy_of_the_other() -> None:
    game = GameBoard(2, 2, "RRBX").select(1, 0)
    assert game.isover()
    assert game.winner() == "B"


@pytest.mark.parametrize("ask", [GameBoard.turn, GameBoard.stop, lambda game: game.select(1, 4)])
def test_after_the_end_nothing_can_be_asked_or_done(ask: Callable[[GameBoard], Any]) -> None:
    game = ended()
    before = str(game)
    with pytest.raises(AssertionError, match=r"^game over$"):
        ask(game)
    assert str(game) == before


def test_an_ended_game_still_says_that_it_is_over_and_shows_itself() -> None:
    assert ended().isover()
    assert str(ended()).splitlines()[2] == "? ? X ? ?"


@given(boards(), st.data())
def test_a_game_ends_no_later_than_with_its_last_card(game: GameBoard, data: st.DataObject) -> None:
    cells = data.draw(st.permutations(list(product(range(game.rows), range(game.columns)))))
    for r, c in cells:
        if game.isover():
            break
        mover = game.turn()
        game.select(r, c)
        square = game.squares()[r * game.columns + c]
        if not game.isover():
            assert (game.turn() == mover) == (square == mover)
    assert game.isover()
    assert game.winner() in {"R", "B"}


@given(boards(), st.data())
def test_shown_squares_and_remaining_spies_add_up_to_the_key(
    game: GameBoard, data: st.DataObject
) -> None:
    cells = data.draw(st.permutations(list(product(range(game.rows), range(game.columns)))))
    for r, c in cells[: game.rows]:
        if not game.isover():
            game.select(r, c)
    for team in ("R", "B"):
        assert str(game).count(team) + game.remaining(team) == game.key.count(team)


# --- refusals --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("r", "c"),
    [(2, 3), (-1, 0), (0, -1), (4, 0), (0, 5), ("0", 0), (0.0, 0), (None, 0), (True, 0), (0, "٣")],
)
def test_a_card_twice_or_off_the_grid_is_refused_and_changes_nothing(r: Any, c: Any) -> None:
    game = board().select(2, 3)
    before = state(game)
    with pytest.raises(AssertionError, match=r"^invalid card$"):
        game.select(r, c)
    assert state(game) == before


@pytest.mark.parametrize(("m", "n"), [(0, 5), (4, 0), (-4, -5), (4.0, 5), ("4", 5), (True, 20)])
def test_invalid_numbers_of_rows_and_columns_are_refused(m: Any, n: Any) -> None:
    with pytest.raises(AssertionError, match="invalid board"):
        GameBoard(m, n, KEY)


@pytest.mark.parametrize(
    "key",
    [
        *(KEY[:-1], KEY + "-", "", KEY.lower(), KEY.replace("-", "٣"), KEY.replace("-", "\u202e")),
        *(KEY.replace("X", "-"), KEY.replace("-", "X", 1), KEY.replace("R", "-", 1)),
        *(list(KEY), None),
    ],
)
def test_a_string_that_is_no_key_of_the_grid_is_refused(key: Any) -> None:
    with pytest.raises(AssertionError) as refusal:
        GameBoard(4, 5, key)
    assert str(refusal.value)


def test_illegal_selections_are_refused_by_an_optimised_python_too() -> None:
    program = (
        "from games.codenames import GameBoard\n"
        f"game = GameBoard(4, 5, {KEY!r}).select(2, 3)\n"
        "for card in [(2, 3), (9, 9)]:\n"
        "    try: game.select(*card)\n"
        "    except AssertionError as refusal: print(refusal)\n"
    )
    run = subprocess.run([sys.executable, "-O", "-c", program], capture_output=True, text=True)
    assert run.stdout.splitlines() == ["invalid card", "invalid card"]


def test_a_copy_is_independent() -> None:
    game = board().select(0, 0)
    before = state(game)
    twin = game.copy()
    assert state(twin) == before
    twin.select(0, 2).select(0, 3)
    assert state(game) == before


def test_the_recorded_runs_select_each_card_on_the_grid_once() -> None:
    for run in read_record(*find_exercise("codenames"))["runs"]:
        rows, columns = map(int, re.findall(r"\d+", run["steps"][0][0])[:2])
        grid = {(r, c) for r in range(rows) for c in range(columns)}
        for line, answer, *_board in run["steps"]:
            if "GameBoard" in line:
                continue  # the board, or a second one with cards of its own
            for card in re.findall(r"select\((\d+), (\d+)\)", line):
                cell = tuple(map(int, card))
                assert cell in grid, line
                grid -= {cell} if answer[0] != "!" else set()
