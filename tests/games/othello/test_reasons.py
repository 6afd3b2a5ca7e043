"""The coach's sentences on costly moves of Othello."""

from __future__ import annotations

import re

import pytest

from games.othello.computer import evaluate
from games.othello.position import OthelloPosition
from games.othello.reasons import explain

# Each with the seat to move, the better and the played move, and the sentence.
CORNER = """
........
..BBB.BN
.BBBBBNN
N.BBBNBN
NBBBNNBN
NNBBNNBN
..NNBBNN
..NNNNNN"""
WITHOUT_A_MOVE = """
NNB.B..N
NNBBBBNB
NNBNNNBB
NBBNNBNB
NBBNBNBB
N.BNBNB.
N.BBNNBB
..BBBNNN"""
SOLVED = """
.....BNB
....BN.B
N..NNBNB
N..NNBNB
NNNNBBNB
.NBBBBNB
BBBBBBN.
BBBBBBB."""


@pytest.mark.parametrize(
    ("board", "best", "played", "sentence"),
    [
        (CORNER, "b7", "b8", "b8 lets Black take the corner a8."),
        (WITHOUT_A_MOVE, "g1", "f1", "After f1 Black answers d1, and White has to pass."),
        (
            SOLVED,
            "g2",
            "h8",
            "With best play g2 ends \\+62 discs and h8 \\+60 discs, after the answer d[12]\\.",
        ),
    ],
)
def test_a_costly_move_has_a_reason(board: str, best: str, played: str, sentence: str) -> None:
    discs = board.replace("\n", "")
    position = OthelloPosition.of_setup({"size": 8, "discs": discs, "turn": "white"})
    values = evaluate(position)
    reason = explain(position, best, played, values)
    # The squares d1 and d2 are equal answers, of which the search takes the first that it meets.
    assert re.fullmatch(sentence, str(reason and reason.sentence))
    assert reason and reason.names_best == (best in sentence)


def test_a_taken_corner_is_not_called_lost_again() -> None:
    """A sentence on a corner would be wrong if the played move took it."""
    discs = "BBBBBBBBBNNNNBBNBNBBNBBBBBBBNNBBBBBBNNNB.NNNNBBB...NNNBB...B.N.."
    position = OthelloPosition.of_setup({"size": 8, "discs": discs, "turn": "black"})
    reason = explain(position, "a6", "h8", evaluate(position))
    assert "h8: White" not in str(reason and reason.sentence)


def test_estimates_look_different_from_solved_values() -> None:
    first = evaluate(OthelloPosition(8))
    assert {str(value.shown)[0] for value in first.values()} == {"≈"}
    solved = evaluate(OthelloPosition(4))
    assert not any("≈" in str(value.shown) for value in solved.values())
