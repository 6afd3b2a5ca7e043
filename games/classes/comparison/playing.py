"""Plays calls with a pupil's class, or runs a pupil's program, and says how it answered.

The answers are plain values, which JSON can carry: the comparison needs no object of the pupil and
can be done where no code of a pupil has run."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from types import ModuleType
from typing import Any, TextIO

from games.classes.comparison.differences import BOM, Difference, describe, line_of, text_of

COURSE_MODULES = ("easyinput", "jutge")
"""Modules that sites of courses have, and Python has not."""
Answer = dict[str, Any]
Plays = Generator[list[str], Iterable[Answer], Difference | None]
"""A comparison: it yields lines to play, gets their answers, and returns the difference."""


def driven(plays: Plays, play: Callable[[list[str]], Iterable[Answer]]) -> Difference | None:
    """Return the difference of a comparison whose lines ``play`` answers."""
    try:
        lines = next(plays)
        while True:
            lines = plays.send(play(lines))
    except StopIteration as done:
        found: Difference | None = done.value
        return found


def makes(line: str, board: str) -> bool:
    return line.startswith(board + " = ")


def play(names: dict[str, object], board: str, filename: str, lines: list[str]) -> Iterator[Answer]:
    """Yield the answer to each line, one of which makes the ``board`` among ``names``, with the
    text of the board after it."""
    for line in lines:
        try:
            answer = _answer(line, board, names)
        except (Exception, SystemExit) as error:
            refuses = isinstance(error, AssertionError)
            answer = {"refuses": refuses, "message": text_of(error) if refuses else ""}
            answer |= {"error": describe(error), "line": line_of(error, filename)}
        try:
            answer["board"] = str(names[board])
        except (Exception, SystemExit) as error:
            answer |= {"unshown": describe(error), "unshown_line": line_of(error, filename)}
        yield answer


def _answer(line: str, board: str, names: dict[str, object]) -> Answer:
    if makes(line, board):
        exec(line, names)  # noqa: S102
        return {}
    printed = line.startswith("print(")
    value = eval(line[6:-1] if printed else line, names)  # noqa: S307
    answer: Answer = {"text": str(value)} if printed else {}
    if value is names.get(board):
        return answer | {"itself": True, "got": board}
    return answer | {"value": _literal(value), "got": _repr(value), "kind": type(value).__name__}


def _literal(value: object) -> str:
    """Return the ``repr`` of a value in plain types, '' for one that has none."""
    try:
        return repr(_plain(value))
    except (Exception, SystemExit):
        return ""


def _plain(value: Any) -> object:
    """Return a value with members of its subclasses, such as enumerations, as plain types."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return set(map(_plain, value))
    if isinstance(value, tuple | list):
        return (tuple if isinstance(value, tuple) else list)(map(_plain, value))
    raise TypeError


def _repr(value: object) -> str:
    if type(value).__repr__ is object.__repr__:
        return "<" + type(value).__name__ + ">"
    try:
        return repr(value)
    except (Exception, SystemExit) as error:
        return "<" + describe(error) + ">"


def load_class(
    source: str, filename: str, name: str
) -> tuple[dict[str, object], Difference | None]:
    """Run a pupil's file as a module, which dataclasses and enums need. Return its names, and the
    fault of a file that cannot be run or lacks the class."""
    module = sys.modules["exercise"] = ModuleType("exercise")
    names = vars(module)
    return names, _load(source.removeprefix(BOM), filename, names) or _class_problem(names, name)


def _load(source: str, filename: str, names: dict[str, object]) -> Difference | None:
    try:
        # The exercise is to run this code: in the pupil's own browser, or on his own machine.
        exec(compile(source, filename, "exec"), names)  # noqa: S102
    except SyntaxError as error:
        return _syntax_error(error, source)
    except ImportError as error:
        code = "course_module" if error.name in COURSE_MODULES else "module"
        found = {"error": describe(error), "line": line_of(error, filename)}
        return Difference(code, module=error.name or "", **found)
    except (Exception, SystemExit) as error:
        return Difference("load", error=describe(error), line=line_of(error, filename))
    return None


def _syntax_error(error: SyntaxError, source: str) -> Difference:
    number, lines = error.lineno or 0, source.split("\n")
    text = lines[number - 1].rstrip() if 0 < number <= len(lines) else ""
    caret = " " * ((error.offset or 1) - 1) + "^"
    return Difference("syntax", error=describe(error), line=number, text=text, caret=caret)


def _class_problem(names: dict[str, object], name: str) -> Difference | None:
    """Return the difference of a file without the class, which names the classes that it has."""
    if isinstance(names.get(name), type):
        return None
    found = [key for key, value in names.items() if isinstance(value, type) and key[:1] != "_"]
    return Difference("no_class", name=name, found=", ".join(sorted(found)))


def run_in_page(source: str, filename: str, lines: list[str]) -> Answer:
    """Run a program with ``lines`` as its input: its text, its error and the line of that."""
    text = "".join(line + "\n" for line in lines)
    stdin, written = io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"), io.BytesIO()
    # With the buffer below it that standard output has.
    stdout = io.TextIOWrapper(written, "utf-8", newline="", write_through=True)
    module = ModuleType("__main__")
    vars(module)["open"] = partial(_open, stdin)
    kept = sys.modules["__main__"], sys.stdin
    sys.modules["__main__"], sys.stdin = module, stdin
    error, line = "", 0
    try:
        with redirect_stdout(stdout), redirect_stderr(io.StringIO()):
            exec(compile(source.removeprefix(BOM), filename, "exec"), vars(module))  # noqa: S102
    except SystemExit:
        pass
    except Exception as raised:
        error, line = describe(raised), line_of(raised, filename)
    finally:
        sys.modules["__main__"], sys.stdin = kept
        # It keeps the input of the run before.
        sys.modules.pop("fileinput", None)
    output = written.getvalue().decode("utf-8", "replace")
    return {"text": output, "error": error, "line": line}


def _open(stdin: TextIO, file: Any, *arguments: Any, **options: Any) -> Any:
    """Open a file; a program may read its input as one, too."""
    is_input = file in (0, "/dev/stdin")
    return stdin if is_input else open(file, *arguments, **options)
