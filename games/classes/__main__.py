"""The comparison on one's own machine: ``python -m games.classes <exercise> <file> …``.

It plays the runs of the page ``/classes/<exercise>/`` with CPython, and needs no Django. The exit
status is 0 if everything is right, 1 if something is not, and 2 for a wrong command: an unknown
exercise, or a file that cannot be read."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from games.classes.comparison.differences import Difference
from games.classes.processes import Found, judge
from games.classes.recording import NoSuchExercise, find_exercise, make_record, read_record, written
from games.classes.sentences import sentence

SECONDS = 10
"""Time for one run."""
AT_ONCE = 4
MOST_BYTES = 1_000_000
RIGHTS = (
    "These files run with your own rights on this machine: read them first, or use a container. "
    "The page of the exercise runs them in the browser, where they reach nothing."
)
Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> int:
    """Compare the files and print the reports. Return the exit status."""
    options = _options(arguments)
    try:
        rules, exercise = find_exercise(options.exercise)
    except NoSuchExercise as error:
        print(error, file=sys.stderr)
        return 2
    record = read_record(rules, exercise)
    if options.seed is not None:
        record = json.loads(written(make_record(exercise, options.seed)))
    # No shell of Windows lists the files of a pattern.
    files = [name for given in options.files for name in sorted(glob(given)) or [given]]
    show: Callable[[Row], object] = _show_line
    if options.json or options.junit:  # of which the second is one text, at the end
        show = _show_json if options.json else str
    elif len(files) == 1:
        show = partial(_show_whole, ">>> " if record["board"] else "")
    print(RIGHTS, file=sys.stderr)
    rows = asyncio.run(_judge_all(files, record, options.timeout, show))
    if options.junit:
        print(_junit(options.exercise, rows))
    codes = {row["code"] for row in rows}
    return 2 if "unreadable" in codes else int(codes != {""})


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m games.classes", description=__doc__)
    parser.add_argument("exercise", help="the last part of the address of its page")
    parser.add_argument("files", nargs="+", metavar="file", help="a class, or a program")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print a line of JSON for each file")
    output.add_argument("--junit", action="store_true", help="print the XML of JUnit")
    parser.add_argument("--timeout", type=float, default=SECONDS, help="seconds for one run")
    parser.add_argument("--seed", type=int, help="play fresh runs, drawn with this number")
    return parser.parse_args(arguments)


async def _judge_all(
    files: list[str], record: dict[str, Any], seconds: float, show: Callable[[Row], object]
) -> list[Row]:
    """Judge the files, a few at once, and show each as soon as those before it are shown."""
    room = asyncio.Semaphore(AT_ONCE)

    async def judged(file: str) -> Row:
        async with room:
            began = time.monotonic()
            source, fault = _source(file)
            found = (fault.to_json(), []) if fault else await judge(source, record, seconds)
            took = round(time.monotonic() - began, 2)
        return {"file": file} | _row(found) | {"runs": len(record["runs"]), "seconds": took}

    rows = []
    async with asyncio.TaskGroup() as group:
        for task in [group.create_task(judged(file)) for file in files]:
            rows.append(await task)
            show(rows[-1])
    return rows


def _source(file: str) -> tuple[str, Difference | None]:
    """Return the text of a file as Python reads it, with its BOM or in the encoding that it names,
    and its fault. A folder or a pipe is never opened."""
    data = b""
    try:
        if Path(file).exists() and not Path(file).is_file():
            return "", Difference("unreadable", error="It is not a file.")
        with open(file, "rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            return "", Difference("too_large")
        return importlib.util.decode_source(data), None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return "", Difference("syntax", error=str(error), line=line)
    except SyntaxError as error:
        return "", Difference("syntax", error=str(error), line=1)
    except (OSError, ValueError) as error:
        return "", Difference("unreadable", error=str(error))


def _row(found: Found) -> Row:
    report, runs = found
    verdict = "different" if runs else "unusable"
    if not report:
        verdict = "right"
    elif report["code"] in ("endless", "crashed"):
        verdict = "stopped"
    report = report or {}
    return {
        "verdict": verdict,
        "right": sum(runs),
        "wrong": len(runs) - sum(runs),
        "code": report.get("code", ""),
        "sentence": str(sentence(report)) if report else "",
        "calls": report.get("lines", []),
        "board": report.get("expectedBoard", ""),
        "line": report.get("line", 0),
        "text": "\n".join(report[part] for part in ("text", "caret") if report.get(part)),
    }


def _show_json(row: Row) -> None:
    print(json.dumps(row), flush=True)


def _show_line(row: Row) -> None:
    count = "{wrong} of {runs} runs differ. " if row["verdict"] == "different" else ""
    about = (count + "{sentence}").format(**row)
    line = f"{row['verdict']:9}  {row['file']}" + (f": {' '.join(about.split())}" if about else "")
    print(_printable(line), flush=True)


def _show_whole(prompt: str, row: Row) -> None:
    """Show the one file as the page does."""
    if row["verdict"] == "right":
        print(f"Right: the example of the document and {row['runs'] - 1} runs.")
        return
    if row["calls"]:
        print("{wrong} of {runs} runs differ. The shortest one:\n".format(**row))
        print("\n".join(prompt + line for line in row["calls"]), end="\n\n")
    print(row["sentence"])
    if row["text"]:
        print("\n" + row["text"])
    if row["board"]:
        print(f"\nThe board should be:\n{row['board']}")
    if row["line"] and row["code"] != "syntax":
        print(f"\nThe error comes from line {row['line']} of your file.")


def _junit(exercise: str, rows: list[Row]) -> str:
    """Return a report in the XML of JUnit, with a test case for each file."""
    failures = str(sum(row["verdict"] != "right" for row in rows))
    suite = ElementTree.Element("testsuite", name=exercise, tests=str(len(rows)), failures=failures)
    for row in rows:
        about = {"name": _printable(row["file"]), "time": str(row["seconds"])}
        case = ElementTree.SubElement(suite, "testcase", about, classname=exercise)
        if row["verdict"] != "right":
            why = {"type": row["verdict"], "message": _printable(row["sentence"])}
            failure = ElementTree.SubElement(case, "failure", why)
            failure.text = _printable("\n".join(row["calls"]))
    return ElementTree.tostring(suite, encoding="unicode")


def _printable(text: str) -> str:
    """Return a text without the characters that steer a terminal or break XML."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in text)


if __name__ == "__main__":
    sys.exit(main())
