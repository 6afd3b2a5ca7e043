"""The coach's sentences on costly moves of Othello."""

from __future__ import annotations

import re
from random import Random

import pytest

from games.contract import MoveValue, Text, parse_cell, text
from games.othello.computer import evaluate
from games.othello.position import OthelloPosition
from games.othello.reasons import explain
from tests.games.othello.positions import Discs

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
            "h8 lets Black answer d[12], which g2 rules out\\.",
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


def test_of_moves_that_differ_at_the_end_alone_the_discs_are_told() -> None:
    discs = "....NNN.N..BBB.BNNBBBBBBNBNBNBBBNBBNNBBBNNBBNBBB..NNNBBB..N.NB.B"
    position = OthelloPosition.of_setup({"size": 8, "discs": discs, "turn": "black"})
    reason = explain(position, "c2", "d1", evaluate(position))
    sentence = "With best play Black has b8, c8, .* in the end after c2, and not after d1."
    assert re.fullmatch(sentence, str(reason and reason.sentence))


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


def moves_of(board: Discs, side: int) -> set[str]:
    return {board.names[at] for at in range(64) if not board.squares[at] and board.flips(at, side)}


def frontier(board: Discs, side: int) -> int:
    """Return how many discs of a side have an empty square beside them."""
    places = [parse_cell(name) for name in board.names]
    free = [place for place, disc in zip(places, board.squares, strict=True) if not disc]
    return sum(
        any(max(abs(row - r), abs(column - c)) == 1 for r, c in free)
        for (row, column), disc in zip(places, board.squares, strict=True)
        if disc == side
    )


def are_safe(position: OthelloPosition, cells: list[str], rng: Random) -> bool:
    """Return whether discs keep their colour in games at random from a position."""
    places = [parse_cell(cell) for cell in cells]
    colours = [position.board.at(place) for place in places]
    for _ in range(10):
        later = position.copy()
        while seats := later.to_move():
            later.play(min(seats), rng.choice(later.legal_moves(min(seats))))
            if [later.board.at(place) for place in places] != colours:
                return False
    return None not in colours


def is_true(sentence: Text, before: OthelloPosition, best: str, played: str) -> bool | None:
    """Return whether a sentence that the board alone proves is true; None for another one."""
    (seat,) = before.to_move()
    side, params, message = (1 if seat == "black" else -1), sentence.params, sentence.message
    good, bad = (before.copy().play(seat, move) for move in (best, played))
    reply, after_best, after_played = params.get("reply"), Discs(good), Discs(bad)
    if "safe for good" in message:
        opponent = {"black": "white", "white": "black"}[seat]
        position = bad.copy().play(opponent, str(reply)) if reply else good
        return are_safe(position, str(params["cells"]).split(", "), Random(1))
    if "rules out" in message or "takes the square" in message:
        return reply in moves_of(after_played, -side) - moves_of(after_best, -side)
    if "The computer answers" in message:
        return reply in moves_of(after_played, -side)
    if "The answer %(reply)s turns" in message:
        at = after_best.names.index(str(reply))
        found = [len(board.flips(at, -side)) for board in (after_played, after_best)]
        return found == [params["many"], params["n"]]
    if "leaves %(opponent)s" in message and "more" in params:
        fewer = moves_of(after_best, -side)
        told = set(str(params["cells"]).split(", ")) if "cells" in params else None
        is_right = fewer == told if told else len(fewer) == params["fewer"]
        return is_right and len(moves_of(after_played, -side)) == params["more"]
    if "that is impossible" in message:
        told = set(str(params["cells"]).split(", "))
        return told == moves_of(after_played, -side) - moves_of(after_best, -side)
    if "discs beside empty squares" in message:
        return [frontier(board, side) for board in (after_played, after_best)] == [
            params["many"],
            params["few"],
        ]
    if "next to the empty corner" in message:
        ways = zip(parse_cell(played), parse_cell(str(params["corner"])), strict=True)
        is_free = not before.board.at(parse_cell(str(params["corner"])))
        return is_free and max(abs(a - b) for a, b in ways) == 1
    return is_true_of_moves(sentence, before, best, played)


def is_true_of_moves(
    sentence: Text, before: OthelloPosition, best: str, played: str
) -> bool | None:
    """Return whether a sentence on the moves of both sides is true; None for another one."""
    (seat,) = before.to_move()
    side, params, message = (1 if seat == "black" else -1), sentence.params, sentence.message
    board, after_best, after_played = (
        Discs(before.copy().play(seat, move) if move else before) for move in ("", best, played)
    )
    if "open for" in message:
        told = set(str(params["cells"]).split(", "))
        return told <= moves_of(after_best, side) - moves_of(after_played, side)
    if "so it could wait" in message:
        theirs = moves_of(board, -side)
        return played not in theirs and best in theirs
    if "fewer discs leave more moves" in message:
        found = [len(board.flips(board.names.index(m), side)) for m in (played, best)]
        return found == [params["many"], params["n"]]
    if "wins the corner" in message and "reply" in params:
        opponent = {"black": "white", "white": "black"}[seat]
        later = before.copy().play(seat, played).play(opponent, str(params["reply"]))
        answers = [later.copy().play(seat, move) for move in later.legal_moves(seat)]
        return all(params["corner"] in after.legal_moves(opponent) for after in answers)
    return None


def test_sentences_on_squares_are_true_on_the_board() -> None:
    rng, told = Random(3), set()
    for _ in range(30):
        position = OthelloPosition(8)
        for _ in range(rng.randint(44, 54)):
            if seats := position.to_move():
                position.play(min(seats), rng.choice(position.legal_moves(min(seats))))
        if not (seats := position.to_move()):
            continue
        moves = [*position.legal_moves(min(seats))]
        for best, played in [rng.sample(moves, 2) for _ in range(4) if len(moves) > 1]:
            values = {move: MoveValue(value=0, shown=text("none")) for move in moves}
            reason = explain(position, best, played, values)
            is_answered = position.copy().play(min(seats), played).to_move() not in (seats, set())
            assert reason or not is_answered
            true = reason and is_true(reason.sentence, position, best, played)
            assert true is not False, (str(reason and reason.sentence), best, played)
            if reason and true:
                told.add(reason.sentence.message)
    assert len(told) > 4
