"""The comparison on one's own machine: ``python -m games.classes <exercise> <file>``.

It plays the runs of the page ``/classes/<exercise>/`` with CPython, and needs no Django. The exit
status is 0 if everything is right, 1 if something is not, and 2 for a wrong command."""

from __future__ import annotations

import _thread
import argparse
import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

from games.classes.comparison.classes import ClassCheck
from games.classes.comparison.differences import Difference, shortest
from games.classes.comparison.playing import load_class
from games.classes.comparison.programs import check_program
from games.classes.recording import NoSuchExercise, find_exercise, read_record
from games.classes.sentences import sentence

SECONDS = 10
"""Time for one run."""


class TooSlow(BaseException):
    """Raised for a run that took too long. No Exception, so that few pupils' files catch it."""


def main(arguments: list[str] | None = None) -> int:
    """Compare a file and print the report. Return the exit status."""
    options = _options(arguments)
    # Shells start background jobs with SIGINT ignored, and then nothing would end an endless loop.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        record = read_record(*find_exercise(options.exercise))
        source = Path(options.file).read_text(encoding="utf-8")
    except (NoSuchExercise, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    if record["board"]:
        differences = _check_class(source, options.file, record)
    else:
        differences = _check_program(options.file, record)
    return _report(differences, record)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m games.classes", description=__doc__)
    parser.add_argument("exercise", help="the last part of the address of its page")
    parser.add_argument("file", help="the file with your class, or your program")
    return parser.parse_args(arguments)


def _check_class(source: str, name: str, record: dict[str, Any]) -> list[Difference | None]:
    with contextlib.redirect_stdout(None), _limit():
        names, problem = load_class(source, name, record["name"])
    if problem:
        return [problem]
    check = ClassCheck(names, record["board"], name)
    differences: list[Difference | None] = []
    for number, run in enumerate(record["runs"]):
        try:
            with contextlib.redirect_stdout(None), _limit():
                differences.append(check.check(number, run["steps"]))
        except TooSlow:
            return [*differences, _endless(number, run["steps"])]
    return differences


def _endless(number: int, steps: list[list[str]]) -> Difference:
    difference = Difference("endless", seconds=SECONDS)
    difference.run, difference.lines = number, [step[0] for step in steps]
    return difference


def _check_program(name: str, record: dict[str, Any]) -> list[Difference | None]:
    differences: list[Difference | None] = []
    for number, run in enumerate(record["runs"]):
        try:
            found = check_program(number, run["lines"], run["output"], partial(_run, name))
        except subprocess.TimeoutExpired:
            found = Difference("endless", seconds=SECONDS)
            found.run, found.lines = number, run["lines"]
            return [*differences, found]
        differences.append(found)
    return differences


def _run(name: str, text: str) -> tuple[str, str, int]:
    """Run a program: its output, and the last line of its stderr if it failed."""
    done = subprocess.run(  # noqa: S603  # the pupil's own file, on the pupil's own machine
        [sys.executable, name],
        input=text,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
    lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return done.stdout, lines[-1] if done.returncode else "", 0


@contextlib.contextmanager
def _limit() -> Iterator[None]:
    """Interrupt a run that takes longer than `SECONDS`. Raises TooSlow."""
    fired: list[bool] = []

    def fire() -> None:
        fired.append(True)
        _thread.interrupt_main()

    timer = Timer(SECONDS, fire)
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if fired:
            raise TooSlow from None
        raise
    finally:
        timer.cancel()


def _report(differences: list[Difference | None], record: dict[str, Any]) -> int:
    wrong = [difference for difference in differences if difference]
    found = shortest(differences)
    runs = len(record["runs"])
    if found is None:
        print(f"Right: the example of the document and {runs - 1} runs.")
        return 0
    if found.lines:
        print(f"{len(wrong)} of {runs} runs differ. The shortest one:\n")
        prompt = ">>> " if record["board"] else ""
        print("\n".join(prompt + line for line in found.lines), end="\n\n")
    report = found.to_json()
    print(sentence(report))
    if "caret" in report:
        print(f"\n{report['text']}\n{report['caret']}")
    if found.expected_board:
        print(f"\nThe board should be:\n{found.expected_board}")
    if report.get("line") and found.code != "syntax":
        print(f"\nThe error comes from line {report['line']} of your file.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
