"""Pupils' classes and programs, right ones and such with a planted fault, and their comparison."""

from __future__ import annotations

import importlib
import subprocess
import sys
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from games.classes.comparison.classes import class_plays
from games.classes.comparison.differences import Difference, shortest
from games.classes.comparison.playing import Answer, driven, load_class, play, run_in_page
from games.classes.comparison.programs import program_plays
from games.classes.recording import all_exercises, find_exercise, read_record
from games.core.registry import all_rules
from scripts.sources import ROOT

GAMES = Path(__file__).resolve().parents[1] / "games"
FILE = "pupil.py"
EXERCISES = [exercise.slug for _rules, exercise in all_exercises()]


class Fault(NamedTuple):
    """A fault made by replacing a part of a right file; ``codes`` name its possible sentences, and
    at most ``lines`` lead to it."""

    name: str
    exercise: str
    right: str
    wrong: str
    codes: set[str]
    lines: int = 12


def all_faults() -> list[Fault]:
    """Return the faults in ``faults.py`` of the games' tests."""
    kinds = [slug for slug in all_rules() if (GAMES / slug / "faults.py").exists()]
    found = [importlib.import_module(f"tests.games.{slug}.faults") for slug in kinds]
    return [fault for module in found for fault in module.FAULTS]


def pupil_path(exercise: str) -> Path:
    """Return the file of a right class or program, written differently from the game's own."""
    rules, _exercise = find_exercise(exercise)
    return GAMES / rules.slug / "pupils" / f"{exercise}.py"


def pupil(exercise: str) -> str:
    """Return the text of that file."""
    return pupil_path(exercise).read_text(encoding="utf-8")


def planted(fault: Fault) -> str:
    """Return the text of a pupil's file with the fault."""
    source = pupil(fault.exercise)
    assert fault.right in source, fault.name
    return source.replace(fault.right, fault.wrong)


def compare(exercise: str, source: str) -> list[Difference | None]:
    """Return the difference of each run."""
    record = read_record(*find_exercise(exercise))
    if not record["board"]:
        return [_program(number, run, source) for number, run in enumerate(record["runs"])]
    names, problem = load_class(source, FILE, record["name"])
    if problem:
        return [problem]
    board = record["board"]
    return [
        driven(class_plays(number, run["steps"], board), partial(play, names, board, FILE))
        for number, run in enumerate(record["runs"])
    ]


def _program(number: int, run: dict[str, Any], source: str) -> Difference | None:
    def answers(lines: list[str]) -> list[Answer]:
        return [run_in_page(source, FILE, lines)]

    return driven(program_plays(number, run["lines"], run["output"]), answers)


def shown(exercise: str, source: str) -> Difference:
    """Return the difference that a report shows."""
    found = shortest(compare(exercise, source))
    assert found
    return found


WITHOUT_DJANGO = "import sys; sys.modules['django'] = None; sys.argv[0] = 'classes'; " + (
    "import runpy; runpy.run_module('games.classes', run_name='__main__')"
)


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command where Django cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_DJANGO, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


STYLES = 28
"""Right classes of each exercise that are tried."""


@cache
def styled(exercise: str) -> list[str]:
    """Return right classes or programs, each made of other hands' parts."""
    rules, _exercise = find_exercise(exercise)
    styles = importlib.import_module(f"tests.games.{rules.slug}.pupils.styles")
    named = getattr(styles, "named", lambda _exercise, source: source)
    made = sorted(product(*styles.PARTS))
    # Each part stands in some of them.
    first = [
        [row[k % len(row)] for row in styles.PARTS] for k in range(max(map(len, styles.PARTS)))
    ]
    others = Random(exercise).sample(made, STYLES)
    sources = dict.fromkeys("".join(parts) for parts in [*first, *others])
    return [named(exercise, source) for source in sources][:STYLES]
