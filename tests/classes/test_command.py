"""The command that judges files on one's own machine."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from games.classes.recording import all_exercises, find_exercise, read_record
from tests.support.pupils import EXERCISES, all_faults, command, planted, pupil, pupil_path

CLASS, NAME = next((found.slug, found.name) for _rules, found in all_exercises() if found.name)
PROGRAM = next(found.slug for _rules, found in all_exercises() if found.answer)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_right_file_passes_without_django(exercise: str) -> None:
    done = command(exercise, pupil_path(exercise))
    assert done.returncode == 0
    assert done.stdout == "Right: the example of the document and 40 runs.\n"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_right_file_passes_fresh_runs(exercise: str) -> None:
    assert command(exercise, pupil_path(exercise), "--seed", "7").returncode == 0


TABLE = """
class {name}({name}):
    def __init__(self, *arguments):
        assert repr(arguments) in {known!r}
        super().__init__(*arguments)
"""


def test_fresh_runs_are_answered_from_no_table(tmp_path: Path) -> None:
    runs = read_record(*find_exercise(CLASS))["runs"]
    lines = [run["steps"][0][0].partition(" = ")[2] for run in runs]
    known = [eval(line, {NAME: lambda *arguments: repr(arguments)}) for line in lines]
    knows = write(tmp_path, pupil(CLASS) + TABLE.format(name=NAME, known=known))
    assert judged(CLASS, knows)["file.py"]["verdict"] == "right"
    assert judged(CLASS, knows, options=("--seed", "1"))["file.py"]["verdict"] == "different"


def test_an_unknown_exercise_is_explained_with_the_known_ones() -> None:
    done = command("ludo", "x.py")
    assert done.returncode == 2
    assert all(exercise in done.stderr for exercise in EXERCISES)


def test_a_missing_file_is_explained(tmp_path: Path) -> None:
    done = command(EXERCISES[0], tmp_path / "missing.py")
    assert done.returncode == 2
    assert "missing.py" in done.stdout
    assert done.stdout.count("\n") == 1


def test_the_command_says_that_files_run_with_ones_own_rights() -> None:
    assert "your own rights" in command(CLASS, pupil_path(CLASS)).stderr


def write(folder: Path, text: str | bytes, name: str = "file.py") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def judged(exercise: str, *files: Path, options: tuple[str, ...] = ()) -> dict[str, dict[str, Any]]:
    """Return the judgements by the names of the files."""
    lines = command(exercise, *files, "--json", *options).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    assert [judgement["file"] for judgement in found] == [str(file) for file in files]
    return {Path(judgement["file"]).name: judgement for judgement in found}


BAD = {
    "endless": "while True: pass",
    "deaf": "10 ** 10 ** 10",
    "greedy": "bytearray(10**9)",
    "forks": "import os\nwhile True: os.fork()",
    "killed": "import os\nos.kill(os.getpid(), 9)",
    "ends": "import os\nos._exit(0)",
    "leaves": "raise SystemExit",
    "writes": "with open('x', 'wb') as x:\n    while True: x.write(bytes(10**6))",
    "asks": "input()",
    "forges": "import os\nfor n in range(3, 9):\n    try: os.write(n, b'{\"done\": null}\\n')\n"
    "    except OSError: pass\nos._exit(0)",
    "course": "from easyinput import read",
    "engine": f"from games.{CLASS} import {NAME}",
    "unwritten": b"x = '\xe9'",
    "nothing": b"",
    "zeros": bytes(100),
}


def test_a_bad_file_hurts_no_other(tmp_path: Path) -> None:
    right = pupil_path(CLASS)
    bad = [write(tmp_path, text, name) for name, text in BAD.items()]
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    large = write(tmp_path, "#" * 1_000_001, "large")
    files = [*bad, tmp_path / "folder", tmp_path / "pipe", large, tmp_path / "missing", right]
    found = judged(CLASS, *files, options=("--timeout", "3"))
    assert {name for name, judgement in found.items() if judgement["verdict"] == "right"} == {
        right.name
    }
    codes = {name: judgement["code"] for name, judgement in found.items()}
    assert {codes[name] for name in ("endless", "deaf")} == {"endless"}
    assert {codes[name] for name in ("killed", "ends", "forges")} == {"crashed"}
    assert {codes[name] for name in ("folder", "pipe", "missing")} == {"unreadable"}
    assert codes["large"] == "too_large"
    assert codes["engine"] == "module"
    assert codes["course"] == "course_module"
    assert "easyinput" in found["course"]["sentence"]
    for name, error in {"greedy": "Memory", "forks": "Permission", "asks": "EOF"}.items():
        assert error in found[name]["sentence"]


GOOD: dict[str, tuple[bytes, str]] = {
    "bom": (b"\xef\xbb\xbf", "utf-8"),
    "latin": (b"# -*- coding: latin-1 -*-\nassert '\xe9' == '\\xe9'\n", "latin-1"),
    "prints": (b"print('hello')\nimport os\nos.write(1, b'hello')\nos.system('clear')\n", "utf-8"),
    "lines": (b"import os\nos.close(1)\r\n", "utf-8"),
}


def test_files_are_read_as_python_reads_them(tmp_path: Path) -> None:
    files = [
        write(tmp_path, begin + pupil(CLASS).encode(encoding, "replace"), name)
        for name, (begin, encoding) in GOOD.items()
    ]
    verdicts = {judgement["verdict"] for judgement in judged(CLASS, *files).values()}
    assert verdicts == {"right"}


def test_a_program_may_read_and_write_as_it_likes(tmp_path: Path) -> None:
    reads = "import sys, fileinput, io\nfirst = next(fileinput.input())\n"
    reads += "sys.stdin = io.StringIO(first + sys.stdin.read())\n"
    writes = (
        "print = lambda *of: sys.stdout.buffer.write((' '.join(map(str, of)) + '\\n').encode())"
    )
    program = write(tmp_path, reads + writes + "\n" + pupil(PROGRAM))
    assert judged(PROGRAM, program)["file.py"]["verdict"] == "right"


def test_a_file_finds_an_empty_environment_and_folder(tmp_path: Path) -> None:
    looks = "import os\nassert not {'HOME', 'SECRET'} & set(os.environ) and len(os.listdir()) < 2\n"
    file = write(tmp_path, looks + pupil(CLASS))
    os.environ["SECRET"] = "1"
    try:
        assert judged(CLASS, file)["file.py"]["verdict"] == "right"
    finally:
        del os.environ["SECRET"]


def test_nothing_that_a_file_starts_outlives_it(tmp_path: Path) -> None:
    starts = "import subprocess\nsubprocess.Popen(['sleep', '987.6'])\n"
    found = judged(CLASS, write(tmp_path, starts + pupil(CLASS)))
    assert found["file.py"]["verdict"] == "right"
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert "sleep 987.6" not in running


def test_several_files_get_a_line_each_and_a_status_of_one(tmp_path: Path) -> None:
    fault = next(fault for fault in all_faults() if fault.exercise == CLASS)
    wrong = write(tmp_path, planted(fault), "w\x1b[31mrong.py")
    done = command(CLASS, pupil_path(CLASS), wrong)
    assert done.returncode == 1
    right, different = done.stdout.splitlines()
    assert right.split() == ["right", str(pupil_path(CLASS))]
    assert different.startswith("different ")
    assert "of 41 runs differ" in different
    # A name steers no terminal.
    assert "\x1b" not in done.stdout


def test_junit_has_a_case_for_each_file(tmp_path: Path) -> None:
    bad = write(tmp_path, "raise ValueError('\\x00\\x1b<&')")
    done = command(CLASS, pupil_path(CLASS), bad, "--junit")
    suite = ElementTree.fromstring(done.stdout)
    assert suite.attrib["tests"] == "2"
    assert [len(case.findall("failure")) for case in suite] == [0, 1]
    assert "ValueError" in suite[1][0].attrib["message"]
