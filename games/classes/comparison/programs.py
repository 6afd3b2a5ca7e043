"""The comparison of the output of a program with a record, and programs that run in the page."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from types import ModuleType
from typing import Any, TextIO

from games.classes.comparison.differences import (
    BOM,
    Difference,
    describe,
    line_of,
    text_difference,
)

Program = Callable[[str], tuple[str, str, int]]
"""Runs a program with an input: its output, its error, and the line of that."""


def check_program(number: int, lines: list[str], expected: str, run: Program) -> Difference | None:
    """Return the first difference in the output of a program, with as few lines of input as lead to
    it. ``run(text)`` returns the output and an error."""
    difference = _program_difference(lines, expected, run)
    if difference is None:
        return None
    # A line of input is answered with a board, its counts and an empty line.
    answers = expected.split("\n\n")
    for length in range(1, len(lines)):
        wanted = "\n\n".join(answers[:length]) + "\n\n"
        shorter = _program_difference(lines[:length], wanted, run)
        if shorter:
            difference = shorter
            break
    difference.run = number
    difference.step = len(difference.lines) - 1
    return difference


def _program_difference(lines: list[str], expected: str, run: Program) -> Difference | None:
    output, error, line = run("\n".join(lines) + "\n")
    if error:
        difference = Difference("program_raised", error=error, line=line, got=output)
    elif output == expected:
        return None
    else:
        found = text_difference(expected, output)
        difference = found or Difference("text", got=output, expected=expected)
    boards = expected.split("\n\n")
    difference.lines = lines
    difference.own_board = output
    difference.expected_board = boards[-2].rsplit("\n", 1)[0] if len(boards) > 1 else ""
    return difference


def run_in_page(source: str, filename: str, text: str) -> tuple[str, str, int]:
    """Run a program with ``text`` as its input: its output, its error and the line of that."""
    stdin, stdout = io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"), io.StringIO()
    module = ModuleType("__main__")
    vars(module)["open"] = partial(_open, stdin)
    kept = sys.modules["__main__"], sys.stdin
    sys.modules["__main__"], sys.stdin = module, stdin
    try:
        with redirect_stdout(stdout), redirect_stderr(io.StringIO()):
            exec(compile(source.removeprefix(BOM), filename, "exec"), vars(module))  # noqa: S102
    except SystemExit:
        pass
    except Exception as error:
        return stdout.getvalue(), describe(error), line_of(error, filename)
    finally:
        sys.modules["__main__"], sys.stdin = kept
    return stdout.getvalue(), "", 0


def _open(stdin: TextIO, file: Any, *arguments: Any, **options: Any) -> Any:
    """Open a file; a program may read its input as one, too."""
    is_input = file in (0, "/dev/stdin")
    return stdin if is_input else open(file, *arguments, **options)
