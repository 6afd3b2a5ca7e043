"""Transcripts of Othello games."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.contract import RESIGN, BadNotation
from games.othello.position import OthelloPosition
from games.othello.transcript import format_transcript, parse_transcript
from tests.support.repeats import examples

# On 4 x 4: after d2 black has no move and white goes on; after a2 neither side has one.
BLACK_IS_PASSED = "c4d4b1b4d3d2"
ENDS_WITH_EMPTIES = BLACK_IS_PASSED + "a2"


@pytest.mark.parametrize(
    "written",
    [
        "f5d6c3d3c4",
        "F5D6C3D3C4",
        "f5 d6 c3 d3 c4",
        " F5,d6;\n c3\td3 C4 ",
        "1. f5 d6 2. c3 d3 3. c4",
        "1.f5 2.d6 3.c3 4.d3 5.c4",
        "1 f5 2 d6 3 c3 4 d3 5 c4",
        "1) f5 1... d6 2) c3 2... d3 3) c4",
        "f5-d6-c3-d3-c4",
        "f5/d6/c3/d3/c4",
        "“f5d6c3d3c4”",
        "\ufefff5d6\u200bc3d3c4",
        "1. f5! d6? 2. c3 {a usual answer: d3} d3!? 3. c4 *",
        "f5d6c3d3c4 33-31",
        "f5d6c3d3c4 33 - 31\n",
        "1. f5 d6 2. c3 d3 3. c4 1-0",
        "f5 (f4) d6 c3 d3 c4",
        "f5 d6 [c5 (b4) b3] c3 d3 c4",
        "1. f5 (1. f4 f3 (1... d3) 2. f2) 1... d6 2. c3 (2. c4) d3 3. c4",
        "(f5 d6 c3 d3 c4)",
        '[Event "A club, 5-3"]\n[Black "d6"]\n\n1. f5 d6 2. c3 d3 3. c4 1/2-1/2\n',
    ],
)
def test_a_transcript_is_read_however_it_is_spaced_and_numbered(written: str) -> None:
    assert parse_transcript(written) == ["f5", "d6", "c3", "d3", "c4"]


def test_an_empty_transcript_has_no_moves() -> None:
    assert parse_transcript(" \n") == []


@pytest.mark.parametrize(
    "written",
    [
        *("", "--", " PA ", "ps", " -- ", "pass ", "pas", "(pass)", " Passe ", " passt, ", " P "),
        *(
            " - ",
            " – ",
            "——",
            " P@ ",
            "@@",
            "@@@@",
            " PP ",
            "*pass*",
            " 7. pass ",
            "paso ",
            " past ",
        ),
        *(" passes ", " パス "),
    ],
)
def test_a_pass_can_be_written_or_left_out(written: str) -> None:
    moves = parse_transcript(f"{BLACK_IS_PASSED}{written}a2", 4)
    assert moves == ["c4", "d4", "b1", "b4", "d3", "d2", "a2"]


@pytest.mark.parametrize("written", ["--", " -- --", "papa", " 8. pass\n"])
def test_passes_after_the_end_are_ignored(written: str) -> None:
    assert parse_transcript(ENDS_WITH_EMPTIES + written, 4)[-1] == "a2"


@pytest.mark.parametrize(
    ("written", "size", "message"),
    [
        ("f5d6c3d3a1", 8, "Move 5, “a1”: a1 is not a legal move: it flips nothing."),
        ("f5 F5", 8, "Move 2, “f5”: There’s already a disc on f5."),
        ("f5 d10", 8, "Move 2, “d10”: d10 is off the board."),
        ("f5 hello", 8, "Move 2, “hello”: “hello” is not a square."),
        ("f5 ٣", 8, "Move 2, “٣”: “٣” is not a square."),
        ("f5 f06", 8, "Move 2, “f06”: “f06” is not a square."),
        ("f5 resign", 8, "Move 2, “resign”: “resign” is not a square."),
        ("f5 33-31 d6", 8, "Move 2, “-31”: “-31” is not a square."),
        ("f5 {d6", 8, "Move 2, “{d6”: “{d6” is not a square."),
        ("f5--d6", 8, "Move 2, “--”: Nobody has to pass here."),
        ("pa f5", 8, "Move 1, “pa”: Nobody has to pass here."),
        (BLACK_IS_PASSED + "----a2", 4, "Move 7, “--”: Nobody has to pass here."),
        (ENDS_WITH_EMPTIES + "a1", 4, "Move 8, “a1”: The game is over."),
        (ENDS_WITH_EMPTIES + "----a1", 4, "Move 8, “a1”: The game is over."),
    ],
)
def test_the_first_wrong_move_of_a_transcript_is_named(
    written: str, size: int, message: str
) -> None:
    with pytest.raises(BadNotation) as refusal:
        parse_transcript(written, size)
    assert str(refusal.value) == message


def test_a_resignation_is_left_out_of_a_transcript() -> None:
    assert format_transcript(["f5", "d6", RESIGN]) == "f5d6"


@given(st.sampled_from([4, 6, 8, 10, 26]), st.randoms(use_true_random=False), st.integers(0, 60))
def test_a_written_game_is_read_back(size: int, rng: Random, plies: int) -> None:
    position = OthelloPosition(size)
    moves: list[str] = []
    while position.to_move() and len(moves) < plies:
        (seat,) = position.to_move()
        moves.append(rng.choice(position.legal_moves(seat)))
        position.play(seat, moves[-1])
    assert parse_transcript(format_transcript(moves), size) == moves


@settings(max_examples=examples(200))
@given(st.text(alphabet='abcdefgh12345678-. pas\n٣{}[]"/(!', max_size=30))
def test_any_text_is_either_a_game_or_refused(written: str) -> None:
    try:
        moves = parse_transcript(written)
    except BadNotation:
        return
    position = OthelloPosition(8)
    for move in moves:
        (seat,) = position.to_move()
        position.play(seat, move)
