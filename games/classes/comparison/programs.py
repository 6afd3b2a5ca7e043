"""The comparison of the output of a program with a record, and programs that run in the page."""

import io
import sys

from games.classes.comparison.differences import Difference, describe, line_of, text_difference


def check_program(number: int, lines: list[str], expected: str, run: object) -> "Difference | None":
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


def _program_difference(lines: list[str], expected: str, run: object) -> "Difference | None":
    assert callable(run)  # noqa: S101
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


class Input:
    """The standard input of a program that runs in the page."""

    def __init__(self, text: str) -> None:
        self.rest = io.StringIO(text)

    def read(self, size: int = -1) -> str:
        """Return the rest of the input, or the next characters."""
        return self.rest.read() if size < 0 else self.rest.read(size)

    def readline(self) -> str:
        """Return the next line, '' at the end."""
        return self.rest.readline()

    def readlines(self) -> list[str]:
        return list(self)

    def __iter__(self) -> "Input":
        return self

    def __next__(self) -> str:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def input(self, prompt: str = "") -> str:
        """Return the next line without its end, as the function of that name does."""
        line = self.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")


class Output:
    """The standard output of a program that runs in the page."""

    def __init__(self) -> None:
        self.text = io.StringIO()

    def write(self, text: str) -> int:
        self.text.write(text)
        return len(text)

    def flush(self) -> None:
        """Do nothing, since nothing is kept back."""

    def print(self, *values: object, sep: str = " ", end: str = "\n", **_others: object) -> None:
        self.write((" " if sep is None else sep).join([str(value) for value in values]))
        self.write("\n" if end is None else end)


class System:
    """The module ``sys`` of a program that runs in the page."""

    def __init__(self, stdin: Input, stdout: Output) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = Output()
        self.argv = ["program.py"]
        self.maxsize = sys.maxsize
        self.version = sys.version

    def exit(self, status: object = None) -> None:
        raise SystemExit(status)

    def setrecursionlimit(self, _limit: int) -> None:
        """Do nothing, since MicroPython has no such limit."""


def run_in_page(source: str, filename: str, text: str) -> tuple[str, str, int]:
    """Run a program with ``text`` as its input: its output, its error and the line of that."""
    stdin, stdout = Input(text), Output()
    before = sys.modules.get("sys")
    sys.modules["sys"] = System(stdin, stdout)  # type: ignore[assignment]
    names = {
        "__name__": "__main__",
        "input": stdin.input,
        "print": stdout.print,
        "open": lambda *_arguments: stdin,
    }
    try:
        exec(compile(source, filename, "exec"), names)  # noqa: S102
    except SystemExit:
        pass
    except Exception as error:
        return stdout.text.getvalue(), describe(error), line_of(error, filename)
    finally:
        del sys.modules["sys"]
        if before:
            sys.modules["sys"] = before
    return stdout.text.getvalue(), "", 0
