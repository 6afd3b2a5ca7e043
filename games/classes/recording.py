"""Records of runs: ``python -m games.classes.recording`` writes them into the games' folders.

A record is a static file of the game, ``<slug>/exercises/<exercise>.json``. It holds lines and the
answers of the game's own class, and no source text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from games.classes.comparison.classes import ITSELF, MAKES, PRINTS, REFUSES, VALUE
from games.contract import Exercise, Rules, Run, session_lines
from games.core.registry import all_rules

GAMES = Path(__file__).resolve().parents[1]
RUNS = 40


class NoSuchExercise(Exception):
    """Raised for a name that no exercise has; the message lists the names."""


def all_exercises() -> Iterator[tuple[Rules, Exercise]]:
    for rules in all_rules().values():
        for exercise in rules.exercises:
            yield rules, exercise


def find_exercise(slug: str) -> tuple[Rules, Exercise]:
    for rules, exercise in all_exercises():
        if exercise.slug == slug:
            return rules, exercise
    names = ", ".join(exercise.slug for _rules, exercise in all_exercises())
    raise NoSuchExercise(f"There is no exercise {slug!r}. These are there: {names}.")


def static_name(rules: Rules, exercise: Exercise) -> str:
    return f"{rules.slug}/exercises/{exercise.slug}.json"


def record_path(rules: Rules, exercise: Exercise) -> Path:
    return GAMES / rules.slug / "static" / static_name(rules, exercise)


def read_record(rules: Rules, exercise: Exercise) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(record_path(rules, exercise).read_text(encoding="utf-8"))
    return found


def make_record(exercise: Exercise, seed: int | None = None) -> dict[str, Any]:
    """Return the record of an exercise: its example first, then the chosen runs and other ones, or
    random runs of a seed."""
    seeds = list(dict.fromkeys([*exercise.seeds, *range(RUNS)]))[:RUNS]
    chosen = (next(exercise.runs(Random(number))) for number in seeds)
    others = chosen if seed is None else islice(exercise.runs(Random(seed)), RUNS)
    runs = [example_run(exercise), *others]
    return {
        "name": exercise.name,
        "board": board_name(exercise),
        "runs": [recorded(exercise, run) for run in runs],
    }


def example_run(exercise: Exercise) -> Run:
    """Return the document's own example as a run."""
    if exercise.answer:
        return Run(lines=tuple(exercise.example.split("\n")[:-1]))
    return Run(lines=tuple(session_lines(exercise.example)))


def board_name(exercise: Exercise) -> str:
    """Return the name of the board in the example of a class; '' for a program."""
    return "" if exercise.answer else session_lines(exercise.example)[0].split(" = ")[0]


def recorded(exercise: Exercise, run: Run) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if exercise.answer:
        record |= {"lines": run.lines, "output": exercise.answer("\n".join(run.lines) + "\n")}
    else:
        record["steps"] = list(_steps(exercise, run.lines))
    if run.options:
        record |= {"options": dict(run.options), "moves": run.moves}
    elif run.setup:
        record |= {"setup": dict(run.setup), "moves": run.moves}
    return record


def _steps(exercise: Exercise, lines: tuple[str, ...]) -> Iterator[list[str]]:
    name, kind = board_name(exercise), exercise.reference
    names: dict[str, Any] = {exercise.name: kind}
    shown = ""
    for line in lines:
        answer = _answer(line, name, names)
        board = str(names[name])
        yield [line, answer] if board == shown else [line, answer, board]
        shown = board


def _answer(line: str, board: str, names: dict[str, Any]) -> str:
    """Return the answer of the game's own class to a line."""
    if line.startswith(f"{board} = "):
        exec(line, names)  # noqa: S102  # a line of a game's own folder
        return MAKES
    printed = line.startswith("print(")
    try:
        value = eval(line[6:-1] if printed else line, names)  # noqa: S307  # likewise
    except AssertionError as error:
        return REFUSES + str(error)
    if printed:
        return PRINTS + str(value)
    return ITSELF if value is names[board] else VALUE + _literal(value)


def _literal(value: object) -> str:
    """Return the ``repr`` of a value, with sets in order, so that a record is always the same."""
    if isinstance(value, set):
        return "{" + ", ".join(map(repr, sorted(value))) + "}" if value else "set()"
    return repr(value)


def written(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n"


def main() -> None:
    for rules, exercise in all_exercises():
        path = record_path(rules, exercise)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(make_record(exercise)), encoding="utf-8")


if __name__ == "__main__":
    main()
