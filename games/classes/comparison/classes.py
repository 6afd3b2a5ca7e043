"""The comparison of a class with the runs of a record.

A run is a list of steps ``[line, answer]`` or ``[line, answer, board]``, with the board if it has
changed; `games.classes.recording` makes them. The first character of an answer is its kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from games.classes.comparison.differences import Difference, text_difference
from games.classes.comparison.playing import Answer, Plays

MAKES = "*"  # the line makes the board
VALUE = "="  # it returns a value, of which the repr follows
ITSELF = ":"  # it returns the board itself
REFUSES = "!"  # it raises an AssertionError with the message that follows
PRINTS = ">"  # it prints the text that follows

_WITHOUT_STR = re.compile(r"<[\w.<>]+ object at 0x[0-9a-f]+>")
_NO_LITERAL = object()


def class_plays(number: int, steps: list[list[str]], board: str) -> Plays:
    """Compare a run of a class, and leave out lines before its difference that leave a right board
    as it is."""
    difference = class_difference(steps, board, (yield _lines(steps)))
    if difference is None:
        return None
    kept = steps[: difference.step + 1]
    fewer = [step for step in kept[:-1] if not is_question(step, board)] + kept[-1:]
    again = _at_the_end(fewer, class_difference(fewer, board, (yield _lines(fewer))))
    if again:
        kept, difference = fewer, again
    for place in range(len(kept) - 2, 0, -1):
        if is_question(kept[place], board):
            fewer = kept[:place] + kept[place + 1 :]
            again = _at_the_end(fewer, class_difference(fewer, board, (yield _lines(fewer))))
            if again:
                kept, difference = fewer, again
    difference.run = number
    return difference


def _lines(steps: list[list[str]]) -> list[str]:
    return [step[0] for step in steps]


def _at_the_end(steps: list[list[str]], found: Difference | None) -> Difference | None:
    return found if found and found.step == len(steps) - 1 else None


def class_difference(
    steps: list[list[str]], board: str, answers: Iterable[Answer]
) -> Difference | None:
    """Return the first difference between steps and the answers to their lines, which may end
    early. No line after it is played."""
    shown = ""
    for place, (step, answer) in enumerate(zip(steps, answers, strict=False)):
        before, shown = shown, step[2] if len(step) > 2 else shown
        difference = _in_answer(step, answer, board) or _in_board(
            step, answer, board, before == shown, shown
        )
        if difference:
            difference.step = place
            difference.lines = _lines(steps[: place + 1])
            difference.expected_board = shown
            difference.own_board = str(answer.get("board", ""))
            return difference
    return None


def _in_answer(step: list[str], answer: Answer, board: str) -> Difference | None:
    """Return how the answer to a line differs from the recorded one."""
    kind, expected = step[1][0], step[1][1:]
    if "error" in answer:
        return _raised(answer, kind, expected)
    if kind == MAKES:
        return None
    if kind == REFUSES:
        return Difference("not_refused", message=expected, got=answer["got"])
    nothing = answer.get("value") == "None"
    if kind == ITSELF or (kind == PRINTS and nothing):
        if answer.get("itself"):
            return None
        return Difference("not_itself", name=board, got=answer["got"])
    if kind == PRINTS:
        return text_difference(expected, answer["text"])
    return _value_difference(expected, answer)


def _raised(answer: Answer, kind: str, expected: str) -> Difference | None:
    error = {"error": answer["error"], "line": answer["line"]}
    if kind == MAKES:
        return Difference("not_made", **error)
    if kind != REFUSES:
        code = "raised" if kind == VALUE else "not_accepted"
        return Difference(code, expected=expected, **error)
    if not answer["refuses"]:
        return Difference("wrong_error", message=expected, **error)
    if answer["message"] != expected:
        return Difference("wrong_message", message=expected, got=answer["message"], **error)
    return None


def _in_board(
    step: list[str], answer: Answer, board: str, unchanged: bool, shown: str
) -> Difference | None:
    """Return how ``str`` of the board differs from the recorded text."""
    if "unshown" in answer:
        line = answer["unshown_line"]
        return Difference("str_raised", name=board, error=answer["unshown"], line=line)
    text = str(answer["board"])
    if _WITHOUT_STR.fullmatch(text):
        return Difference("no_str", name=board)
    difference = text_difference(shown, text)
    if difference and unchanged and is_question(step, board):
        difference.code = "changed_refused" if step[1][0] == REFUSES else "changed"
    return difference


def is_question(step: list[str], board: str) -> bool:
    """Return whether a line leaves a right board as it is: a question, or a refused call."""
    line, kind = step[0], step[1][0]
    if line.startswith("print("):
        return line == "print(" + board + ")"
    return kind in (VALUE, REFUSES) and ")." not in line


def _value_difference(expected: str, answer: Answer) -> Difference | None:
    right = ast.literal_eval(expected)
    try:
        value = ast.literal_eval(answer["value"])
    except (KeyError, ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = _NO_LITERAL
    got = answer["got"]
    if right is not None and type(right) is not type(value):
        return Difference("type", expected=expected, got=got, type=type(right).__name__)
    if value == right:
        return None
    difference = Difference("value", expected=expected, got=got)
    if isinstance(right, set):
        difference.code = "set"
        difference.details["missing"] = _listed(right - value)
        difference.details["extra"] = _listed(value - right)
    return difference


def _listed(values: set[object]) -> str:
    return ", ".join(sorted([repr(value) for value in values]))
