"""The parts of the contract that games build on: sentences, cells, steps."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import (
    BadNotation,
    IllegalMove,
    MoveError,
    Option,
    Text,
    cell_name,
    next_steps,
    ntext,
    parse_cell,
    split_move,
    text,
)

# --- sentences -------------------------------------------------------------------------


def test_a_text_reads_as_its_english_sentence() -> None:
    assert str(text("%(who)s plays %(move)s.", who="Ann", move="f5")) == "Ann plays f5."


def test_a_text_may_hold_texts() -> None:
    assert str(text("%(colour)s wins.", colour=text("White"))) == "White wins."


@pytest.mark.parametrize(("n", "sentence"), [(0, "0 discs"), (1, "1 disc"), (2, "2 discs")])
def test_a_number_chooses_the_form(n: int, sentence: str) -> None:
    assert str(ntext("%(n)s disc", "%(n)s discs", n=n)) == sentence


def test_a_text_survives_json() -> None:
    nested = text("%(a)s, %(b)s", a=ntext("%(n)s disc", "%(n)s discs", n=2), b=3)
    assert Text.from_json(json.loads(json.dumps(nested.to_json()))) == nested


def test_equal_texts_have_equal_hashes() -> None:
    assert hash(text("%(n)s", n=1)) == hash(text("%(n)s", n=1))


def test_a_percent_sign_in_a_parameter_is_left_alone() -> None:
    assert (
        str(text("“%(word)s” is not a word.", word="%(n)s 100%")) == "“%(n)s 100%” is not a word."
    )


# --- errors ----------------------------------------------------------------------------


def test_an_illegal_move_is_an_assertion_error_too() -> None:
    with pytest.raises(AssertionError, match="invalid move"):
        raise IllegalMove("invalid move")


def test_bad_notation_is_a_move_error_and_no_assertion_error() -> None:
    assert issubclass(BadNotation, MoveError)
    assert not issubclass(BadNotation, AssertionError)


# --- cells -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "name"), [((0, 0), "a1"), ((9, 2), "c10"), ((4, 5), "f5"), ((25, 25), "z26")]
)
def test_a_cell_is_called_by_column_and_row(cell: tuple[int, int], name: str) -> None:
    assert cell_name(*cell) == name
    assert parse_cell(name) == cell


@given(st.integers(0, 98), st.integers(0, 25))
def test_every_name_of_a_cell_is_read_back(row: int, column: int) -> None:
    assert parse_cell(cell_name(row, column)) == (row, column)


@pytest.mark.parametrize(
    "name", ["", "a", "1", "a0", "a01", "A1", "a1 ", "a1\n", "a٣", "aa1", "a100", "a-1", "é1"]
)
def test_other_strings_are_no_names_of_cells(name: str) -> None:
    with pytest.raises(BadNotation):
        parse_cell(name)


# --- steps -----------------------------------------------------------------------------

MOVES = ["B E W", "B E N", "B N", "C S S"]


def test_the_first_steps_are_those_of_all_moves_each_once() -> None:
    assert next_steps(MOVES, ()) == ["B", "C"]


def test_the_next_steps_follow_the_chosen_ones() -> None:
    assert next_steps(MOVES, ("B",)) == ["E", "N"]
    assert next_steps(MOVES, ("B", "E")) == ["W", "N"]


@pytest.mark.parametrize("chosen", [("D",), ("B", "W"), ("B", "N", "N"), ("",), ("B", "N")])
def test_steps_with_which_no_move_begins_are_refused(chosen: tuple[str, ...]) -> None:
    with pytest.raises(IllegalMove):
        next_steps(MOVES, chosen)


@given(st.lists(st.text("abc", min_size=1), min_size=1, max_size=4))
def test_a_move_is_its_steps_with_spaces_between(steps: list[str]) -> None:
    assert split_move(" ".join(steps)) == tuple(steps)


# --- options ---------------------------------------------------------------------------


def test_a_number_may_have_spaces_around_it() -> None:
    option = Option(name="size", label=text("Size"), default=8, low=4, high=26, step=2)
    assert option.clean(" 10 ") == 10


def test_a_flag_that_was_not_sent_is_off() -> None:
    assert Option(name="hints", label=text("Hints"), kind="flag").clean(None) is False


@pytest.mark.parametrize("raw", ["on", "true", "1", True])
def test_a_flag_that_was_sent_is_on(raw: object) -> None:
    assert Option(name="hints", label=text("Hints"), kind="flag").clean(raw) is True


def test_a_text_is_stripped_and_its_lines_end_alike() -> None:
    option = Option(name="words", label=text("Words"), kind="text", default="", high=20)
    assert option.clean(" sea\r\nsun \n") == "sea\nsun"
