"""Othello on the site: its rules behind the contract."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import (
    RESIGN,
    BadNotation,
    BadSetup,
    GameOver,
    IllegalMove,
    NotYourTurn,
    Position,
    Text,
    normalize_move,
)
from games.othello.position import LOUD, OthelloPosition
from games.othello.rules import RULES
from games.presentation.board import example_board

# On 4 x 4: after d2 black has no move and white goes on; after a2 neither side has one.
BLACK_IS_PASSED = "c4d4b1b4d3d2"
ENDS_WITH_EMPTIES = BLACK_IS_PASSED + "a2"
FULL_AND_WHITE_WINS = BLACK_IS_PASSED + "a1a2c1d1a3a4"
FULL_AND_DRAWN = BLACK_IS_PASSED + "c1d1a2a4a3a1"

# On 6 x 6, with two squares that neither can use.
DRAWN_WITH_EMPTIES = "b3b2b1a1e4c1c2b4a3f4d5c6a4d2e6d6e2c5f5a2b6a5f3e3f2e5b5e1d1f1"


def after(transcript: str = "", size: int = 8) -> OthelloPosition:
    position = RULES.start({"size": size})
    assert isinstance(position, OthelloPosition)
    for i in range(0, len(transcript), 2):
        (seat,) = position.to_move()
        position.play(seat, transcript[i : i + 2])
    return position


def news(position: OthelloPosition) -> list[str]:
    return [str(sentence) for sentence in position.view(None)["events"]]


def as_json(position: OthelloPosition) -> str:
    return json.dumps(position.view(None), default=Text.to_json, sort_keys=True)


# --- set-up --------------------------------------------------------------------------------


def test_black_and_white_sit_at_the_table() -> None:
    seats = RULES.seats(RULES.clean({}))
    assert [(seat.key, str(seat.name)) for seat in seats] == [
        ("black", "Black"),
        ("white", "White"),
    ]


def test_the_board_has_eight_squares_a_side_unless_asked_otherwise() -> None:
    assert RULES.deal(RULES.clean({}), Random(0)) == {"size": 8}


@pytest.mark.parametrize("size", range(4, 27, 2))
def test_every_even_size_from_4_to_26_can_be_set_up(size: int) -> None:
    position = RULES.start(RULES.deal(RULES.clean({"size": str(size)}), Random(0)))
    rows = position.view(None)["rows"]
    assert (len(rows), {len(row) for row in rows}) == (size, {size})
    assert len(list(position.legal_moves("black"))) == 4


@pytest.mark.parametrize("size", ["3", "7", "2", "0", "-1", "28", "1000000", "٨", "8.0", "", True])
def test_other_sizes_are_refused(size: object) -> None:
    with pytest.raises(BadSetup) as refusal:
        RULES.clean({"size": size})
    assert refusal.value.option == "size"


def test_all_squares_of_the_largest_board_have_names_that_can_be_played() -> None:
    position = OthelloPosition(26)
    assert list(position.legal_moves("black")) == ["m12", "l13", "o14", "n15"]
    assert position.play("black", "o14").view(None)["rows"][25][25]["name"] == "z26"


# --- moves ---------------------------------------------------------------------------------


def test_the_legal_moves_are_names_of_squares() -> None:
    assert after().legal_moves("black") == ["d3", "c4", "f5", "e6"]


def test_the_seat_that_is_not_to_move_has_no_legal_moves() -> None:
    assert after().legal_moves("white") == []
    assert after().legal_moves("nobody") == []


def test_a_seat_without_a_move_is_passed_over() -> None:
    position = after(BLACK_IS_PASSED, 4)
    assert position.to_move() == {"white"}
    assert position.view(None)["passed"] == "black"


def test_a_pass_is_forgotten_after_the_next_move() -> None:
    position = after(BLACK_IS_PASSED + "a1", 4)
    assert position.view(None)["passed"] is None
    assert len(news(position)) == 1


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("d4", "There’s already a disc on d4."),
        ("a1", "a1 is not a legal move: it flips nothing."),
        ("i1", "i1 is off the board."),
        ("a9", "a9 is off the board."),
        ("z99", "z99 is off the board."),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(move: str, sentence: str) -> None:
    position = after()
    before = as_json(position)
    with pytest.raises(IllegalMove) as refusal:
        position.play("black", move)
    assert str(refusal.value) == sentence
    assert as_json(position) == before


@pytest.mark.parametrize("typed", ["A1", "D4", "Z9"])
def test_a_square_in_capitals_is_refused_for_its_fault(typed: str) -> None:
    position = after()
    refused = {}
    for letters in (typed, typed.lower()):
        with pytest.raises((BadNotation, IllegalMove)) as info:
            position.play("black", normalize_move(position, "black", letters))
        refused[letters] = str(info.value.text)
    assert refused[typed] == refused[typed.lower()]


@pytest.mark.parametrize(
    "move", ["", " ", "F5", "f5 ", " f5", "f05", "f0", "f-1", "5f", "ff", "f5d6", "٣", "f٥", "pass"]
)
def test_a_string_that_is_no_square_is_refused_as_notation(move: str) -> None:
    position = after()
    before = as_json(position)
    with pytest.raises(BadNotation):
        position.play("black", move)
    assert as_json(position) == before


@pytest.mark.parametrize("move", ["pass", "Pass", "pas"])
def test_a_typed_pass_is_refused_since_passes_are_automatic(move: str) -> None:
    with pytest.raises(BadNotation) as refused:
        after().play("black", move)
    assert "You never need to pass" in str(refused.value)


@pytest.mark.parametrize("seat", ["white", "nobody", "", "N"])
def test_only_the_seat_to_move_can_move(seat: str) -> None:
    with pytest.raises(NotYourTurn):
        after().play(seat, "f5")


def test_the_player_who_was_passed_over_cannot_move() -> None:
    with pytest.raises(NotYourTurn):
        after(BLACK_IS_PASSED, 4).play("black", "a1")


def test_a_copy_is_independent() -> None:
    position = after("f5d6")
    twin = position.copy()
    before = as_json(position)
    assert as_json(twin) == before
    twin.play("black", "c3")
    assert as_json(position) == before != as_json(twin)


# --- the end -------------------------------------------------------------------------------


def reason(position: Position) -> tuple[set[str], str]:
    result = position.result()
    assert result is not None
    return set(result.winners), str(result.reason)


def test_there_is_no_result_before_the_end() -> None:
    position = after(BLACK_IS_PASSED, 4)
    assert position.result() is None
    assert position.view(None)["score"] is None


def test_most_discs_win_on_a_full_board() -> None:
    position = after(FULL_AND_WHITE_WINS, 4)
    assert reason(position) == ({"white"}, "White wins 12–4.")
    assert news(position)[-1] == "The board is full."


def test_empty_squares_go_to_the_winner() -> None:
    position = after(ENDS_WITH_EMPTIES, 4)
    assert reason(position) == (
        {"white"},
        "White wins 10–1. The 5 empty squares go to the winner: official score 15–1.",
    )
    view = position.view(None)
    assert view["counts"] == {"black": 1, "white": 10}
    assert view["score"] == {"black": 1, "white": 15}


def test_one_empty_square_is_singular() -> None:
    position = after("d3d2d1b4a2b1a4d4c4a1c1", 4)
    assert reason(position) == (
        {"black"},
        "Black wins 14–1. The empty square goes to the winner: official score 15–1.",
    )


def test_equal_numbers_of_discs_make_a_draw() -> None:
    assert reason(after(FULL_AND_DRAWN, 4)) == (set(), "Draw: 8 discs each.")


def test_the_empty_squares_of_a_draw_are_shared() -> None:
    position = after(DRAWN_WITH_EMPTIES, 6)
    assert reason(position) == (
        set(),
        "Draw: 17 discs each. The empty squares are shared: official score 18–18.",
    )
    assert position.view(None)["score"] == {"black": 18, "white": 18}


def test_nothing_can_be_played_after_the_end() -> None:
    position = after(ENDS_WITH_EMPTIES, 4)
    assert position.to_move() == frozenset()
    for move in ("a1", RESIGN):
        with pytest.raises(GameOver):
            position.play("white", move)


@pytest.mark.parametrize(("seat", "winner"), [("black", "white"), ("white", "black")])
def test_either_can_resign_at_any_time(seat: str, winner: str) -> None:
    position = after("f5d6").play(seat, RESIGN)
    assert reason(position) == ({winner}, f"{seat.title()} resigned.")
    assert position.to_move() == frozenset()
    assert position.legal_moves("black") == position.legal_moves("white") == []
    assert position.view(None)["score"] is None
    assert news(position) == [f"{seat.title()} resigned."]


def test_only_a_player_can_resign() -> None:
    position = after()
    with pytest.raises(IllegalMove):
        position.play("nobody", RESIGN)
    assert position.result() is None


# --- views -----------------------------------------------------------------------------------


def test_the_view_has_a_label_for_every_square() -> None:
    rows = after().view("black")["rows"]
    assert (rows[0][0]["name"], rows[7][7]["name"]) == ("a1", "h8")
    squares = {square["name"]: square for row in rows for square in row}
    shown = {
        name: (squares[name]["disc"], str(squares[name]["label"])) for name in ("d4", "e4", "a1")
    }
    assert shown == {
        "d4": ("white", "white disc"),
        "e4": ("black", "black disc"),
        "a1": (None, "empty"),
    }


def test_players_and_spectators_see_the_same() -> None:
    position = after("f5d6")
    assert position.view("black") == position.view("white") == position.view(None)


def test_the_events_describe_the_move_and_its_number_of_flips() -> None:
    assert news(after()) == []
    assert news(after("c4e3f6c6e2f3g4f5e6")) == ["Black plays e6 and flips 4 discs."]


def test_the_events_describe_a_pass_and_its_reason() -> None:
    assert news(after(BLACK_IS_PASSED, 4)) == [
        "White plays d2 and flips 2 discs.",
        "Black has no legal move and passes.",
    ]


def test_the_events_say_that_neither_can_move() -> None:
    assert news(after(ENDS_WITH_EMPTIES, 4)) == [
        "White plays a2 and flips 3 discs.",
        "Neither player can move.",
    ]


def test_the_last_move_is_the_square_and_its_flips() -> None:
    view = after("f5d6").view(None)
    placed = [cell["name"] for row in view["rows"] for cell in row if cell["placed"]]
    assert (placed, view["last"]) == (["d6"], ["d6", "d5"])
    assert after().view(None)["last"] == []


def test_each_legal_square_can_be_chosen_and_shows_its_flips() -> None:
    stage = after("c4e3f6c6e2f3g4f5").stage("black", ())
    step = next(step for step in stage.steps if step.text == "e6")
    assert str(step.label) == "Play e6 and flip 4 discs"
    assert str(step.short) == "Flip 4 discs"
    assert step.cell == "e6"
    assert step.effects == dict.fromkeys(("e4", "d5", "e5", "f5"), "flip") | {"e6": "place"}


@pytest.mark.parametrize(
    ("seat", "chosen"),
    [
        ("black", ("a1",)),
        ("black", ("f5",)),
        ("black", ("f5", "f5")),
        ("white", ()),
        ("nobody", ()),
    ],
)
def test_a_step_with_which_no_legal_move_begins_cannot_be_chosen(
    seat: str, chosen: tuple[str, ...]
) -> None:
    with pytest.raises(IllegalMove):
        after().stage(seat, chosen)


@given(st.sampled_from([4, 6, 8]), st.randoms(use_true_random=False))
def test_a_step_marks_exactly_the_changes_of_its_move(size: int, rng: Random) -> None:
    position = OthelloPosition(size)
    while position.to_move():
        (seat,) = position.to_move()
        step = rng.choice(position.stage(seat, ()).steps)
        before = {
            square["name"]: square["disc"] for row in position.view(None)["rows"] for square in row
        }
        position.play(seat, step.text)
        view = position.view(None)
        now = {square["name"]: square["disc"] for row in view["rows"] for square in row}
        changed = {name for name in now if now[name] != before[name]}
        assert changed == set(step.effects) == set(view["last"])


@pytest.mark.parametrize("name", RULES.examples)
def test_every_picture_of_the_rules_page_can_be_drawn(name: str) -> None:
    example = RULES.examples[name]
    board = example_board(RULES, example)
    assert board.chosen == example.chosen
    assert bool(board.confirm) == bool(example.chosen)


def test_the_pictures_show_a_pass_and_an_end_with_empty_squares() -> None:
    shown: dict[str, Position] = {}
    for name, example in RULES.examples.items():
        shown[name] = RULES.start(example.setup)
        for seat, move in example.moves:
            shown[name].play(seat, move)
    assert shown["pass"].view(None)["passed"] == "black"
    assert reason(shown["end"])[0] == {"white"}
    assert sum(shown["end"].view(None)["counts"].values()) < 16


def test_the_winners_discs_are_shown_at_the_end_alone() -> None:
    end = RULES.start(RULES.examples["end"].setup)
    for seat, move in RULES.examples["end"].moves:
        assert end.view(None)["winning"] == []
        end.play(seat, move)
    view = end.view(None)
    discs = {square["name"]: square["disc"] for row in view["rows"] for square in row}
    assert view["winning"] == [name for name, disc in discs.items() if disc == "white"]


def test_a_move_that_flips_many_discs_sounds_like_a_capture() -> None:
    position = OthelloPosition(8)
    sounds = set()
    rng = Random(1)
    while position.to_move():
        (seat,) = position.to_move()
        position.play(seat, rng.choice(sorted(position.legal_moves(seat))))
        view = position.view(None)
        sounds.add((len(view["last"]) > LOUD, view["sound"]))
    assert sounds == {(False, "move"), (True, "capture")}
