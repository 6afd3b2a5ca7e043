"""The two sides of a comparison in the page, each in an interpreter of its own.

The player runs the code of a pupil, which may do anything there: it gets lines and posts answers.
The judge never runs such code, and trusts no answer to be well formed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Generator, Iterable
from contextlib import redirect_stdout
from typing import Any

from games.classes.comparison.classes import class_difference, class_plays
from games.classes.comparison.differences import Difference, shortest
from games.classes.comparison.playing import Answer, load_class, makes, play, run_in_page
from games.classes.comparison.programs import program_plays

FILE = "your code"
Post = Callable[[str], object]
_ENDS = {"syntax", "module", "course_module", "load", "no_class"}
_ENDS |= {"endless", "stopped", "crashed"}
_DETAILS = {"error", "line", "text", "caret", "name", "module", "found", "seconds"}


def start(task: str) -> Callable[[str, Post], None]:
    """Return the function of a worker that takes messages and posts others, as JSON.

    The first message has the ``record`` for the judge, or the ``source`` for the player."""
    given = json.loads(task)
    side: Judge | Player = Judge(given["record"]) if "record" in given else Player(**given)
    return lambda message, post: side.take(json.loads(message), lambda **it: post(json.dumps(it)))


class Player:
    """Answers ``lines``: it posts an ``answer`` to each, or the ``problem`` of the file."""

    def __init__(self, source: str, name: str, board: str) -> None:
        self.source = source
        self.name = name
        self.board = board
        self.names: dict[str, object] = {}
        self.called: dict[str, object] = {}
        self.printed = io.StringIO()

    def take(self, message: dict[str, Any], post: Callable[..., object]) -> None:
        with redirect_stdout(self.printed):
            if self.board and not self.names:
                self.names, problem = load_class(self.source, FILE, self.name)
                if problem:
                    post(problem=problem.details | {"code": problem.code})
                    return
            for answer in self._answers(message["lines"]):
                post(answer=answer, printed=bool(self.printed.getvalue()))

    def _answers(self, lines: list[str]) -> Iterable[Answer]:
        if self.board:
            # Other lines go on with the board that the last ones left.
            if makes(lines[0], self.board):
                self.called = dict(self.names)
            return play(self.called, self.board, FILE, lines)
        return [run_in_page(self.source, FILE, lines)]


class Judge:
    """Takes the ``answers`` to lines and posts lines to ``play``, or at the end ``done`` with the
    difference to show and ``runs``, whether each is right. A reply with an ``end`` is the last one:
    a problem of the file, or code that was stopped."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.differences: list[Difference | None] = []
        self.plays = self._all_plays()
        self.lines: list[str] = []

    def _all_plays(self) -> Generator[list[str], list[Answer], None]:
        for number, run in enumerate(self.record["runs"]):
            if self.record["board"]:
                found = yield from class_plays(number, run["steps"], self.record["board"])
            else:
                found = yield from program_plays(number, run["lines"], run["output"])
            self.differences.append(found)

    def take(self, message: dict[str, Any], post: Callable[..., object]) -> None:
        ended = None
        try:
            if "end" not in message:
                self.lines = self._next(message.get("answers"))
                post(play=self.lines)
                return
            ended = self._ended(message["answers"], message["end"])
        except StopIteration:
            pass
        except Exception:  # the answers are those of code that may post anything
            ended = Difference("crashed", error="")
        found = shortest(self.differences)
        if ended and (found is None or ended.code != "endless"):
            found = ended
        post(done=found and found.to_json(), runs=[not wrong for wrong in self.differences])

    def _next(self, answers: list[Answer] | None) -> list[str]:
        if answers is None:
            return next(self.plays)
        if len(answers) != (len(self.lines) if self.record["board"] else 1):
            raise ValueError
        return self.plays.send(answers)

    def _ended(self, answers: list[Answer], end: dict[str, Any]) -> Difference:
        """Return the difference of code that ended early: one in its last answers, or its end."""
        number, board = len(self.differences), self.record["board"]
        run = self.record["runs"][number]
        found = None
        if board and self.lines == [step[0] for step in run["steps"]]:
            found = class_difference(run["steps"], board, answers)
        if found is None:
            details = {name: end[name] for name in _DETAILS & set(end)}
            found = Difference(end["code"] if end["code"] in _ENDS else "crashed", **details)
            if "seconds" in end or not details.keys() - {"error"}:
                found.lines = self.lines[: len(answers) + 1] if board else self.lines
                found.step = len(found.lines) - 1
        else:
            self.differences.append(found)
        found.run = number
        return found
