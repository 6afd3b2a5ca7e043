"""The records of runs hold the answers of the games' classes of today, and nothing else."""

from __future__ import annotations

import ast
import json

import brotli
import pytest

from games.classes.recording import (
    RUNS,
    all_exercises,
    example_run,
    make_record,
    read_record,
    record_path,
    written,
)
from games.contract import Exercise, Rules

LARGEST = 40_000

each_exercise = pytest.mark.parametrize(
    ("rules", "exercise"), list(all_exercises()), ids=lambda value: getattr(value, "slug", None)
)


@each_exercise
def test_a_record_is_what_the_class_says_today(rules: Rules, exercise: Exercise) -> None:
    stored = record_path(rules, exercise).read_text(encoding="utf-8")
    assert stored == written(make_record(exercise)), "python -m games.classes.recording"


@each_exercise
def test_a_record_is_small_when_it_is_compressed(rules: Rules, exercise: Exercise) -> None:
    assert len(brotli.compress(record_path(rules, exercise).read_bytes())) < LARGEST


@each_exercise
def test_a_record_has_the_example_and_forty_runs(rules: Rules, exercise: Exercise) -> None:
    assert len(read_record(rules, exercise)["runs"]) == RUNS + 1


@each_exercise
def test_a_record_holds_no_source(rules: Rules, exercise: Exercise) -> None:
    stored = json.dumps(read_record(rules, exercise))
    for word in ("def ", "import ", "self", "return", "lambda", "class "):
        assert word not in stored


@each_exercise
def test_the_runs_are_of_several_boards(rules: Rules, exercise: Exercise) -> None:
    runs = read_record(rules, exercise)["runs"]
    assert len({(run.get("lines") or run["steps"][0])[0] for run in runs}) > 2


@pytest.mark.parametrize(
    "exercise",
    [exercise for _rules, exercise in all_exercises() if exercise.reference],
    ids=lambda e: e.slug,
)
def test_the_example_of_a_document_is_what_the_class_says(exercise: Exercise) -> None:
    (example, *_runs) = make_record(exercise)["runs"]
    demanded = _demanded(exercise.example)
    assert [step[0] for step in example["steps"]] == [line for line, _answer in demanded]
    for (_line, answer, *_board), (line, shown) in zip(example["steps"], demanded, strict=True):
        assert _shown(answer) == _shown_in_the_document(shown), line


def _demanded(example: str) -> list[tuple[str, str]]:
    parts = [part.partition("\n") for part in example.split(">>> ")[1:]]
    return [(line, shown.rstrip("\n")) for line, _newline, shown in parts]


def _shown(answer: str) -> object:
    kind, rest = answer[0], answer[1:]
    if kind == "=":
        # The interpreter shows nothing for None, which a set of one text cannot equal.
        return "" if rest == "None" else ast.literal_eval(rest.replace("set()", "()"))
    return f"AssertionError: {rest}" if kind == "!" else rest


def _shown_in_the_document(shown: str) -> object:
    if shown.startswith("Traceback"):
        return shown.splitlines()[-1]
    try:
        return ast.literal_eval(shown.replace("set()", "()"))
    except (SyntaxError, ValueError):
        return shown


def test_the_example_of_the_program_is_a_run_too() -> None:
    (exercise,) = (exercise for _rules, exercise in all_exercises() if exercise.answer)
    assert example_run(exercise).lines == tuple(exercise.example.splitlines())
