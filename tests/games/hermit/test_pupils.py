"""Classes of pupils, and the sentences about them."""

from __future__ import annotations

import ast
import re

import pytest

from games.classes.recording import find_exercise, read_record
from games.classes.sentences import sentence
from games.hermit.engine import covered
from tests.support.pupils import compare, pupil, shown


def test_a_move_that_does_not_return_the_board_is_named() -> None:
    source = pupil("hermit").replace("        return self\n", "")
    assert shown("hermit", source).code == "not_itself"
    found = [report.code for report in compare("hermit", source)[1:] if report]
    assert set(found) == {"not_itself"}


def test_a_refusal_of_another_type_is_named() -> None:
    source = pupil("hermit").replace(
        'assert self.isvalid(colour, each), "invalid move"',
        'if not self.isvalid(colour, each): raise ValueError("invalid move")',
    )
    found = shown("hermit", source)
    assert found.code == "wrong_error"
    assert "ValueError: invalid move" in str(sentence(found.to_json()))


def test_an_error_is_shown_with_its_line() -> None:
    source = pupil("hermit").replace("        r, c = cell\n", "        r, c = cell.pair\n", 1)
    found = shown("hermit", source).to_json()
    assert found["code"] == "raised"
    assert source.splitlines()[int(str(found["line"])) - 1].strip() == "r, c = cell.pair"


def test_a_trailing_space_is_named_as_such() -> None:
    source = pupil("hermit").replace('" ".join(row)', '" ".join(row) + " "')
    assert shown("hermit", source).code == "trailing_space"


def test_a_question_that_changes_the_board_is_found() -> None:
    source = pupil("hermit").replace(
        "        moves = set()\n", "        moves = set()\n        self.rows[0][0] = 'R'\n"
    )
    assert any(report and report.code == "changed" for report in compare("hermit", source))


def test_a_set_shows_what_is_missing() -> None:
    source = pupil("hermit").replace('in "RYB"', 'in "RY"')
    found = shown("hermit", source).to_json()
    assert found["code"] == "set"
    assert str(found["missing"]).startswith("('B', (0, 0), ")


def test_a_frozen_set_is_a_set() -> None:
    source = pupil("hermit").replace("        return moves\n", "        return frozenset(moves)\n")
    assert not any(compare("hermit", source))


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        ("class Hermiet:\n    pass\n", "no_class", "Hermiet"),
        ("x = 1\n", "no_class", "no other class"),
        ("class Hermit:\n    def f(:\n", "syntax", "line 2"),
        ("import nothing_of_this_name\n", "module", "nothing_of_this_name"),
        ("1 / 0\n", "load", "ZeroDivisionError"),
        ("raise SystemExit\n", "load", "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_played_is_explained(source: str, code: str, words: str) -> None:
    found = shown("hermit", source)
    assert found.code == code
    assert words in str(sentence(found.to_json()))


def test_a_syntax_error_has_a_caret() -> None:
    found = shown("hermit", "class Hermit:\n    def f(:\n").to_json()
    assert found["text"] == "    def f(:"
    assert str(found["caret"]).rstrip("^").isspace()


def test_an_endless_recursion_is_an_error_of_the_class() -> None:
    source = "class Hermit:\n    def __init__(self, n):\n        self.__init__(n)\n"
    found = shown("hermit", source).to_json()
    assert "RecursionError" in str(found["error"])


CALL = re.compile(r"^\w+\.(\w+)\((.+)\)$")


@pytest.mark.parametrize("exercise", ["hermit", "kluizenaar"])
def test_the_recorded_runs_ask_nothing_that_the_document_leaves_open(exercise: str) -> None:
    for run in read_record(*find_exercise(exercise))["runs"][1:]:
        n, board = int(re.findall(r"\d+", run["steps"][0][0])[0]), ""
        inside = {(r, c) for r in range(n) for c in range(n)}
        for line, _answer, *changed in run["steps"]:
            call = CALL.match(line)
            method, *given = [call[1], *ast.literal_eval(f"({call[2]},)")] if call else [""]
            cell = next((value for value in given if isinstance(value, tuple)), None)
            assert cell in {*inside, None} or method == "isgeldig", line
            if method == "positions":
                assert all(inside_and_free(board, at) for at in covered(*given)), line
            board = changed[0] if changed else board


def inside_and_free(board: str, cell: tuple[int, int]) -> bool:
    rows = [line.split() for line in board.splitlines()]
    return max(cell) < len(rows) and rows[cell[0]][cell[1]] == "."
