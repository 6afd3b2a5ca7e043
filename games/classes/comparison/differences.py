"""Differences between a pupil's class and a record, and errors of pupils' code."""

from __future__ import annotations

import traceback

BOM = "\ufeff"
"""The first character of files that some editors write."""
LONGEST = 2000
"""Characters of a text that a report shows."""


class Difference:
    """The first difference of a run: ``lines`` lead to it, and ``code`` names a sentence."""

    def __init__(self, code: str, **details: object) -> None:
        self.code = code
        self.details = details
        self.lines: list[str] = []
        self.expected_board = ""
        self.own_board = ""
        self.run = 0
        self.step = 0

    def to_json(self) -> dict[str, object]:
        report = {"code": self.code, "lines": self.lines, "run": self.run, "step": self.step}
        report["expectedBoard"] = self.expected_board
        report["ownBoard"] = shorten(self.own_board)
        for name, value in self.details.items():
            report[name] = shorten(value) if isinstance(value, str) else value
        return report


def shortest(differences: list[Difference | None]) -> Difference | None:
    """Return the difference with the fewest lines, None if there is none."""
    found = None
    for difference in differences:
        if difference and (found is None or len(difference.lines) < len(found.lines)):
            found = difference
    return found


def text_difference(expected: str, text: str) -> Difference | None:
    """Compare texts line by line."""
    if text == expected:
        return None
    details = {"got": text, "expected": expected}
    if text.rstrip("\n") == expected:
        return Difference("newline", **details)
    right, lines = expected.split("\n"), text.split("\n")
    for number in range(max(len(right), len(lines))):
        if number >= len(lines):
            return Difference("line_missing", number=number + 1, should=right[number], **details)
        if number >= len(right):
            return Difference("line_extra", number=number + 1, line_is=lines[number], **details)
        if lines[number] != right[number]:
            spaces = lines[number].rstrip() == right[number]
            code = "trailing_space" if spaces else "text"
            line = {"number": number + 1, "should": right[number], "line_is": lines[number]}
            return Difference(code, **line, **details)
    return None


def describe(error: BaseException) -> str:
    """Return an exception as the last line of a traceback has it."""
    name = type(error).__name__
    message = error.msg if isinstance(error, SyntaxError) and hasattr(error, "msg") else ""
    message = message or text_of(error)
    return name + ": " + message if message else name


def text_of(error: BaseException) -> str:
    """Return the message of an exception, '' if its class cannot tell it."""
    try:
        return str(error)
    except (Exception, SystemExit):
        return ""


def line_of(error: BaseException, filename: str) -> int:
    """Return the number of the last line of the file that an exception passed, 0 for none."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == filename]
    return lines[-1] if lines else 0


def shorten(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"
