"""The comparison of the output of a program with a record."""

from __future__ import annotations

from collections.abc import Iterable

from games.classes.comparison.differences import Difference, text_difference
from games.classes.comparison.playing import Answer, Plays


def program_plays(number: int, lines: list[str], expected: str) -> Plays:
    """Compare a run of a program; of a wrong one the shortest wrong beginning."""
    difference = program_difference(lines, expected, (yield lines))
    if difference is None:
        return None
    # A line of input is answered with a board, its counts and an empty line.
    answers = expected.split("\n\n")
    for length in range(1, len(lines)):
        wanted = "\n\n".join(answers[:length]) + "\n\n"
        shorter = program_difference(lines[:length], wanted, (yield lines[:length]))
        if shorter:
            difference = shorter
            break
    difference.run = number
    return difference


def program_difference(
    lines: list[str], expected: str, answers: Iterable[Answer]
) -> Difference | None:
    (answer,) = answers
    output = str(answer["text"])
    if answer["error"]:
        difference = Difference(
            "program_raised", error=answer["error"], line=answer["line"], got=output
        )
    elif output == expected:
        return None
    else:
        found = text_difference(expected, output)
        difference = found or Difference("text", got=output, expected=expected)
    boards = expected.split("\n\n")
    difference.lines = lines
    difference.step = len(lines) - 1
    difference.own_board = output
    difference.expected_board = boards[-2].rsplit("\n", 1)[0] if len(boards) > 1 else ""
    return difference
