"""The whole comparison in the page's interpreter, which posts its findings as it goes."""

import json

from games.classes.comparison.classes import ClassCheck, class_problem, load
from games.classes.comparison.differences import shortest
from games.classes.comparison.programs import Output, check_program, run_in_page

FILE = "your code"


def compare(task: str, post: object) -> None:
    """Compare ``source`` with ``record`` and call ``post(text)`` with JSON.

    It has ``at`` before each line, ``run`` after each run, and at the end ``done`` with the
    difference to show."""
    assert callable(post)  # noqa: S101  # for the type checker
    given = json.loads(task)
    record, source, runs = given["record"], given["source"], given["record"]["runs"]
    printed = Output()
    names = {"__name__": "exercise", "print": printed.print}
    check = ClassCheck(
        names, record["board"], FILE, lambda run, step: post(json.dumps({"at": [run, step]}))
    )
    differences = []
    if record["board"]:
        problem = load(source, FILE, names) or class_problem(names, record["name"])
        if problem:
            post(json.dumps({"done": problem.to_json(), "printed": False}))
            return
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
    post(
        json.dumps(
            {
                "done": difference.to_json() if difference else None,
                "printed": bool(printed.text.getvalue()),
            }
        )
    )
