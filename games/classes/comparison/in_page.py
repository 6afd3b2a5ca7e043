"""The whole comparison in the page's interpreter, which posts its findings as it goes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout

from games.classes.comparison.classes import ClassCheck, load_class
from games.classes.comparison.differences import shortest
from games.classes.comparison.programs import check_program, run_in_page

FILE = "your code"


def compare(task: str, post: Callable[[str], object]) -> None:
    """Compare ``source`` with ``record`` and call ``post(text)`` with JSON.

    It has ``at`` before each line, ``run`` after each run, and at the end ``done`` with the
    difference to show."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        done = _compare(task, post)
    post(json.dumps({"done": done, "printed": bool(printed.getvalue())}))


def _compare(task: str, post: Callable[[str], object]) -> dict[str, object] | None:
    """Return the difference to show, None without one."""
    given = json.loads(task)
    record, source, runs = given["record"], given["source"], given["record"]["runs"]
    differences = []
    if record["board"]:
        names, problem = load_class(source, FILE, record["name"])
        if problem:
            return problem.to_json()
        check = ClassCheck(names, record["board"], FILE, lambda *at: post(json.dumps({"at": at})))
    for number, run in enumerate(runs):
        if record["board"]:
            found = check.check(number, run["steps"])
        else:
            post(json.dumps({"at": [number, len(run["lines"]) - 1]}))
            found = check_program(
                number, run["lines"], run["output"], lambda text: run_in_page(source, FILE, text)
            )
        differences.append(found)
        post(json.dumps({"run": number, "right": found is None}))
    difference = shortest(differences)
    return difference.to_json() if difference else None
