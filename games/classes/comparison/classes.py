"""The comparison of a class with the runs of a record.

A run is a list of steps ``[line, answer]`` or ``[line, answer, board]``, with the board if it has
changed; `games.classes.recording` makes them. The first character of an answer is its kind."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

from games.classes.comparison.differences import (
    BOM,
    Difference,
    describe,
    line_of,
    text_difference,
)

MAKES = "*"  # the line makes the board
VALUE = "="  # it returns a value, of which the repr follows
ITSELF = ":"  # it returns the board itself
REFUSES = "!"  # it raises an AssertionError with the message that follows
PRINTS = ">"  # it prints the text that follows


class ClassCheck:
    """Plays runs with the class in ``namespace``; ``board`` is the board's name in the lines.

    ``follow(run, step)`` is called before each line."""

    def __init__(
        self,
        namespace: dict[str, object],
        board: str,
        filename: str,
        follow: Callable[[int, int], object] | None = None,
    ) -> None:
        self.namespace = namespace
        self.board = board
        self.filename = filename
        self.follow = follow

    def check(self, number: int, steps: list[list[str]]) -> Difference | None:
        """Return the first difference of a run, with as few lines as possible."""
        difference = self._play(steps, number)
        if difference:
            difference = self._shrink(steps, difference)
            difference.run = number
        return difference

    def _shrink(self, steps: list[list[str]], difference: Difference) -> Difference:
        """Leave out lines before the difference that leave a right board as it is."""
        kept = steps[: difference.step + 1]
        bare = [step for step in kept[:-1] if not is_question(step, self.board)] + kept[-1:]
        again = self._fails_at_the_end(bare)
        if again:
            return again
        for place in range(len(kept) - 2, 0, -1):
            if is_question(kept[place], self.board):
                fewer = kept[:place] + kept[place + 1 :]
                again = self._fails_at_the_end(fewer)
                if again:
                    kept, difference = fewer, again
        return difference

    def _fails_at_the_end(self, steps: list[list[str]]) -> Difference | None:
        difference = self._play(steps)
        return difference if difference and difference.step == len(steps) - 1 else None

    def _play(self, steps: list[list[str]], number: int = -1) -> Difference | None:
        names = dict(self.namespace)
        board = ""
        for place, step in enumerate(steps):
            if number >= 0 and self.follow:
                self.follow(number, place)
            before = board
            board = step[2] if len(step) > 2 else board
            difference = self._answer(step, names) or self._board(step, names, before, board)
            if difference:
                difference.step = place
                difference.lines = [line[0] for line in steps[: place + 1]]
                difference.expected_board = board
                difference.own_board = self._shown(names)
                return difference
        return None

    def _shown(self, names: dict[str, object]) -> str:
        """Return the pupil's board as text, '' if there is none."""
        try:
            return str(names[self.board])
        except (Exception, SystemExit):
            return ""

    def _answer(self, step: list[str], names: dict[str, object]) -> Difference | None:
        """Return how the answer to a line differs from the recorded one."""
        line, kind, expected = step[0], step[1][0], step[1][1:]
        demanded = expected if kind in (VALUE, PRINTS) else self.board
        try:
            if kind == MAKES:
                exec(line, names)  # noqa: S102
                return None
            printed = kind == PRINTS or line.startswith("print(")
            value = eval(line[6:-1] if printed else line, names)  # noqa: S307
            text = str(value) if printed else ""
        except (Exception, SystemExit) as error:
            return self._raised(error, kind, expected, demanded)
        if kind == REFUSES:
            return Difference("not_refused", message=expected, got=_repr(value))
        if kind == ITSELF or (printed and value is None):
            if value is names.get(self.board):
                return None
            return Difference("not_itself", name=self.board, got=_repr(value))
        if kind == PRINTS:
            return text_difference(expected, text)
        return _value_difference(expected, value)

    def _raised(
        self, error: BaseException, kind: str, expected: str, demanded: str
    ) -> Difference | None:
        line = line_of(error, self.filename)
        if kind != REFUSES:
            return Difference("raised", expected=demanded, error=describe(error), line=line)
        if not isinstance(error, AssertionError):
            return Difference("wrong_error", message=expected, error=describe(error), line=line)
        if str(error) != expected:
            return Difference("wrong_message", message=expected, got=str(error), line=line)
        return None

    def _board(
        self, step: list[str], names: dict[str, object], before: str, board: str
    ) -> Difference | None:
        """Return how ``str`` of the board differs from the recorded text."""
        try:
            text = str(names[self.board])
        except (Exception, SystemExit) as error:
            line = line_of(error, self.filename)
            return Difference("str_raised", name=self.board, error=describe(error), line=line)
        difference = text_difference(board, text)
        if difference and before == board and is_question(step, self.board):
            difference.code = "changed_refused" if step[1][0] == REFUSES else "changed"
        return difference


def is_question(step: list[str], board: str) -> bool:
    """Return whether a line leaves a right board as it is: a question, or a refused call."""
    line, kind = step[0], step[1][0]
    if line.startswith("print("):
        return line == "print(" + board + ")"
    return kind in (VALUE, REFUSES) and ")." not in line


def _value_difference(expected: str, value: object) -> Difference | None:
    right = eval(expected)  # noqa: S307  # a recorded literal
    if isinstance(value, frozenset) and isinstance(right, set):
        value = set(value)
    if type(right) is not type(value) and not isinstance(value, type(right)):
        return Difference("type", expected=expected, got=_repr(value), type=type(right).__name__)
    if type(value) is bool and type(right) is not bool:
        return Difference("type", expected=expected, got=_repr(value), type=type(right).__name__)
    if value == right:
        return None
    difference = Difference("value", expected=expected, got=_repr(value))
    if isinstance(right, set) and isinstance(value, set):
        difference.code = "set"
        difference.details["missing"] = _listed(right - value)
        difference.details["extra"] = _listed(value - right)
    return difference


def _listed(values: set[object]) -> str:
    return ", ".join(sorted([repr(value) for value in values]))


def _repr(value: object) -> str:
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
        return Difference("module", error=describe(error), line=line_of(error, filename))
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
