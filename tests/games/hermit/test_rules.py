"""Hermit on the site: turns, the end, refusals with their reasons, and choosing a block by
clicks.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import (
    CLICKED,
    OTHER_CELLS,
    RESIGN,
    BadNotation,
    BadSetup,
    GameOver,
    IllegalMove,
    NotYourTurn,
    Text,
    next_steps,
    normalize_move,
)
from games.exchange.reading import read_games
from games.hermit import messages
from games.hermit.position import HermitPosition
from games.hermit.rules import RULES
from games.presentation.board import example_board

NEARLY_OVER = ["R a1 H", "B c1 U", "Y c2 U", "R b4 U", "Y c4 H", "R d2 V", "B a3 H"]


def game(size: int = 4, moves: tuple[str, ...] | list[str] = ()) -> HermitPosition:
    position = HermitPosition(size)
    for move in moves:
        (seat,) = position.to_move()
        position.play(seat, move)
    return position


def cell_of(position: HermitPosition, name: str) -> Any:
    return next(cell for row in position.view(None)["rows"] for cell in row if cell["name"] == name)


# --- set-up ------------------------------------------------------------------------------------


def test_a_new_game_has_the_size_that_was_asked_for() -> None:
    options = RULES.clean({"size": "6"})
    position = RULES.start(RULES.deal(options, Random(1)))
    assert [len(row) for row in position.view(None)["rows"]] == [6] * 6


@pytest.mark.parametrize("size", ["1", "13", "four", "٤", True])
def test_a_size_outside_two_to_twelve_is_refused(size: Any) -> None:
    with pytest.raises(BadSetup, match="Board size"):
        RULES.clean({"size": size})


def test_two_players_sit_on_sides_of_their_own() -> None:
    seats = RULES.seats(RULES.clean({}))
    assert [(seat.key, seat.side) for seat in seats] == [("first", "first"), ("second", "second")]


# --- turns and the end -------------------------------------------------------------------------


def test_the_players_alternate() -> None:
    position = game()
    assert position.to_move() == {"first"}
    position.play("first", "R a1 U")
    assert position.to_move() == {"second"}


def test_either_player_may_use_any_colour() -> None:
    position = game(4, ["R a1 U", "R c1 U", "B a2 U", "Y d4 U"])
    assert str(position.board) == "R . R .\nB . . .\n. . . .\n. . . Y"


def test_a_player_who_cannot_place_a_block_loses() -> None:
    position = game(4, [*NEARLY_OVER, "Y a4 U", "Y a2 U"])
    assert position.to_move() == frozenset()
    result = position.result()
    assert result is not None
    assert result.winners == {"first"}
    assert str(result.reason) == "No block fits any more: First player placed the last one."


def test_a_game_with_a_move_left_is_not_over() -> None:
    assert game(4, [*NEARLY_OVER, "Y a4 U"]).result() is None


def test_nothing_can_be_played_after_the_end() -> None:
    position = game(4, [*NEARLY_OVER, "Y a4 U", "Y a2 U"])
    with pytest.raises(GameOver):
        position.play("second", "Y b2 U")


@pytest.mark.parametrize(("seat", "winner"), [("first", "second"), ("second", "first")])
def test_a_player_who_resigns_loses_in_turn_or_not(seat: str, winner: str) -> None:
    position = game(4, ["R a1 U"]).play(seat, RESIGN)
    result = position.result()
    assert result is not None
    assert result.winners == {winner}
    assert position.legal_moves("first") == position.legal_moves("second") == []


# --- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("R c2 U", "On c2, a red block would touch another block of the same colour."),
        ("R d1 V", "On d1, a red block would touch another block of the same colour."),
        ("Y b2 H", "b2 is already taken."),
        ("Y a2 H", "b2 is already taken."),
        ("Y d1 H", "That’s off the board."),
        ("Y a4 V", "That’s off the board."),
        ("Y e1 U", "That’s off the board."),
        ("Y z99 U", "That’s off the board."),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(move: str, reason: str) -> None:
    position = game(4, ["R b2 U", "R d2 U"])
    before = position.view(None)
    with pytest.raises(IllegalMove) as refusal:
        position.play("first", move)
    assert str(refusal.value.text) == reason
    assert position.view(None) == before
    assert position.to_move() == {"first"}


def test_a_square_that_is_clicked_in_vain_is_taken_or_beside_a_block_of_the_colour() -> None:
    refusals = game(4, ["R a1 U"]).refusals("second", ("R",), ["a1", "b1"])
    assert str(refusals["a1"]) == str(messages.covered_already(CLICKED))
    assert str(refusals[OTHER_CELLS]) == str(messages.would_touch("R", CLICKED))
    assert "b1" not in refusals


@pytest.mark.parametrize(
    "move",
    [
        *[
            "",
            "R",
            "R b3",
            "R b3 D",
            "G b3 U",
            "r b3 u",
            "R B3 U",
            "R  b3 U",
            " R b3 U",
            "R b3 U\n",
        ],
        *["R b٣ U", "R b0 U", "R b03 U", "R ab U", "R b3 U U", "R,b3,U"],
    ],
)
def test_a_string_in_no_notation_is_refused(move: str) -> None:
    position = game()
    with pytest.raises(BadNotation):
        position.play("first", move)
    assert str(position.board) == str(game().board)


def test_the_seat_that_is_not_to_move_is_refused() -> None:
    with pytest.raises(NotYourTurn):
        game().play("second", "R a1 U")


# --- views -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "parts"),
    [
        ("R b2 U", {"b2": "upright"}),
        ("Y b2 H", {"b2": "left", "c2": "right"}),
        ("B b2 V", {"b2": "top", "b3": "bottom"}),
    ],
)
def test_the_view_names_the_parts_of_a_block(move: str, parts: dict[str, str]) -> None:
    position = game(4, [move])
    cells = [cell for row in position.view(None)["rows"] for cell in row]
    assert {cell["name"]: cell["part"] for cell in cells if cell["part"]} == parts
    assert {cell["colour"] for cell in cells if cell["part"]} == {move[0]}
    assert set(position.view(None)["last"]) == set(parts)


def test_the_label_of_an_empty_square_names_the_colours_that_fit() -> None:
    position = game(4, ["R a1 U", "Y b3 U"])
    assert cell_of(position, "b2")["allowed"] == ("B",)
    assert str(cell_of(position, "b2")["label"]) == "empty, only blue fits"
    assert cell_of(position, "c1")["allowed"] == ("R", "Y", "B")
    assert str(cell_of(position, "c1")["label"]) == "empty, any colour fits"


def test_no_colour_fits_on_a_covered_square() -> None:
    assert cell_of(game(4, ["R a1 U"]), "a1")["allowed"] == ()


def test_each_colour_shows_on_how_many_squares_it_fits() -> None:
    colours = game(4, ["R a1 U"]).view(None)["colours"]
    assert {colour["key"]: colour["squares"] for colour in colours} == {"R": 12, "Y": 15, "B": 15}


@pytest.mark.parametrize(
    ("move", "news"),
    [
        ("R b2 U", "First player puts a red block upright on b2."),
        ("B b2 V", "First player lays a blue block on b2 and b3."),
    ],
)
def test_the_events_describe_the_last_move(move: str, news: str) -> None:
    assert [str(line) for line in game(4, [move]).view(None)["events"]] == [news]


# --- clicks ------------------------------------------------------------------------------------


def test_a_colour_is_chosen_beside_the_board() -> None:
    steps = game().stage("first", ()).steps
    assert [(step.text, step.cell) for step in steps] == [("R", None), ("Y", None), ("B", None)]


def test_a_colour_that_fits_nowhere_is_not_offered() -> None:
    steps = game(4, NEARLY_OVER).stage("second", ()).steps
    assert [step.text for step in steps] == ["Y"]
    assert steps[0].effects == {"a2": "reach", "a4": "reach"}


def test_the_placements_are_offered_on_the_square_itself_to_its_right_and_below() -> None:
    steps = game().stage("first", ("R", "b2")).steps
    assert [(step.text, step.cell) for step in steps] == [("U", "b2"), ("H", "c2"), ("V", "b3")]


def test_a_block_is_not_laid_over_the_edge() -> None:
    steps = game().stage("first", ("R", "d4")).steps
    assert [step.text for step in steps] == ["U"]


def test_a_step_shows_the_squares_covered_and_newly_forbidden() -> None:
    position = game(4, ["R d4 U"])
    lying = position.stage("second", ("R", "a2")).steps[1]
    assert lying.effects == {
        "a2": "place",
        "b2": "place",
        **dict.fromkeys(["a1", "b1", "c1", "c2", "a3", "b3"], "halo"),
    }


def test_the_chosen_square_is_marked() -> None:
    assert game().stage("first", ("R", "b2")).marks == {"b2": "chosen"}


@pytest.mark.parametrize(
    "chosen",
    [("G",), ("R", "b2"), ("R", "z9"), ("R", "٣"), ("R", "d4", "U"), ("R", "d4", "U", "U")],
)
def test_steps_with_which_no_legal_move_begins_are_refused(chosen: tuple[str, ...]) -> None:
    with pytest.raises(IllegalMove):
        game(4, ["R b2 U"]).stage("second", chosen)


def test_a_seat_that_is_not_to_move_has_nothing_to_choose() -> None:
    with pytest.raises(IllegalMove):
        game().stage("second", ())


# --- properties --------------------------------------------------------------------------------


@st.composite
def positions(draw: st.DrawFn) -> HermitPosition:
    """Return a position of any size up to 6 somewhere in a game, its end included."""
    position = HermitPosition(draw(st.integers(2, 6)))
    for _ in range(draw(st.integers(0, 12))):
        for seat in position.to_move():
            position.play(seat, draw(st.sampled_from(position.legal_moves(seat))))
    return position


def as_strings(position: HermitPosition) -> Iterator[str]:
    for colour, (row, column), placement in position.board.possible_moves():
        yield f"{colour} {'abcdef'[column]}{row + 1} {placement}"


@given(positions())
def test_the_legal_moves_are_those_of_the_board(position: HermitPosition) -> None:
    moves = [move for seat in position.to_move() for move in position.legal_moves(seat)]
    assert sorted(moves) == sorted(as_strings(position))


@given(positions(), st.data())
def test_the_stages_offer_the_next_steps_of_the_legal_moves(
    position: HermitPosition, data: st.DataObject
) -> None:
    for seat in position.to_move():
        move = data.draw(st.sampled_from(position.legal_moves(seat))).split()
        for length in range(3):
            offered = [step.text for step in position.stage(seat, move[:length]).steps]
            assert offered == next_steps(position.legal_moves(seat), move[:length])


@given(positions())
def test_the_game_is_over_exactly_when_no_block_fits(position: HermitPosition) -> None:
    assert (position.result() is None) == bool(position.board.possible_moves())


@given(positions())
def test_a_copy_plays_on_alone(position: HermitPosition) -> None:
    before = position.view(None)
    twin = position.copy()
    assert twin.view(None) == before
    for seat in twin.to_move():
        twin.play(seat, twin.legal_moves(seat)[0])
        assert position.to_move() == {seat}
    assert position.view(None) == before


def test_every_example_of_the_rules_page_can_be_shown() -> None:
    for example in RULES.examples.values():
        position = RULES.start(example.setup)
        for seat, move in example.moves:
            position.play(seat, move)
        assert example_board(RULES, example).chosen == example.chosen
        assert isinstance(example.caption, Text)


@pytest.mark.parametrize("typed", ["G a1 U", "g a1 u", "Y a1 U", " y  a1 U"])
def test_yellow_can_be_typed_by_the_letter_on_its_dutch_block(typed: str) -> None:
    assert normalize_move(HermitPosition(4), "first", typed) == "Y a1 U"


def test_a_square_in_column_g_is_no_colour() -> None:
    assert normalize_move(HermitPosition(8), "first", "r g3 u") == "R g3 U"


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_a_transcript_comes_back_on_a_board_of_its_size(size: int) -> None:
    position, rng = HermitPosition(size), Random(size)
    moves: list[str] = []
    while seats := position.to_move():
        moves.append(rng.choice([*position.legal_moves(min(seats))]))
        position.play(min(seats), moves[-1])
    assert RULES.transcript
    heading = RULES.transcript.heading({"size": size})
    (game,) = read_games(heading + RULES.transcript.write(moves))
    assert game.record.setup == {"size": size}
    assert [move for _seat, move in game.record.moves] == moves
    assert game.standing.result
